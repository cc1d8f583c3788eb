import { createHash } from 'node:crypto';
import type { DegenerateServer } from './degenerate-server.ts';
import { degenerateJson, type ReceivedRequest, send, startHttp } from './http-answers.ts';
import { apiError } from './plausible-bodies.ts';
import type { RecordedExchange, Recording } from './recording-proxy.ts';

/** Headers of the framing; the replay frames its own answers. */
const framing = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/**
 * Answers from a recorded good run. The closest recorded request wins: the same to the byte of its body, then the
 * same method, path, query and credential, then without the query, then without the credential; else 404. Answers
 * of equally close requests come in recorded order, the last one again and again.
 */
export async function startReplay(recording: Recording): Promise<DegenerateServer> {
  const tapes = tapesByKey(recording);
  return startHttp('replay', (request, response) => {
    const exchange = nextExchange(tapes, request);
    if (exchange === undefined) {
      send(response, degenerateJson(404, apiError('not_found', 'Nothing like this was recorded.')));
      return;
    }
    response.writeHead(exchange.status, [...replayedHeaders(exchange.rawHeaders)]);
    response.end(exchange.body);
  });
}

/** Exchanges that look alike at some closeness, and how many of them were given out. */
interface Tape {
  readonly exchanges: RecordedExchange[];
  played: number;
}

function tapesByKey(recording: Recording): Map<string, Tape> {
  const tapes = new Map<string, Tape>();
  for (const exchange of recording) {
    for (const key of requestKeys(exchange)) {
      const tape = tapes.get(key) ?? { exchanges: [], played: 0 };
      tape.exchanges.push(exchange);
      tapes.set(key, tape);
    }
  }
  return tapes;
}

function nextExchange(tapes: Map<string, Tape>, request: ReceivedRequest): RecordedExchange | undefined {
  const { method, path, headers, body } = request;
  const requestDigest = createHash('sha256').update(body).digest('hex');
  const keys = requestKeys({ method, path, authorization: headers.authorization ?? '', requestDigest });
  const tape = keys.map((key) => tapes.get(key)).find((found) => found !== undefined);
  if (tape === undefined) return undefined;
  const exchange = tape.exchanges[Math.min(tape.played, tape.exchanges.length - 1)];
  tape.played += 1;
  return exchange;
}

/** From the closest likeness to the loosest. */
function requestKeys(
  request: Pick<RecordedExchange, 'method' | 'path' | 'authorization' | 'requestDigest'>,
): readonly string[] {
  const { method, path, authorization, requestDigest } = request;
  const unqueried = path.split('?', 1)[0];
  return [
    [method, path, authorization, requestDigest],
    [method, path, authorization],
    [method, unqueried, authorization, 'any query'],
    [method, unqueried, 'any credential'],
  ].map((parts) => JSON.stringify(parts));
}

function* replayedHeaders(rawHeaders: readonly string[]): Generator<string> {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!framing.has(name.toLowerCase())) yield* [name, value];
  }
}
