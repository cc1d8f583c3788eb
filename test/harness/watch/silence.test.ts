import { expect, it } from 'vitest';
import type { Client } from '../../../harness/client/client.ts';
import { Silence } from '../../../harness/watch/silence.ts';

it.each([
  { what: 'nothing came, for longer than ever', lastAnswerMs: 900, silentMs: 5_000, isSilent: true },
  { what: 'an answer came', lastAnswerMs: 1_100, silentMs: 5_000, isSilent: false },
  { what: 'answers have taken as long before', lastAnswerMs: 900, silentMs: 3_000, isSilent: false },
  { what: 'no answer is due', lastAnswerMs: 900, silentMs: 0, isSilent: false },
])('a server is silent at the end: $isSilent where $what', ({ lastAnswerMs, silentMs, isSilent }) => {
  const client = { traffic: { lastAnswerMs }, silentMs } as Pick<Client, 'traffic' | 'silentMs'>;
  const silence = new Silence(client, () => {});
  expect(silence.isSilentSince(1_000, 4_000)).toBe(isSilent);
  silence.end();
});
