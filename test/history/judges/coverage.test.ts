import { describe, expect, it } from 'vitest';
import type { Read } from '../../../history/operation.ts';
import { finds } from '../finds.ts';
import {
  allFound,
  authorWith,
  foundAndShown,
  ids,
  itemOf,
  judged,
  mentionOf,
  settleMs,
  Story,
  toReader,
} from '../fixtures.ts';

describe('what a feed shows', () => {
  it.each([
    { isPartial: false, target: `user:${ids.human}`, agentId: ids.reader, isTested: true },
    { isPartial: true, target: `agent:${ids.reader}`, agentId: ids.reader, isTested: true },
    { isPartial: true, target: `user:${ids.human}`, agentId: ids.reader, isTested: false },
    { isPartial: true, target: `agent:${ids.reader}`, agentId: undefined, isTested: false },
  ])(
    'puts a walk to the test only where it could be missed there: $isPartial, $target, $agentId',
    ({ isPartial, target, agentId, isTested }) => {
      const story = new Story({ isPartial });
      const all = [1, 2].map((at) => mentionOf(itemOf(story.send({ targets: [target] }), at), at + 70));
      for (const after of [undefined, 0]) story.feed(all, { after, agentId });
      story.feed(all.slice(0, 1), { hasMore: true, agentId });
      const { opportunities } = judged(story);
      for (const clause of [
        'mentions.walk-is-complete',
        'mentions.after.zero-is-oldest',
        'mentions.cursor-never-skips',
        'page.has-more-while-items-remain',
      ] as const)
        expect([clause, (opportunities.get(clause) ?? 0) > 0]).toEqual([clause, isTested]);
    },
  );
});

