import { describe, expect, it } from 'vitest';
import { pages } from '../../../history/judges/pages.ts';
import { worldOf } from '../../../history/world/world.ts';
import type { Item } from '../../../history/seen-message.ts';
import { finds } from '../finds.ts';
import { foundAndShown, itemOf, judged, mentionOf, Story } from '../fixtures.ts';

/** A story with items of these sequences, of a message each. */
function storyOf(...sequences: readonly number[]): {
  readonly story: Story;
  readonly items: readonly Item[];
} {
  const story = new Story();
  const sends = sequences.map(() => story.send({ targets: ['agent:00000000-0000-4000-8000-0000000000a2'] }));
  return { story, items: sends.map((send, index) => itemOf(send, sequences[index] ?? 0)) };
}

describe('a page', () => {
  it('may rise with gaps', () => {
    const { story, items } = storyOf(1, 2, 1000);
    story.read(items);
    expect(foundAndShown(story)).toEqual([]);
    expect(judged(story).opportunities.get('channel-read.ascending')).toBe(2);
    expect(judged(story).opportunities.get('channel-read.after-exclusive')).toBe(3);
  });

  it('that falls is unordered, and not only by sequences of the message', () => {
    const channel = storyOf(2, 1);
    channel.story.read(channel.items, { nextAfter: 2 });
    expect(foundAndShown(channel.story)).toEqual([
      'nonmonotonic-send send.acknowledged-order',
      'unordered-page channel-read.ascending',
    ]);
    const feed = storyOf(1, 2);
    feed.story.feed(
      feed.items.map((item, index) => mentionOf(item, 20 - index)),
      { nextAfter: 20 },
    );
    expect(foundAndShown(feed.story)).toEqual(['unordered-page mentions.ascending']);
    const newest = storyOf(1, 2);
    newest.story.feed(
      newest.items.map((item, index) => mentionOf(item, 20 - index)),
      { nextAfter: 20, after: undefined },
    );
    expect(foundAndShown(newest.story)).toEqual(['unordered-page mentions.newest-page-ascends']);
  });

  it('may rise beyond 2^53, and is compared exactly there', () => {
    const story = new Story();
    const [one, other] = [itemOf(story.send(), 2n ** 60n), itemOf(story.send(), 2n ** 60n + 1n)];
    story.read([one, other], { after: 2n ** 60n - 1n });
    expect(foundAndShown(story)).toEqual([]);
    story.read([one, other], { after: 2n ** 60n });
    expect(foundAndShown(story)).toEqual(['inclusive-cursor channel-read.after-exclusive']);
  });

  it('has two messages of one sequence only by mistake', () => {
    const { story, items } = storyOf(1, 1);
    story.read(items);
    expect(foundAndShown(story)).toEqual(['duplicate-sequence channel-read.no-duplicate-sequence']);
    const feed = storyOf(1, 2);
    feed.story.feed(feed.items.map((item) => mentionOf(item, 7)));
    expect(foundAndShown(feed.story)).toEqual(['duplicate-sequence mentions.no-duplicate-sequence']);
  });

  it('of a feed may list a message under a number for each of its targets, else once', () => {
    const story = new Story();
    const reader = 'agent:00000000-0000-4000-8000-0000000000a2';
    const one = itemOf(story.send({ targets: [reader] }), 1);
    const behind = [
      'user:00000000-0000-4000-8000-0000000000b1',
      'machine:00000000-0000-4000-8000-0000000000d1',
    ];
    const two = itemOf(story.send({ targets: behind }), 2);
    story.feed([mentionOf(two, 5), mentionOf(two, 6)]);
    expect(foundAndShown(story)).toEqual([]);
    story.feed([mentionOf(one, 3), mentionOf(one, 4)], { agent: 'reader' });
    expect(foundAndShown(story)).toContain('duplicate-in-page mentions.duplicate-message');
  });

  finds(
    'of a feed lists a message once under one number, whatever it names',
    ['duplicate-in-page mentions.duplicate-message'],
    (story) => {
      const targets = [
        'agent:00000000-0000-4000-8000-0000000000a2',
        'user:00000000-0000-4000-8000-0000000000b1',
      ];
      const one = itemOf(story.send({ targets }), 1);
      story.feed([mentionOf(one, 5), mentionOf(one, 5)]);
    },
  );

  finds.each([
    { agent: 'reader', names: ['duplicate-in-page mentions.duplicate-message'] },
    { agent: 'api-key', names: [] },
  ])(
    'of a feed lists a message once that names another agent beside its reader: $agent',
    (story, { agent }) => {
      const both = [
        'agent:00000000-0000-4000-8000-0000000000a2',
        'agent:00000000-0000-4000-8000-0000000000a3',
      ];
      const one = itemOf(story.send({ targets: both }), 1);
      story.feed([mentionOf(one, 5), mentionOf(one, 6)], { agent });
    },
  );

  finds('of a feed may list a message twice that names its target twice', [], (story) => {
    const send = story.send({ targets: ['agent:00000000-0000-4000-8000-0000000000a2'] });
    const one = itemOf(send, 1, { repeatsTarget: true });
    story.feed([mentionOf(one, 5)], { hasMore: true, limit: 1 });
    story.feed([mentionOf(one, 6)], { after: 5, limit: 1 });
    story.feed([mentionOf(one, 5), mentionOf(one, 6)]);
  });

  it('of a channel lists a message once', () => {
    const { story, items } = storyOf(1);
    story.read([...items, ...items.map((item) => ({ ...item, sequence: 2 }))]);
    expect(foundAndShown(story)).toContain('duplicate-in-page message.id.one-message');
  });

  it.each([
    { after: 4, names: [] },
    { after: 5, names: ['inclusive-cursor channel-read.after-exclusive'] },
    { after: 6, names: ['inclusive-cursor channel-read.after-exclusive'] },
  ])('after $after with an item at 5 shows $names', ({ after, names }) => {
    const { story, items } = storyOf(5);
    story.read(items, { after, nextAfter: 6 });
    expect(foundAndShown(story)).toEqual(names);
  });

  it.each([
    { limit: 2, names: ['over-limit channel-read.limit-respected'] },
    { limit: 3, names: [] },
    { limit: 4, names: [] },
    { limit: undefined, names: [] },
  ])('with limit $limit and three items shows $names', ({ limit, names }) => {
    const { story, items } = storyOf(1, 2, 3);
    story.read(items, { limit });
    story.read(items.slice(0, 1), { limit: 1, hasMore: true });
    expect(foundAndShown(story)).toEqual(names);
  });

  it('may have more than its limit where the server gives so many at least', () => {
    const { story, items } = storyOf(1, 2, 3, 4);
    story.read(items.slice(0, 3), { limit: 1, hasMore: true });
    story.read(items.slice(0, 3), { limit: 2, hasMore: true });
    story.read(items, { limit: 4 });
    story.read(items.slice(3), { limit: 1, after: 3 });
    expect(foundAndShown(story)).toEqual([]);
  });

  finds(
    'may have more than its limit where what comes after a smaller one is too long for it',
    [],
    (story) => {
      const items = story.items([1, 2, 3]);
      const content = { digest: 'long', bytes: 500_000, marker: 'run-9.' };
      const long = itemOf(story.send({ content }), 4);
      story.read(items, { hasMore: true, limit: 2 });
      story.read([long], { after: 3 });
      story.read(items.slice(1), { after: 1, limit: 1, hasMore: true });
    },
  );

  it.each([
    ['falls', (count: number) => Array.from({ length: count }, (_, at) => count - at)],
    ['has one sequence throughout', (count: number) => Array.from({ length: count }, () => 7)],
    ['ends before its cursor', (count: number) => Array.from({ length: count }, (_, at) => at + 1)],
  ] as const)('is looked at as often however many items are at fault where it %s', (_, sequencesOf) => {
    const looksFor = (count: number): number => {
      let looks = 0;
      const { story, items } = storyOf(...sequencesOf(count));
      const [first, ...others] = items;
      const looked = { ...first } as Item;
      Object.defineProperty(looked, 'sequence', { get: () => (looks += 1) && first?.sequence });
      const read = story.read([looked, ...others], { after: 100, nextAfter: 100 });
      pages.judge(worldOf({ facts: story.history.facts, operations: [read] }));
      return looks;
    };
    expect(looksFor(40)).toBe(looksFor(10));
  });

  it.each([
    { count: 50, limit: undefined, names: [] },
    { count: 51, limit: undefined, names: ['over-limit mentions.limit.default'] },
    { count: 51, limit: 50, names: ['over-limit mentions.limit.respected'] },
    { count: 51, limit: 51, names: [] },
  ])('of a feed with $count items and limit $limit shows $names', ({ count, limit, names }) => {
    const { story, items } = storyOf(...Array.from({ length: count }, (_, index) => index + 1));
    story.feed(items, { limit });
    expect(foundAndShown(story)).toEqual(names);
  });
});
