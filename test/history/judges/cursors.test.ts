import { describe, expect, it } from 'vitest';
import { cursors } from '../../../history/judges/cursors.ts';
import { worldOf } from '../../../history/world/world.ts';
import { finds } from '../finds.ts';
import { allFound, foundAndShown, ids, itemOf, judged, settleMs, Story } from '../fixtures.ts';

describe('the next cursor', () => {
  finds.each([
    { nextAfter: 4, names: ['next-behind-page page.next-after-not-behind-items'] },
    { nextAfter: 5, names: [] },
    { nextAfter: 6, names: [] },
  ])('$nextAfter after an item at 5 shows $names', (story, { nextAfter }) => {
    story.read([itemOf(story.send(), 5)], { nextAfter });
  });

  finds.each([
    { nextAfter: 2, names: ['cursor-stall page.next-after-passes-the-cursor'] },
    { nextAfter: 3, names: ['cursor-stall page.next-after-passes-the-cursor'] },
    { nextAfter: 4, names: ['next-behind-page page.next-after-not-behind-items'] },
    { nextAfter: 5, names: [] },
  ])('$nextAfter of a page after 3 that announces more shows $names', (story, { nextAfter }) => {
    story.read([itemOf(story.send(), 5)], { after: 3, nextAfter, hasMore: true });
  });
});

describe('empty pages that announce more and stand still', () => {
  function stall(times: number, lastMs: number): Story {
    const story = new Story();
    for (let time = 1; time <= times; time += 1)
      story.read([], { after: 3, nextAfter: 3, hasMore: true, ...(time === times && { startedMs: lastMs }) });
    return story;
  }
  const name = 'empty-stall page.empty-page-moves-on';

  finds.each([
    { times: 4, lastMs: 1000, names: [] },
    // The first page ends at 20.
    { times: 5, lastMs: 20 + settleMs, names: [] },
    { times: 5, lastMs: 21 + settleMs, names: [name] },
    { times: 6, lastMs: 1000, names: [name] },
  ])('$times times, the last at $lastMs, show $names', (_, { times, lastMs }) => stall(times, lastMs));

  it('say nothing while the channel is written to, or when one of them moves on', () => {
    const written = stall(6, 1000);
    written.send({ startedMs: 900, endedMs: 910 });
    expect(foundAndShown(written)).toEqual([]);
    const moving = stall(4, 500);
    moving.read([], { after: 3, nextAfter: 4, hasMore: true });
    moving.read([], { after: 3, nextAfter: 3, hasMore: true, startedMs: 1000 });
    expect(foundAndShown(moving)).toEqual([]);
  });

  finds('count from when nobody writes any more', [name], (story) => {
    story.send({ startedMs: 10, endedMs: 20 });
    // Up to 120 the send may still be on its way to where it shows.
    for (const startedMs of [15, 50, 100, 121, 150, 180, 200, 232])
      story.read([], { after: 3, nextAfter: 3, hasMore: true, startedMs, endedMs: startedMs + 10 });
  });
});

