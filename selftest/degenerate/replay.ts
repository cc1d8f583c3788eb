import { createHash } from 'node:crypto';
import { type Front, startFront } from '../../harness/front/front.ts';
import { ofFraming } from '../../harness/front/hand-back.ts';
import type { PassedExchange } from '../../harness/front/recorded.ts';
import { headerPairs, headersOf } from '../../harness/traffic/recorded-exchange.ts';
import { degenerateJson, startAnswering, whole } from './degenerate-server.ts';
import { apiError } from './plausible-bodies.ts';

/** Exchanges in the order in which they ended. */
export type Recording = readonly PassedExchange[];

/** All that is asked of a server (`http:`), and answered, while something is done with what stands before it. */
export async function recordedWhile(
  upstream: string,
  work: (baseUrl: string) => Promise<unknown>,
): Promise<Recording> {
  const recording: PassedExchange[] = [];
  const front = await startFront(
    { baseUrl: upstream },
    { onExchange: (exchange) => recording.push(exchange) },
  );
  try {
    await work(front.baseUrl);
  } finally {
    await front.close();
  }
  return recording;
}

/**
 * Answers from a recorded good run. The closest recorded request wins: the same to the byte of its body, then the
 * same method, path, query and credential, then without the query, then without the credential; else 404. Answers
 * of equally close requests come in recorded order, the last one again and again.
 */
export function startReplay(recording: Recording): Promise<Front> {
  const tapes = tapesByKey(recording);
  return startAnswering(({ method, path, headers: { authorization = '' }, body }) => {
    const keys = keysOf({ method, path, authorization, body: [body] });
    const tape = keys.map((key) => tapes.get(key)).find((found) => found !== undefined);
    const answer = tape?.answers[Math.min(tape.played, tape.answers.length - 1)];
    if (tape === undefined || answer === undefined)
      return degenerateJson(404, apiError('not_found', 'Nothing like this was recorded.'));
    tape.played += 1;
    return whole(answer.status, withoutFraming(answer.rawHeaders), Buffer.concat(answer.body ?? []));
  });
}

/** Answers to requests that look alike at some closeness, and how many of them were given out. */
interface Tape {
  readonly answers: NonNullable<PassedExchange['answer']>[];
  played: number;
}

function tapesByKey(recording: Recording): ReadonlyMap<string, Tape> {
  const tapes = new Map<string, Tape>();
  for (const { method, url, rawHeaders, body = [], answer, end } of recording) {
    if (end !== 'answered' || answer?.body === undefined) continue;
    const [authorization = ''] = withoutFraming(rawHeaders)['authorization'] ?? [];
    for (const key of keysOf({ method, path: url, authorization, body })) {
      const tape = tapes.get(key) ?? { answers: [], played: 0 };
      tape.answers.push(answer);
      tapes.set(key, tape);
    }
  }
  return tapes;
}

/** From the closest likeness to the loosest. */
function keysOf({
  method,
  path,
  authorization,
  body,
}: {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: readonly Buffer[];
}): readonly string[] {
  const digest = createHash('sha256');
  for (const chunk of body) digest.update(chunk);
  const unqueried = path.split('?', 1)[0];
  return [
    [method, path, authorization, digest.digest('hex')],
    [method, path, authorization],
    [method, unqueried, authorization, 'any query'],
    [method, unqueried, 'any credential'],
  ].map((parts) => JSON.stringify(parts));
}

function withoutFraming(rawHeaders: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return headersOf(headerPairs(rawHeaders, (name, value) => (ofFraming.has(name) ? undefined : value)));
}
