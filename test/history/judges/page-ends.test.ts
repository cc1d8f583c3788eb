import { describe, expect, it } from 'vitest';
import type { Item } from '../../../history/seen-message.ts';
import { finds } from '../finds.ts';
import {
  allFound,
  foundAndShown,
  ids,
  itemOf,
  judged,
  mentionOf,
  settleMs,
  Story,
  toReader,
} from '../fixtures.ts';

describe('a page that denies more', () => {
  /** A page that ends at 1, while the message at 2 was read `beforeMs` earlier, and by the reader of the page `afterMs` later. */
  function denied(beforeMs: number, afterMs: number, agent = 'reader'): Story {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one, two], { startedMs: 990 - beforeMs, endedMs: 1000 - beforeMs, agent });
    story.read([one], { startedMs: 1000, endedMs: 1010 });
    story.read([one, two], { startedMs: 1010 + afterMs, endedMs: 1020 + afterMs });
    return story;
  }

  const isFalse = 'has-more-false page.has-more-while-items-remain';
  const isStale = 'stale-read channel-read.recency';
  it.each([
    { beforeMs: settleMs + 1, afterMs: settleMs + 1, names: [isFalse] },
    { beforeMs: settleMs, afterMs: settleMs + 1, names: [isStale] },
    { beforeMs: settleMs + 1, afterMs: settleMs, names: [] },
    { beforeMs: 1, afterMs: settleMs + 1, names: [isStale] },
    { beforeMs: 0, afterMs: settleMs + 1, names: [] },
    { beforeMs: 1, afterMs: settleMs, names: [] },
  ])('known $beforeMs ms before and seen $afterMs ms after: $names', ({ beforeMs, afterMs, names }) => {
    const found = foundAndShown(denied(beforeMs, afterMs));
    expect(found.filter((name) => !name.startsWith('monotonic-reads'))).toEqual(names);
  });

  finds('does so for what others had read, if its reader is shown it at some time', [isFalse], () =>
    denied(settleMs + 1, settleMs + 1, 'peer'),
  );

  it('may do so in a channel without a cursor, of which nothing is said', () => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one, two]);
    story.wait().read([one], { after: undefined });
    story.wait().read([one, two]);
    expect(foundAndShown(story)).toEqual([]);
  });

  it.each([
    { targets: [`agent:${ids.reader}`, `user:${ids.human}`], names: [] },
    { ...toReader, names: ['monotonic-reads mentions.recency'] },
  ])('may do so in a feed once it lists what stands twice, as what names $targets: $names', (each) => {
    const story = new Story();
    const [one, two] = story.items([1, 2], { targets: each.targets });
    const shown = [mentionOf(one, 7), mentionOf(two, 10)];
    const again = () => story.wait().feed([mentionOf(two, 11)], { after: 10 });
    again();
    story.wait().feed(shown);
    again();
    expect(foundAndShown(story).filter((name) => !name.startsWith('moved'))).toEqual(each.names);
  });

  it('may do so when nothing lies beyond its cursor, and one that announces more counts', () => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one, two]);
    story.wait();
    story.read([one], { hasMore: true });
    story.read([], { after: 2, nextAfter: 2 });
    story.wait();
    story.read([one, two]);
    expect(foundAndShown(story)).toEqual([]);
    expect(judged(story).opportunities.get('page.has-more-while-items-remain')).toBe(1);
  });
});

it.each([
  { after: 0, clause: 'page.has-more-while-items-remain' },
  { after: undefined, clause: 'mentions.shortened-first-page-continues' },
])(
  'a listing that denies more where a byte cap may have cut it after $after breaks $clause',
  ({ after, clause }) => {
    const story = new Story();
    const content = { digest: 'long', bytes: 500_000, marker: 'run-1.' };
    const [long] = story.items([1], { ...toReader, content });
    const two = [long, ...story.items([2], toReader)];
    story.feed(two);
    story.wait();
    story.feed([long], { after });
    story.wait();
    story.feed(two);
    expect(foundAndShown(story)).toEqual([`has-more-false ${clause}`]);
  },
);

describe('a listing without a cursor', () => {
  /** So many mentions, of which the listing shows these, with a limit of three. */
  function newest(shown: (all: readonly Item[]) => readonly Item[], fields = {}): Story {
    const story = new Story();
    const all = story.items([1, 2, 3, 4, 5, 6], toReader);
    story.feed(all);
    story.wait();
    story.feed(shown(all), { after: undefined, limit: 3, hasMore: true, ...fields });
    story.wait();
    story.feed(all);
    return story;
  }
  const name = 'newest-page-not-newest mentions.newest-page';

  finds.each([
    { from: 3, to: 6, names: [] },
    { from: 2, to: 5, names: [name] },
    { from: 3, to: 5, names: [] },
    { from: 4, to: 6, names: [] },
    { from: 0, to: 3, names: [name] },
  ])('that shows $from to $to of 6 shows $names', (_, { from, to }) => newest((all) => all.slice(from, to)));

  it('shows something, or announces more', () => {
    expect(foundAndShown(newest(() => [], { nextAfter: 0 }))).toEqual([]);
    const empty = newest(() => [], { nextAfter: 9, hasMore: false });
    expect(foundAndShown(empty)).toEqual([name]);
  });

  finds('may lack what had not settled', [], (story) => {
    const all = story.items([1, 2, 3, 4], toReader);
    story.feed(all);
    story.feed(all.slice(0, 3), { after: undefined, limit: 3, hasMore: true });
    story.wait();
    story.feed(all);
  });
});

