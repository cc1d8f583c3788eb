import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';

/** Headers that speak of one connection only, or that the outgoing side writes itself. */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'te',
  'expect',
  'host',
]);

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
  const url = new URL(upstream);
  const passed = openRequest({
    // A connection for each request: one reused just as the upstream drops it would be a reset of our own making.
    agent: false,
    hostname: url.hostname,
    port: url.port,
    method: incoming.method ?? 'GET',
    path: url.pathname.replace(/\/$/, '') + (incoming.url ?? '/'),
    headers: ['Host', url.host, ...endToEnd(incoming.rawHeaders)],
  });
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

function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!ownHeaders.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