describe('a cursor that was issued', () => {
  const rises = 'cursor-regression page.next-after-rises';
  const again = 'cursor-regression page.next-after-never-falls-back';

  // The page that issues 5 ends at 20.
  finds.each([
    { nextAfter: 4, startedMs: 20 + settleMs, names: [] },
    { nextAfter: 4, startedMs: 21 + settleMs, names: [rises] },
    { nextAfter: 5, startedMs: 1000, names: [] },
    { nextAfter: 6, startedMs: 1000, names: [] },
  ])('answered with $nextAfter at $startedMs shows $names', (story, { nextAfter, startedMs }) => {
    story.read([], { after: 0, nextAfter: 5 });
    story.read([], { after: 5, nextAfter, startedMs });
  });

  it.each([
    { nextAfter: 2, isStillThere: true, names: [again] },
    { nextAfter: 3, isStillThere: true, names: [rises] },
    { nextAfter: 2, isStillThere: false, names: [rises] },
  ])(
    'answered with $nextAfter, the message at 3 there afterwards: $isStillThere, shows $names',
    ({ nextAfter, isStillThere, names }) => {
      const story = new Story();
      const item = itemOf(story.send(), 3);
      story.read([item], { after: 0, nextAfter: 5 });
      story.wait();
      story.read([], { after: 5, nextAfter });
      if (isStillThere) story.read([item], { after: 0, nextAfter: 5 });
      expect(allFound(story)).toEqual(names);
    },
  );

  it.each([
    { subject: ids.author, names: [rises] },
    { subject: ids.peer, names: [again] },
  ])(
    'falls back before what its reader wrote, whom no answer named, while $subject was away: $names',
    ({ subject, names }) => {
      const story = new Story();
      const item = itemOf(story.send(), 3);
      story.read([item], { agent: 'author', after: 0, nextAfter: 5 });
      story.change('deactivate', { subject, detail: 'access inactive' });
      story.change('deactivate', { subject, detail: 'access active' });
      story.wait().read([], { agent: 'author', after: 5, nextAfter: 2 });
      story.read([item], { agent: 'author', after: 0, nextAfter: 5 });
      expect(allFound(story)).toEqual(names);
    },
  );

  it.each([
    { as: ids.peer, names: [rises] },
    { as: ids.reader, names: [again] },
  ])('of a key that acts as $as hands out again what that was shown: $names', ({ as, names }) => {
    const story = new Story();
    const agent = 'api-key';
    const one = itemOf(story.send({ targets: [`agent:${ids.reader}`] }), 3);
    story.feed([one], { agent, agentId: ids.reader, nextAfter: 5 });
    story.wait();
    story.feed([], { agent, agentId: as, after: 5, nextAfter: 2 });
    story.feed([one], { agent, agentId: ids.reader, nextAfter: 5 });
    expect(allFound(story)).toEqual(names);
  });

  it('is held against the first message that it would hand out again, without a look at all that follow', () => {
    const looksFor = (messages: number, pages: number): number => {
      const story = new Story();
      const items = story.items(Array.from({ length: messages }, (_, at) => at + 1));
      story.read(items);
      story.wait();
      for (let page = 1; page <= pages; page += 1) story.read([], { after: messages, nextAfter: 0 });
      story.wait().read(items);
      const world = worldOf(story.history);
      let looks = 0;
      for (const place of world.streams.get(`channel ${ids.channel}`)?.places ?? []) {
        const { knownMs } = place;
        Object.defineProperty(place, 'knownMs', { get: () => (looks += 1) && knownMs });
      }
      expect(cursors.judge(world).anomalies).toHaveLength(pages);
      return looks;
    };
    const looksForMore = (messages: number): number => looksFor(messages, 9) - looksFor(messages, 1);
    expect(looksForMore(40)).toBe(looksForMore(4));
  });

  finds('that nobody issued may be answered with any other', [], (story) => {
    story.read([], { after: 0, nextAfter: 5 });
    story.read([], { after: 6, nextAfter: 5, startedMs: 1000 });
  });

  it('is no conflict while something at or below it is retained', () => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one, two]);
    story.wait();
    const refused = { outcome: 'refused', status: 409 } as const;
    story.read([], { after: 1, ...refused });
    expect(allFound(story)).toEqual([]);
    // What is shown soon afterwards may come from a cache.
    story.read([one, two]);
    story.wait();
    story.read([two], { after: 1 });
    expect(allFound(story)).toEqual([]);
    story.read([one, two]);
    expect(foundAndShown(story)).toEqual([
      'issued-cursor-conflict channel-read.issued-cursor-is-no-conflict',
    ]);
  });

  it('is told as issued or shown: where a message stands is a cursor as well', () => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one, two], { nextAfter: 2 });
    story.wait().read([], { after: 1, nextAfter: 0 });
    story.read([], { after: 1, outcome: 'refused', status: 409 });
    story.wait().read([one, two]);
    const told = judged(story).anomalies.map(({ expected }) => expected);
    expect(told.filter((each) => each.includes('shown'))).toEqual([
      `channel ${ids.channel}, after 1: next_after of at least 1, which had been issued or shown`,
      `channel ${ids.channel}, after 1: an answer, since the cursor had been issued or shown`,
    ]);
  });

  it('of 0 is never a conflict, and one that nobody issued may be', () => {
    const refused = { outcome: 'refused', status: 409 } as const;
    const story = new Story();
    story.read([], { after: 7, ...refused });
    expect(allFound(story)).toEqual([]);
    story.read([], { after: 0, ...refused });
    expect(foundAndShown(story)).toEqual([
      'issued-cursor-conflict channel-read.issued-cursor-is-no-conflict',
    ]);
  });
});