describe('a message that was known before', () => {
  /** A page after 1 that lacks the message at 2, which was read before and `laterMs` after it. */
  function skip(laterMs: number): Story {
    const story = new Story();
    const [one, two, three] = story.items([1, 2, 3]);
    story.read([one, two, three]);
    const page = story.read([three], { after: 1 });
    story.read([two, three], { after: 1, startedMs: page.endedMs + laterMs });
    return story;
  }

  finds.each([
    { laterMs: settleMs, names: [] },
    { laterMs: settleMs + 1, names: ['poll-skip channel-read.walk-is-complete'] },
  ])('is missing and comes $laterMs ms later: $names', (_, { laterMs }) => skip(laterMs));

  it.each([
    { isPartial: true, isOfOne: false, times: 1, apartMs: 4_900, isMissing: true },
    { isPartial: true, isOfOne: false, times: 1, apartMs: 5_000, isMissing: false },
    { isPartial: true, isOfOne: false, times: 2, apartMs: 10_000, isMissing: false },
    { isPartial: true, isOfOne: true, times: 1, apartMs: 10_000, isMissing: true },
    { isPartial: true, isOfOne: true, times: 2, apartMs: 10_000, isMissing: true },
    { isPartial: false, isOfOne: false, times: 2, apartMs: 10_000, isMissing: true },
  ])(
    'may be hidden where others may have sent its author away: $isPartial, and nothing else of it is there, not: $isOfOne, on $times pages $apartMs apart',
    ({ isPartial, isOfOne, times, apartMs, isMissing }) => {
      const story = new Story({ isPartial });
      const [one, two, three] = (['author', 'peer', 'api-key'] as const).map((agent, at) =>
        itemOf(
          story.send({ ...toReader, agent: isOfOne ? 'author' : agent }),
          at + 1,
          authorWith({ id: isOfOne ? ids.author : [ids.author, ids.peer, ids.other][at] }),
        ),
      );
      const items = [one, two, three].filter((each) => each !== undefined);
      const shown = items.map((item, index) => mentionOf(item, 71 + index));
      const read = (places: readonly number[]) => {
        story.wait(apartMs).read(items.filter((_, index) => places.includes(index)));
        story.feed(shown.filter((_, index) => places.includes(index)));
      };
      read([0, 1, 2]);
      for (let time = 0; time < times; time += 1) read([0, 2]);
      read([0, 1, 2]);
      for (let time = 0; time < times; time += 1) read([0, 1]);
      read([0, 1, 2]);
      const names = new Set(allFound(story).map((each) => each.replace(/ .*/, '')));
      names.delete('unexpected');
      names.delete('wrong-author');
      expect([...names]).toEqual(isMissing ? ['has-more-false', 'monotonic-reads', 'poll-skip'] : []);
    },
  );

  it.each([
    { at: 'before all', names: ['poll-skip channel-read.walk-is-complete'] },
    { at: 'before the page', names: [] },
    { at: 'after the page', names: [] },
    { at: 'after all', names: ['poll-skip channel-read.walk-is-complete'] },
  ] as const)(
    'may be hidden by an access that was ended $at, between the sights next to it: $names',
    ({ at, names }) => {
      const story = new Story();
      const items = story.items([1, 2, 3]);
      const end = (when: typeof at): unknown =>
        at === when && story.change('deactivate', { subject: ids.author, detail: 'access inactive' });
      story.read(items);
      end('before all');
      story.wait().read(items);
      end('before the page');
      story.wait().read(items.slice(2), { after: 1 });
      end('after the page');
      story.wait().read(items);
      story.wait();
      end('after all');
      story.wait().read(items);
      expect(foundAndShown(story).filter((each) => each.startsWith('poll-skip'))).toEqual(names);
    },
  );

  finds('may be gone for good, and a page may end before it', [], (story) => {
    const [one, two] = story.items([1, 2]);
    story.read([one, two]);
    story.read([two], { after: 0 });
    story.wait();
    story.read([two], { after: 0 });
    story.read([], { after: 0, nextAfter: 1, hasMore: true });
    story.wait();
    story.read([two], { after: 1 });
  });

  finds('may be missing where a channel is read without a cursor', [], (story) => {
    const [one, two, three] = story.items([1, 2, 3]);
    story.read([one, two, three]);
    story.read([one, three], { after: undefined });
    story.wait();
    story.read([one, two, three]);
  });

  finds('may have two places in a feed, one of which a page leaves out', [], (story) => {
    const send = story.send({ targets: [`agent:${ids.reader}`, `user:${ids.human}`] });
    const [first, second] = [mentionOf(itemOf(send, 1), 5), mentionOf(itemOf(send, 1), 6)];
    story.feed([first], { after: 4, nextAfter: 5, hasMore: true });
    story.feed([second], { after: 5 });
    story.feed([first], { after: 4, nextAfter: 6 });
    story.wait();
    story.feed([second], { after: 5 });
  });

  finds(
    'and lies below the next cursor of an empty page is passed over',
    ['poll-skip channel-read.walk-is-complete'],
    (story) => {
      const two = itemOf(story.send(), 2);
      story.read([two]);
      story.read([], { after: 1, nextAfter: 2, hasMore: true });
      story.wait();
      story.read([two]);
    },
  );

  finds('and is the oldest stands on a page from 0', ['poll-skip channel-read.after-zero'], (story) => {
    const [one, two] = story.items([1, 2]);
    story.read([one, two]);
    story.read([two]);
    story.wait();
    story.read([one, two]);
  });

  finds(
    'and was gone for all readers for long comes back',
    ['resurrection channel-read.nothing-returns'],
    (story) => {
      const [one, two] = story.items([1, 2]);
      story.read([one, two]);
      story.read([two]);
      story.wait();
      story.read([two]);
      story.wait();
      story.read([one, two]);
    },
  );

  finds.each([
    {
      what: 'after a cursor that it lay beyond',
      first: undefined,
      names: ['resurrection channel-read.nothing-returns'],
    },
    { what: 'while something older is shown', first: 0, names: ['poll-skip channel-read.walk-is-complete'] },
  ])('and was gone for long, $what, comes back: $names', (story, { first }) => {
    const all = story.items([6, 8, 9]);
    const lack = (): unknown => story.read(all.slice(2), { after: 7 });
    story.read(all, { after: 5 });
    lack();
    story.wait();
    if (first !== undefined) story.read(all.slice(first, 1), { after: 5, hasMore: true });
    lack();
    story.wait();
    story.read(all, { after: 5 });
  });

  finds('and was gone for long may come back in a feed', [], (story) => {
    const [one, two] = story.items([71, 72], toReader);
    story.feed([one, two]);
    story.feed([two]);
    story.wait();
    story.feed([two]);
    story.wait();
    story.feed([one, two]);
  });

  it('and came back again and again before is passed over where it was not gone for long', () => {
    const story = new Story();
    const all = story.items([1, 2, 3, 4, 5, 6, 7, 8], toReader);
    for (let time = 0; time < 70; time += 1) {
      story.feed(all);
      story.feed([], { nextAfter: 8 });
      story.wait();
      story.feed([], { nextAfter: 8 });
      story.wait();
    }
    story.feed(all);
    expect(allFound(story)).toEqual([]);
    story.feed(all.slice(1));
    story.wait();
    story.feed(all);
    expect(allFound(story)).toEqual(['poll-skip mentions.after.zero-is-oldest']);
  });

  finds.each([
    { subject: ids.reader, names: [] },
    { subject: ids.author, names: [] },
    { subject: ids.peer, names: ['poll-skip channel-read.after-zero'] },
  ])(
    'need not come back with the access of its reader, nor stay without that of its author, if that was $subject: $names',
    (story, { subject }) => {
      story.feed([]);
      const one = itemOf(story.send(), 1);
      story.read([one]);
      for (const detail of ['access inactive', 'access active'])
        story.change('deactivate', { subject, detail });
      story.read([], { nextAfter: 1 });
      story.wait();
      story.read([one], { agent: 'author' });
    },
  );

  it('and lies below an item that a page should not hold is passed over', () => {
    const story = new Story();
    const [five, six, seven] = story.items([5, 6, 7]);
    story.read([five, six, seven]);
    story.read([five, seven], { after: 5 });
    story.wait();
    story.read([five, six, seven]);
    expect(allFound(story)).toContain('poll-skip channel-read.walk-is-complete');
  });

  it('and is missing in a read that waited, makes that differ from a later one', () => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one, two]);
    story.read([two], { after: 0, wait: 25, nextAfter: 2 });
    story.read([two], { after: 1, wait: 25, nextAfter: 2 });
    expect(allFound(story)).toEqual([]);
    story.read([], { after: 1, wait: 25, nextAfter: 2 });
    story.wait();
    story.read([one, two]);
    expect(allFound(story)).toContain('long-poll-disagrees channel-read.walk-is-complete');
  });
});

