import { describe, expect, it } from 'vitest';
import type { Page } from '../../../history/world/page.ts';
import type { Stream } from '../../../history/world/stream.ts';
import { worldOf } from '../../../history/world/world.ts';
import { ids, itemOf, Story } from '../fixtures.ts';

function streamOf(story: Story): Stream {
  const stream = worldOf(story.history).streams.get(`channel ${ids.channel}`);
  if (stream === undefined) throw new Error('nothing was read');
  return stream;
}

/** What a page answers for, counted one by one. */
function counted(
  { places }: Stream,
  { read: { after }, first, reach }: Page,
): readonly [number | undefined, number] {
  const upTo = (sequence: number | bigint): number =>
    places.filter((place) => place.sequence <= sequence).length;
  return [
    after === undefined ? (first === undefined ? undefined : upTo(first) - 1) : upTo(after),
    upTo(reach),
  ];
}

describe('a stream', () => {
  it('knows where each page begins and ends', () => {
    const story = new Story();
    const items = story.items([2, 3, 5, 8, 13]);
    story.read(items);
    for (const after of [undefined, 0, 1, 2, 4, 5, 12, 13, 14])
      for (const [from, to] of [
        [0, 0],
        [0, 2],
        [1, 3],
        [3, 5],
        [4, 5],
      ] as const)
        for (const nextAfter of [0, 5, 6, 20]) story.read(items.slice(from, to), { after, nextAfter });
    const stream = streamOf(story);
    expect(stream.pages).toHaveLength(1 + 9 * 5 * 4);
    for (const page of stream.pages) expect([page.begin, page.end]).toEqual(counted(stream, page));
  });

  it('knows where a page without a cursor begins whose first message is disputed', () => {
    const story = new Story();
    const [one, two, other, three] = story.items([1, 2, 2, 3]);
    if (one === undefined || two === undefined || other === undefined || three === undefined)
      throw new Error();
    story.read([one, two, three]);
    story.read([one, other, three]);
    story.read([two, three], { after: undefined });
    // Of the places only 1 and 3 are undisputed: the page answers from 3 on, and for nothing before its first message.
    expect(streamOf(story).pages.at(-1)?.begin).toBe(1);
  });

  it('keeps places apart whose sequence or message others share', () => {
    const story = new Story();
    const [one, two, three] = story.items([1, 1, 2]);
    story.read([one]);
    story.read([two, three]);
    const stream = streamOf(story);
    expect(stream.all.map(({ rank }) => rank)).toEqual([-1, -1, 0]);
    expect(stream.isClear).toBe(false);
  });

  it('knows the first read and the last one of each message, in whatever order they end', () => {
    const story = new Story();
    const one = itemOf(story.send(), 1);
    const long = story.read([one], { startedMs: 30, endedMs: 500 });
    const short = story.read([one], { startedMs: 100, endedMs: 110 });
    const [place] = streamOf(story).places;
    expect(place?.knownBy).toBe(short);
    expect(place?.lastBy).toBe(short);
    expect(place?.knownMs).toBe(short.endedMs);
    expect(place?.lastMs).toBe(short.startedMs);
    expect(long.endedMs).toBe(500);
  });

  it('says that a page issued its cursor, unless it only handed it back', () => {
    const story = new Story();
    story.read([], { after: 7, nextAfter: 7, startedMs: 0, endedMs: 10 });
    story.read([], { after: 0, nextAfter: 5, startedMs: 0, endedMs: 10 });
    const stream = streamOf(story);
    expect(stream.issuerOf(7, 100)).toBeUndefined();
    expect(stream.issuerOf(5, 10)).toBeUndefined();
    expect(stream.issuerOf(5, 11)?.nextAfter).toBe(5);
  });
});
