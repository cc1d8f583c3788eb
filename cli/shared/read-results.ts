import { dirname } from 'node:path';
import { InvalidTarget } from '../../harness/errors.ts';
import type {
  EvidenceExchange,
  Excerpt,
  FindingEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';
import { eventsOf, InvalidStream } from '../../harness/results/stream.ts';
import { RunCollector, type RunSoFar } from '../../reporters/run-so-far.ts';
import { linesOfFile } from '../../harness/results/lines-of-file.ts';

/** A line of a result stream has some ten thousand characters; a file with one of this many is another kind of file. */
const longestResultLine = 16_000_000;

/**
 * The runs in kept result streams, in the order of the files; the evidence of all of them together is bounded.
 * @throws InvalidTarget when a file cannot be read, or is not a result stream; it names the line
 */
export function readResults(files: readonly string[]): readonly RunSoFar[] {
  const bounded = new BoundedFindings();
  return files.map((file) => runIn(file, bounded));
}

function runIn(file: string, bounded: BoundedFindings): RunSoFar {
  const run = new RunCollector(dirname(file));
  try {
    for (const event of eventsOf(textsOf(file))) run.add(bounded.bounded(event));
  } catch (cause) {
    if (cause instanceof InvalidStream)
      throw new InvalidTarget(`${file}: no result stream (as --out writes it): ${cause.message}`, { cause });
    if (cause instanceof Error && 'code' in cause)
      throw new InvalidTarget(`${file}: cannot be read (${String(cause.code)})`, { cause });
    throw cause;
  }
  return run;
}

function* textsOf(file: string): Generator<string> {
  for (const { text } of linesOfFile(file, longestResultLine)) yield text;
}

/** Characters of bodies that are held for a report at most. A run has some hundred kB of them. */
const mostHeld = 64_000_000;

/**
 * Lets events pass, the bodies in their evidence only as long as all of them together are not too much to hold: what a stream says beyond
 * that is in the stream.
 */
class BoundedFindings {
  #held = 0;

  bounded(event: ResultEvent): ResultEvent {
    return event.type === 'finding' ? this.#finding(event) : event;
  }

  #finding(finding: FindingEvent): FindingEvent {
    this.#held += finding.exchanges.reduce((sum, each) => sum + lengthOf(each), 0);
    return this.#held <= mostHeld
      ? finding
      : { ...finding, exchanges: finding.exchanges.slice(-1).map(withoutExchangeBodies) };
  }
}

function lengthOf({ request, response, curl = '' }: EvidenceExchange): number {
  return (request.body?.text.length ?? 0) + (response?.body?.text.length ?? 0) + curl.length;
}

function withoutExchangeBodies(exchange: EvidenceExchange): EvidenceExchange {
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