describe('a message that comes to light', () => {
  /** A page up to 3 that lacks the message at 2, which is first read by a read that ends then. */
  function late(firstMs: number, lastMs: number): Story {
    const story = new Story();
    const [two, three] = story.items([2, 3], { startedMs: 0, endedMs: 5 });
    story.read([three], { after: 1, startedMs: 100, endedMs: 110 });
    story.read([two, three], { after: 1, startedMs: firstMs - 10, endedMs: firstMs });
    story.read([two, three], { after: 1, startedMs: lastMs, endedMs: lastMs + 10 });
    return story;
  }

  finds.each([
    { firstMs: 99, lastMs: 300, names: ['poll-skip channel-read.walk-is-complete'] },
    { firstMs: 100, lastMs: 300, names: ['late-commit channel-read.cursor-never-skips'] },
    { firstMs: 200, lastMs: 110 + settleMs, names: [] },
    { firstMs: 200, lastMs: 111 + settleMs, names: ['late-commit channel-read.cursor-never-skips'] },
  ])('at $firstMs and is seen at $lastMs: $names', (_, { firstMs, lastMs }) => late(firstMs, lastMs));

  it('is blamed on its send, with the page and a read of it', () => {
    const [anomaly] = judged(late(200, 300)).anomalies;
    expect(anomaly?.witness.map(({ kind, startedMs }) => `${kind} ${startedMs}`)).toEqual([
      'send 0',
      'read 100',
      'read 300',
    ]);
  });

  it('may lie beyond the end of the page', () => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one]);
    story.wait();
    story.read([one, two]);
    expect(foundAndShown(story)).toEqual([]);
    expect(judged(story).opportunities.get('channel-read.cursor-never-skips')).toBe(1);
  });
});

describe('a feed', () => {
  finds('passes over no mention', ['poll-skip mentions.walk-is-complete'], (story) => {
    const [one, two] = story.items([71, 72], toReader);
    story.feed([one, two]);
    story.feed([two], { after: 70 });
    story.wait();
    story.feed([one, two]);
  });

  it('without a cursor has no hole, and may begin anywhere', () => {
    const story = new Story();
    const [one, two, three] = story.items([71, 72, 73], toReader);
    story.feed([one, two, three]);
    story.feed([two, three], { after: undefined });
    story.wait();
    story.feed([one, two, three]);
    expect(foundAndShown(story)).toEqual([]);
    story.feed([one, three], { after: undefined });
    story.wait();
    story.feed([one, two, three]);
    expect(foundAndShown(story)).toEqual(['newest-page-hole mentions.newest-page']);
  });

  finds.each([
    { detail: undefined, names: [] },
    { detail: 'membership inactive', names: [] },
    { detail: 'machine active', names: [] },
    { detail: 'access active', names: [] },
    {
      detail: 'access active',
      subject: ids.peer,
      names: ['poll-skip mentions.walk-is-complete'],
    },
  ])('with what names a human may lack it over a change of $detail of $subject: $names', (story, each) => {
    const { detail, subject = ids.reader } = each;
    const one = mentionOf(itemOf(story.send({ targets: [`user:${ids.human}`] }), 1), 71);
    const two = mentionOf(itemOf(story.send(toReader), 2), 72);
    story.feed([one, two]);
    story.change('deactivate', { subject, detail });
    story.feed([two], { after: 70 });
    story.wait();
    story.feed([one, two]);
  });
});

