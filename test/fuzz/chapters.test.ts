import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Front, startFront } from '../../harness/front/front.ts';
import { openBench, type Bench } from '../../fuzz/setup/open-bench.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { type Reference, startReference } from '../../reference/index.ts';
import { alone, targetFor } from './campaigns.ts';

/** A moment of a gateway in front of the server. */
const badMoment = { status: 503, headers: { 'content-type': 'text/plain' }, body: 'a bad moment' };

let reference: Reference;
let front: Front;
let bench: Bench;
/** What part of an address is not answered. */
let failing = 'nothing';
let reads = 0;
/** Reads of the second channel until the first chapter was closed. */
let readsBeside = 0;

beforeAll(async () => {
  reference = await startReference();
  const { channelId, ...target } = alone(targetFor(reference));
  const beside = `/channels/${target.secondChannelId}/messages`;
  let seenBeside = 0;
  front = await startFront(reference, {
    treat: ({ method, url = '' }) => {
      if (method === 'GET' && url.includes(`/channels/${channelId}/messages`)) reads += 1;
      if (method === 'GET' && url.includes(beside)) seenBeside += 1;
      return method === 'GET' && url.includes(failing) ? { instead: badMoment } : {};
    },
  });
  bench = await openBench(
    { ...target, channelId, baseUrl: front.baseUrl },
    { roundTripMs: 1, signal: new AbortController().signal, env: {}, secrets: new KnownSecrets() },
  );
  await bench.first.close();
  readsBeside = seenBeside;
});

afterAll(async () => {
  await bench.close();
  await front.close();
  await reference.close();
});

/** Opens a chapter, with answers to nothing that holds this, and closes it. */
async function chapterIn(
  notAnswered: string,
): Promise<{ readonly isWhole: boolean; readonly reads: number }> {
  [failing, reads] = [notAnswered, 0];
  const { close } = await bench.chapters.open('few');
  failing = 'nothing';
  const { isWhole } = await close();
  return { isWhole, reads };
}

describe('a chapter of a campaign', () => {
  it('looks at the second channel, be it the first of all', () => {
    expect(readsBeside).toBeGreaterThan(0);
  });

  it.each(['/messages?', '/mentions'])(
    'that begins while %s is not answered is not whole, and the next one is read as before',
    async (notAnswered) => {
      const before = await chapterIn('nothing');
      expect(before.isWhole).toBe(true);
      expect(await chapterIn(notAnswered)).toMatchObject({ isWhole: false });
      expect(await chapterIn('nothing')).toEqual(before);
    },
  );
});
