import { addressOf, listMentions, pathOf, readChannel, type CallRequest } from '../../spec/calls/index.ts';
import type { EvidenceExchange, Excerpt } from '../../harness/results/generated/events.ts';
import type { Operation, Read, Send } from '../../history/operation.ts';

/** Of so many requests what is known of them is shown. */
const mostShown = 10;

/** What a chapter still knows of requests once their exchanges are forgotten: enough to look them up in the logs of a server. */
export function evidenceOfOperations(
  operations: readonly Operation[],
  exchangeIdOf: (operation: Operation) => number | undefined,
): readonly EvidenceExchange[] {
  const all = operations.flatMap((operation) => {
    const id = exchangeIdOf(operation);
    const isRequest = operation.kind === 'send' || operation.kind === 'read';
    return isRequest && id !== undefined ? [evidenceOfOne(operation, id)] : [];
  });
  return all.slice(0, mostShown);
}

function evidenceOfOne(operation: Send | Read, id: number): EvidenceExchange {
  const { agent, status, startedMs, endedMs } = operation;
  return {
    id,
    actor: agent,
    request: operation.kind === 'send' ? sentIn(operation) : askedIn(operation),
    ...(status === undefined
      ? { fault: 'none of the service came' }
      : { response: { status, headers: {}, ...bodyOf(shownIn(operation)) } }),
    startedAt: new Date(performance.timeOrigin + startedMs).toISOString(),
    durationMs: endedMs - startedMs,
  };
}

function sentIn({ channel, key, content }: Send): EvidenceExchange['request'] {
  const marker = content?.marker === undefined ? '' : ` with the marker ${content.marker}`;
  return {
    method: 'POST',
    path: pathOf('send', channel),
    headers: key === undefined ? {} : { 'idempotency-key': key },
    ...bodyOf(content && `a content of ${content.bytes} bytes${marker}`),
  };
}

function askedIn(read: Read): EvidenceExchange['request'] {
  const request = requestOf(read);
  return { method: request.method, path: addressOf(request), headers: {} };
}

function requestOf({ call, stream, after, limit, wait, query }: Read): CallRequest {
  const asked = query ?? { after, limit, wait };
  return call === 'mentions' ? listMentions(asked) : readChannel(stream.replace(/^channel /, ''), asked);
}

function shownIn(operation: Send | Read): string | undefined {
  if (operation.outcome !== 'accepted') return undefined;
  if (operation.kind === 'send') {
    const { id, sequence } = operation.shown ?? {};
    return id && `message ${id}${sequence === undefined ? '' : `, sequence ${sequence}`}`;
  }
  const { items, nextAfter, highWatermark } = operation;
  const sequences = items.map(({ sequence }) => String(sequence ?? 'without one'));
  const shown = items.length === 0 ? 'no messages' : `messages with the sequences ${sequences.join(', ')}`;
  return `${shown}; next_after ${String(nextAfter)}, high_watermark ${String(highWatermark)}`;
}

/** What a body was, in place of it: nobody kept it. */
function bodyOf(text: string | undefined): { readonly body?: Excerpt } {
  if (text === undefined) return {};
  return { body: { text, totalBytes: Buffer.byteLength(text), isOutline: true, isCut: false } };
}
