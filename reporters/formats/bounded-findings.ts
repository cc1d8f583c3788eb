import type {
  EvidenceExchange,
  Excerpt,
  FindingEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';

/** Characters of bodies that are held for a report at most. A run has some hundred kB of them. */
const mostHeld = 64_000_000;

/**
 * Lets events pass, the bodies in their evidence only as long as all of them together are not too much to hold: what a stream says beyond
 * that is in the stream.
 */
export class BoundedFindings {
  #held = 0;

  bounded(event: ResultEvent): ResultEvent {
    return event.type === 'finding' ? this.#finding(event) : event;
  }

  #finding(finding: FindingEvent): FindingEvent {
    this.#held += finding.exchanges.reduce((sum, each) => sum + lengthOf(each), 0);
    return this.#held <= mostHeld
      ? finding
      : { ...finding, exchanges: finding.exchanges.slice(-1).map(withoutBodies) };
  }
}

function lengthOf({ request, response, curl = '' }: EvidenceExchange): number {
  return (request.body?.text.length ?? 0) + (response?.body?.text.length ?? 0) + curl.length;
}

function withoutBodies(exchange: EvidenceExchange): EvidenceExchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: emptied(request.body) },
    ...(response?.body === undefined ? {} : { response: { ...response, body: emptied(response.body) } }),
  };
}

function emptied(body: Excerpt): Excerpt {
  return { ...body, text: '', isCut: true };
}