describe('the watermark', () => {
  it.each([
    { highWatermark: 4, nextAfter: 5, names: ['above-watermark page.high-watermark-covers-the-page'] },
    { highWatermark: 5, nextAfter: 5, names: [] },
    { highWatermark: 5, nextAfter: 6, names: [] },
  ])('$highWatermark of a page up to $nextAfter shows $names', ({ highWatermark, nextAfter, names }) => {
    const story = new Story();
    story.read([itemOf(story.send(), 5)], { nextAfter, highWatermark });
    expect(foundAndShown(story)).toEqual(names);
    expect(judged(story).opportunities.get('page.high-watermark-covers-the-page')).toBe(1);
  });

  // The first page ends at 20.
  finds.each([
    { highWatermark: 8, startedMs: 20 + settleMs, names: [] },
    {
      highWatermark: 8,
      startedMs: 21 + settleMs,
      names: ['watermark-regression page.high-watermark-never-falls'],
    },
    { highWatermark: 9, startedMs: 1000, names: [] },
  ])('$highWatermark after 9, at $startedMs, shows $names', (story, { highWatermark, startedMs }) => {
    story.read([], { nextAfter: 1, highWatermark: 9 });
    story.read([], { nextAfter: 1, highWatermark, startedMs });
  });

  it.each([7, 8])('may lie below the cursor %i of a page after 7 without items', (nextAfter) => {
    const story = new Story();
    story.read([], { after: 7, nextAfter, highWatermark: 3 });
    expect(foundAndShown(story)).toEqual([]);
  });

  finds.each([
    { as: ids.peer, names: [] },
    { as: ids.reader, names: ['watermark-regression page.high-watermark-never-falls'] },
  ])('of a key that acts as $as later: $names', (story, { as }) => {
    const agent = 'api-key';
    story.feed([], { agent, agentId: ids.reader, highWatermark: 9 });
    story.wait();
    story.feed([], { agent, agentId: as, highWatermark: 8 });
  });

  finds('of another reader is another one', [], (story) => {
    story.read([], { nextAfter: 0, highWatermark: 9 });
    story.read([], { nextAfter: 0, highWatermark: 8, agent: 'peer', startedMs: 1000 });
  });
});

describe('a stream that may have shrunk', () => {
  const fallen = [
    'cursor-regression page.next-after-rises',
    'watermark-regression page.high-watermark-never-falls',
  ];
  const conflictOfFeed = 'issued-cursor-conflict mentions.issued-cursor-is-no-conflict';
  const conflict = 'issued-cursor-conflict channel-read.issued-cursor-is-no-conflict';

  it.each([
    { change: 'restart', isDurable: false, isHeld: false },
    { change: 'restart', isDurable: true, isHeld: true },
    { change: 'rename', isDurable: false, isHeld: true },
  ])(
    'after a $change, durable: $isDurable, is held to what it said before: $isHeld',
    ({ change, isDurable, isHeld }) => {
      const story = new Story({ isDurable });
      story.read([], { nextAfter: 2, highWatermark: 2 });
      story.change(change);
      story.wait().read([], { after: 2, nextAfter: 0, highWatermark: 0 });
      expect(allFound(story)).toEqual(isHeld ? fallen : []);

      const losing = new Story({ isDurable });
      const [one, two, three] = losing.items([1, 2, 3]);
      losing.read([one, two, three]);
      losing.change(change);
      losing.wait().read([], { after: 3, outcome: 'refused', status: 409 });
      losing.wait().read([one, two]);
      expect(allFound(losing).includes(conflict)).toBe(isHeld);
    },
  );

  it('is still held to what was read since, and to what it would hand out again', () => {
    const story = new Story();
    const [one, two, three] = story.items([1, 2, 3]);
    story.read([one, two, three], { highWatermark: 9 });
    story.change('restart');
    story.wait().read([one, two, three], { highWatermark: 5 });
    story.wait().read([], { after: 3, nextAfter: 2, highWatermark: 4 });
    story.wait().read([one, two, three], { highWatermark: 5 });
    expect(allFound(story)).toEqual([
      'cursor-regression page.next-after-never-falls-back',
      'watermark-regression page.high-watermark-never-falls',
    ]);
  });

  it.each([
    { detail: 'membership inactive', subject: undefined, names: [] },
    // An access takes nothing that matches from its agent.
    { detail: 'access inactive', subject: ids.reader, names: fallen },
  ])('as the feed of a reader whose $detail: $names', ({ detail, subject, names }) => {
    const story = new Story();
    story.feed([], { nextAfter: 2, highWatermark: 2 });
    story.change('deactivate', { detail, subject });
    story.wait().feed([], { after: 2, nextAfter: 0, highWatermark: 0 });
    expect(allFound(story)).toEqual(names);

    const losing = new Story();
    const item = itemOf(losing.send({ targets: [`agent:${ids.reader}`] }), 1);
    losing.feed([item], { nextAfter: 2 });
    losing.change('deactivate', { detail, subject });
    losing.wait().feed([], { after: 2, outcome: 'refused', status: 409 });
    losing.wait().feed([item], { nextAfter: 1 });
    const isHeld = names.length > 0;
    expect(allFound(losing)).toEqual(isHeld ? [conflictOfFeed] : []);
  });
});