describe('a listing of mentions', () => {
  const skipped = ['poll-skip mentions.after.zero-is-oldest'];

  finds.each([
    { agent: 'api-key', as: ids.peer, names: [] },
    { agent: 'api-key', as: undefined, names: [] },
    { agent: 'api-key', as: ids.reader, names: skipped },
    { agent: 'reader', as: undefined, names: skipped },
  ])('by $agent that acts as $as lacks what is for the reader: $names', (story, { agent, as }) => {
    const one = mentionOf(itemOf(story.send(toReader), 1), 71);
    const own = { agent, agentId: ids.reader };
    story.feed([one], own);
    story.feed([], { agent, agentId: as, nextAfter: 71 });
    story.wait();
    story.feed([one], own);
  });

  finds.each([
    { machine: null, names: [] },
    { machine: { id: ids.machine, displayName: 'a machine' }, names: skipped },
  ])(
    'may lack what names a machine that was $machine in a message of its reader: $names',
    (story, { machine }) => {
      const one = itemOf(story.send({ targets: [`machine:${ids.machine}`] }), 1);
      const by = story.send({ agent: 'reader' });
      story.read([one, itemOf(by, 2, authorWith({ id: ids.reader, machine }))]);
      story.feed([mentionOf(one, 71)]);
      story.feed([], { nextAfter: 71 });
      story.wait();
      story.feed([mentionOf(one, 71)]);
    },
  );
});

describe('a page that a byte cap may have cut', () => {
  const enough = 65_536;

  /** A listing of the reader from `after` on that shows the first of three and jumps to the last; contents of so many bytes. */
  function cut(bytes: number, fields: Partial<Read> = {}): Story {
    const story = new Story();
    const all = [1, 2, 3].map((sequence) => {
      const content = { digest: `text ${sequence}`, bytes, marker: `run-${sequence}.` };
      return mentionOf(itemOf(story.send({ ...toReader, content }), sequence), sequence);
    });
    story.feed(all);
    story.feed(all.slice(0, 1), { after: 0, nextAfter: 3, hasMore: true, ...fields });
    story.wait();
    story.feed(all);
    return story;
  }

  it.each([
    { bytes: enough / 2, fields: {}, name: 'limits.byte-cap-loses-nothing' },
    { bytes: enough / 2 - 1, fields: {}, name: 'mentions.walk-is-complete' },
    { bytes: enough / 2, fields: { limit: 2 }, name: 'limits.byte-cap-loses-nothing' },
    { bytes: enough / 2, fields: { limit: 1 }, name: 'mentions.walk-is-complete' },
    { bytes: enough, fields: { after: undefined }, name: 'mentions.shortened-first-page-continues' },
    { bytes: 1, fields: { after: undefined }, name: 'mentions.newest-page' },
  ])('with contents of $bytes bytes and $fields breaks $name', ({ bytes, fields, name }) => {
    const names = foundAndShown(cut(bytes, fields)).map((found) => found.split(' ')[1]);
    expect(names).toContain(name);
    expect(names.filter((each) => each !== name && each !== 'mentions.walk-is-complete')).toEqual([]);
  });

  it.each([
    { fields: {}, clause: 'limits.byte-cap-loses-nothing' },
    { fields: { after: undefined }, clause: 'mentions.shortened-first-page-continues' },
  ] as const)('and goes on where it ended counts: $clause', ({ fields, clause }) => {
    const whole = judged(cut(enough, { nextAfter: 1, ...fields }));
    expect(whole.anomalies).toEqual([]);
    expect(whole.opportunities.get(clause)).toBe(1);
    expect(judged(cut(1, { nextAfter: 1, ...fields })).opportunities.get(clause)).toBeUndefined();
  });
});