it.each([
  { kind: {}, isAlone: false, names: [] },
  { kind: { after: undefined }, isAlone: false, names: [] },
  { kind: {}, isAlone: true, names: ['has-more-false page.has-more-while-items-remain'] },
])(
  'a page without anything may be all there was while everything was gone for long: $kind, alone: $isAlone',
  ({ kind, isAlone, names }) => {
    const story = new Story();
    const all = story.items([1, 2], toReader);
    story.feed(all);
    story.wait();
    story.feed([], kind);
    story.wait();
    if (isAlone) story.feed(all);
    story.wait();
    story.feed([]);
    story.wait();
    story.feed(all);
    expect(foundAndShown(story).filter((each) => !each.startsWith('monotonic-reads'))).toEqual(names);
  },
);

finds(
  'a page that denies more is held against what comes after any number of messages that had not settled',
  ['has-more-false page.has-more-while-items-remain'],
  (story) => {
    const all = Array.from({ length: 301 }, (_, at) =>
      itemOf(story.send({ startedMs: 0, endedMs: 1 }), at + 1),
    );
    story.read(all, { agent: 'author', startedMs: 10, endedMs: 20 });
    story.read(all.slice(0, 100), { startedMs: 1000, endedMs: 1010 });
    story.read(all.slice(100, 300), { after: 100, hasMore: true, startedMs: 1020, endedMs: 1030 });
    story.read(all.slice(300), { after: 300, startedMs: 2000, endedMs: 2010 });
  },
);

describe('a page without anything after a cursor', () => {
  finds.each([
    { times: 1, names: ['has-more-false page.has-more-while-items-remain'] },
    { times: 3, names: ['resurrection channel-read.nothing-returns'] },
  ])('where a message was gone $times times and came back: $names', (story, { times }) => {
    const six = itemOf(story.send(), 6);
    story.read([six], { after: 5, agent: 'peer' });
    for (let time = 0; time < times; time += 1) story.wait().read([], { after: 5 });
    story.wait().read([six], { after: 5 });
  });
});

describe('a wait that ends empty', () => {
  /** One of 5 s from 1000 on, while a message is read elsewhere at some time, and its reader's mentions once it has settled. */
  function waited(
    knownMs: number,
    { endedMs = 6000, besideMs = knownMs + settleMs + 1, tookMs = 10, fields = {} } = {},
  ): Story {
    const story = new Story();
    const one = itemOf(story.send(), 1);
    story.read([one], { startedMs: knownMs - 10, endedMs: knownMs });
    story.feed([], { startedMs: besideMs, endedMs: besideMs + tookMs });
    story.read([], { wait: 5, startedMs: 1000, endedMs, nextAfter: 0, agent: 'peer', ...fields });
    story.read([one], { startedMs: endedMs + 1, endedMs: endedMs + 10, agent: 'peer' });
    return story;
  }
  const name = 'missed-wakeup channel-read.wait-wakes';

  finds.each([
    { knownMs: 1000, names: [name] },
    { knownMs: 3000, names: [name] },
    { knownMs: 6000 - settleMs, names: [] },
  ])('while a message comes at $knownMs shows $names', (_, { knownMs }) => waited(knownMs));

  it('was given when it was over, however long its answer was on the way', () => {
    expect(allFound(waited(6000 - settleMs, { endedMs: 9000 }))).not.toContain(name);
    expect(allFound(waited(5999 - settleMs, { endedMs: 9000 }))).toContain(name);
  });

  it.each([
    { what: 'none was sent in between', beside: { besideMs: 7000 } },
    { what: 'none was sent once the message had settled', beside: { besideMs: 2000 + settleMs } },
    { what: 'they were held up as well', beside: { tookMs: 2500 } },
    { what: 'its answer came soon after theirs', beside: { besideMs: 4990 } },
  ])('may have been cut short and held up on its way, as other reads are, where $what', ({ beside }) => {
    expect(allFound(waited(2000, beside))).not.toContain(name);
  });

  it('says nothing of what was there before, or without a wait', () => {
    expect(allFound(waited(999))).not.toContain(name);
    expect(allFound(waited(1000, { fields: { wait: undefined } }))).not.toContain(name);
  });

  it('says nothing where what came is no page, unless it is no body at all', () => {
    const fields = { nextAfter: undefined };
    expect(allFound(waited(1000, { fields }))).not.toContain(name);
    expect(allFound(waited(1000, { fields: { ...fields, status: 204 } }))).toContain(name);
  });
});
