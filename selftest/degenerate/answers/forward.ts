import type { IncomingMessage, ServerResponse } from 'node:http';
import { endToEnd, openLike } from '../../../chaos/upstream.ts';

/**
 * Passes a request on to `upstream` (origin and path prefix, `http:` only) and its answer back, both as streams, with
 * every header occurrence kept. When one side goes away the other is dropped too: a proxy must not turn a broken
 * answer into a whole one.
 */
export function forward(
  upstream: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onAnswer: (answer: IncomingMessage) => void = () => {},
): void {
  const prefix = new URL(upstream).pathname.replace(/\/$/, '');
  const passed = openLike(incoming, { baseUrl: upstream, prefix });
  // After an early answer an upload may well fail; the answer stands.
  passed.on('error', () => {
    if (!outgoing.headersSent) outgoing.destroy();
  });
  passed.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer.rawHeaders));
    outgoing.flushHeaders();
    onAnswer(answer);
    answer.on('error', () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) passed.destroy();
  });
  incoming.pipe(passed);
}
