import { describe, expect, it } from 'vitest';
import type { Report } from '../../../history/operation.ts';
import type { Item } from '../../../history/seen-message.ts';
import { finds } from '../finds.ts';
import {
  allFound,
  found,
  foundAndShown,
  ids,
  itemOf,
  judged,
  mentionOf,
  retrievedBy,
  settleMs,
  Story,
  toReader,
} from '../fixtures.ts';

const onListing = 'receipt-on-read mentions.records-no-retrieval';
const onRead = 'receipt-on-read receipts.client-reported';

interface Listed {
  /** Whom an older message names that the reader has not listed. */
  readonly targets?: readonly string[];
  /** Who is said to have retrieved that one. */
  readonly before?: readonly string[];
  /** What the reader lists from. */
  readonly after?: number;
  /** How long after the first look comes the second. */
  readonly waitMs?: number;
  /** What happens after the listing. */
  readonly beside?: (story: Story, one: Item) => unknown;
  /** Whether others may have asked in ways that nobody knows. */
  readonly isPartial?: boolean;
}

/** The reader lists a mention, and then it is said to have retrieved it. */
function listedAlone({
  targets,
  before = [],
  after = 7,
  waitMs,
  beside,
  isPartial = false,
}: Listed = {}): Story {
  const story = new Story({ isPartial });
  const older = itemOf(story.send({ targets: targets ?? toReader.targets }), 1);
  const one = itemOf(story.send(toReader), 2);
  story.wait().read([retrievedBy(older, []), retrievedBy(one, [])], { agent: 'author' });
  story.feed([mentionOf(older, 7), mentionOf(one, 8)].slice(after === 7 ? 1 : 0), { after });
  beside?.(story, one);
  const shown = [retrievedBy(older, before), retrievedBy(one, [ids.reader])];
  story.read(shown, { agent: 'author' });
  story.wait(waitMs).read(shown, { agent: 'author' });
  return story;
}

describe('the retrievals of a message', () => {
  finds('do not name its author', ['receipt-author receipts.agent-ids.no-author'], (story) => {
    const one = itemOf(story.send(), 1);
    story.read([retrievedBy(one, [ids.author])]);
  });

  it('name nobody who only listed mentions, or only read', () => {
    expect(foundAndShown(listedAlone())).toEqual([onListing]);
    const read = new Story();
    const two = itemOf(read.send(), 1);
    read.feed([]);
    read.wait().read([retrievedBy(two, [])], { agent: 'author' });
    read.read([two]);
    read.read([retrievedBy(two, [ids.reader])], { agent: 'author' });
    expect(foundAndShown(read)).toEqual(['receipt-on-read receipts.client-reported']);
  });

  it('are not those of a listing where nothing shows that nobody reports what mentions the reader', () => {
    expect(foundAndShown(listedAlone({ targets: [`agent:${ids.peer}`] }))).toEqual([onRead]);
    expect(foundAndShown(listedAlone({ after: 0 }))).toEqual([onRead]);
    expect(foundAndShown(listedAlone({ waitMs: settleMs / 2 }))).toEqual([onRead]);
  });

  it.each([
    { agent: 'reader', outcome: 'indeterminate', isBaseline: true, clause: onRead },
    { agent: 'reader', outcome: 'refused', isBaseline: true, clause: onRead },
    { agent: 'api-key', outcome: 'indeterminate', isBaseline: true, clause: onRead },
    { agent: 'peer', outcome: 'indeterminate', isBaseline: true, clause: onListing },
    { agent: 'reader', outcome: 'accepted', isBaseline: false, clause: onListing },
  ] as const)(
    'may be of a read of the channel by $agent that was $outcome: $clause',
    ({ clause, ...fields }) => {
      expect(foundAndShown(listedAlone({ beside: (story) => story.read([], fields) }))).toEqual([clause]);
    },
  );

  finds('may be of a report in a way that nobody knows, in traffic of others', [], () =>
    listedAlone({ isPartial: true }),
  );

  it('may be of a read of the channel that a loss cut short', () => {
    const story = listedAlone();
    story.read([], { startedMs: 60, endedMs: 9_000 });
    story.change('lost', { startedMs: 8_000, endedMs: 9_100 });
    expect(found(story)).toEqual([onRead]);
  });

  it('may be of a program beside where the agent reports anything, or what nobody knows, but of no report that came later', () => {
    const reporting = (messages: readonly string[], fields: Partial<Report> = {}) =>
      foundAndShown(listedAlone({ beside: (story) => story.report(messages, fields) }));
    expect(reporting(['another'])).toEqual([]);
    expect(reporting([])).toEqual([]);
    // The first look after the listing, which ends at 300.
    for (const [startedMs, names] of [
      [300, []],
      [301, [onListing]],
    ] as const) {
      const story = listedAlone();
      story.report([], { startedMs, endedMs: 310 });
      expect(foundAndShown(story)).toEqual(names);
    }
  });

  it('may be of a report that goes to another channel: whether a server looks at that is open', () => {
    const reporting = (idOf: (one: Item) => string | undefined) =>
      listedAlone({ beside: (story, one) => story.report([idOf(one)], { channel: ids.other }) });
    expect(foundAndShown(reporting(({ id }) => id))).toEqual([]);
    expect(foundAndShown(reporting(() => ids.file))).toEqual([onListing]);
  });

  it('are looked for among all operations once, however many messages were retrieved', () => {
    const looksFor = (count: number): number => {
      let looks = 0;
      const story = new Story();
      const all = Array.from({ length: count }, (_, at) => itemOf(story.send(toReader), at + 1));
      const shown = (agents: readonly string[]): void => {
        story.read(
          all.map((one) => retrievedBy(one, agents)),
          { agent: 'author' },
        );
      };
      story.wait();
      shown([]);
      story.feed(all.map((one, at) => mentionOf(one, at + 1)));
      Object.defineProperty(story.change('restart'), 'kind', { get: () => (looks += 1) && 'change' });
      shown([ids.reader]);
      expect(allFound(story)).toHaveLength(count);
      return looks;
    };
    expect(looksFor(40)).toBe(looksFor(4));
  });

  it('are looked for on a page as often, however many messages were retrieved', () => {
    const looksFor = (count: number): number => {
      let looks = 0;
      const story = new Story();
      const all = Array.from({ length: count }, (_, at) => itemOf(story.send(), at + 1));
      const shown = (agents: readonly string[], agent: string): unknown =>
        story.read(
          all.map((one) => retrievedBy(one, agents)),
          { agent },
        );
      story.feed([]);
      const page = story.read([], { agent: 'reader' });
      Object.defineProperty(page, 'items', { enumerable: true, get: () => (looks += 1) && [] });
      story.wait();
      shown([], 'reader');
      shown([ids.reader], 'author');
      expect(allFound(story).filter((name) => name === onRead)).toHaveLength(count);
      return looks;
    };
    expect(looksFor(40)).toBe(looksFor(10));
  });

  it('are looked for in a report as often, however many messages show them', () => {
    const looksFor = (count: number): number => {
      let looks = 0;
      const story = new Story();
      const all = Array.from({ length: count }, (_, at) => itemOf(story.send(), at + 1));
      story.feed([]);
      const report = story.report(all.map(({ message }) => message.id));
      const look = { enumerable: true, get: () => (looks += 1) && 'reader' };
      Object.defineProperty(report, 'agent', look);
      for (const one of all) story.wait().read([retrievedBy(one, [ids.reader, ids.peer])]);
      expect(allFound(story)).toEqual([]);
      return looks;
    };
    expect(looksFor(40)).toBe(looksFor(10));
  });

  finds(
    'may be of a program beside that reports whatever comes: none was shown without the agent once it was there long enough',
    [],
    (story) => {
      const one = itemOf(story.send(), 1);
      story.feed([]);
      story.read([retrievedBy(one, [])], { agent: 'author' });
      story.read([retrievedBy(one, [ids.reader])]);
      story.wait().read([retrievedBy(one, [ids.reader])], { agent: 'author' });
    },
  );

  finds.each([
    { lookMs: settleMs, names: [onRead] },
    { lookMs: settleMs + 1, names: [] },
  ])(
    'may be of something else than a read where a reader is not listed $lookMs ms after one',
    (story, { lookMs }) => {
      const one = itemOf(story.send(), 1);
      const unlisted = [retrievedBy(one, [])];
      story.feed([]);
      story.wait().read([...unlisted], { agent: 'author' });
      unlisted.push(retrievedBy(itemOf(story.send(), 2), []));
      const { endedMs } = story.read([...unlisted]);
      story.read([...unlisted], { agent: 'author', startedMs: endedMs + lookMs });
      const listed = unlisted.map((item) => retrievedBy(item, [ids.reader]));
      story.read(listed, { agent: 'author' });
    },
  );

  it.each(['accepted', 'refused', 'indeterminate'] as const)(
    'may name who made a report that was %s',
    (outcome) => {
      const story = new Story();
      const one = itemOf(story.send(toReader), 1);
      story.feed([mentionOf(one, 7)]);
      story.report([one.message.id], { outcome });
      story.read([retrievedBy(one, [ids.reader])], { agent: 'author' });
      expect(foundAndShown(story)).toEqual([]);
    },
  );

  it('may name whom nobody knows, and anybody on a message of others', () => {
    const unknown = new Story();
    const two = itemOf(unknown.send(), 1);
    unknown.read([two], { agent: 'peer' });
    unknown.read([retrievedBy(two, [ids.peer])]);
    expect(foundAndShown(unknown)).toEqual([]);
    const foreign = new Story();
    const content = { digest: 'foreign', bytes: 9, marker: undefined };
    const three = itemOf(foreign.send(toReader), 1, { content, sizeBytes: 9 });
    foreign.feed([mentionOf(three, 7)]);
    foreign.read([retrievedBy(three, [ids.reader])]);
    expect(foundAndShown(foreign)).toEqual([]);
  });

  it('may name an agent in whose name somebody else reports: it is listed for what it never read', () => {
    const story = new Story();
    const [one, other] = [itemOf(story.send(toReader), 1), itemOf(story.send(), 2)];
    story.wait().read([retrievedBy(one, []), retrievedBy(other, [])], { agent: 'author' });
    story.feed([mentionOf(one, 7)]);
    story.read([retrievedBy(one, [ids.reader]), other], { agent: 'author' });
    expect(foundAndShown(story)).toHaveLength(1);
    story.read([retrievedBy(one, [ids.reader]), retrievedBy(other, [ids.reader])], { agent: 'author' });
    expect(foundAndShown(story)).toEqual([]);
  });

  /** Reports by the reader and then the peer, so long apart, and how they are listed. */
  function reported(apartMs: number, agents: readonly string[], lookedMs?: number): Story {
    const story = new Story();
    const one = itemOf(story.send(), 1);
    story.feed([], { startedMs: 0, endedMs: 1 });
    story.feed([], { agent: 'peer', startedMs: 0, endedMs: 1 });
    story.report([one.message.id], { startedMs: 50, endedMs: 100 });
    story.report([one.message.id], { agent: 'peer', startedMs: 100 + apartMs, endedMs: 110 + apartMs });
    if (lookedMs !== undefined)
      story.read([retrievedBy(one, [ids.reader])], { startedMs: 100 + lookedMs, endedMs: 102 + lookedMs });
    story.wait(2000);
    story.read([retrievedBy(one, agents)]);
    return story;
  }

  const wrong = ['receipt-order receipts.agent-ids.ordered-by-time'];
  it.each([
    { apartMs: 1000, lookedMs: 1000, agents: [ids.peer, ids.reader], names: [], isShown: false },
    { apartMs: 1010, lookedMs: 1005, agents: [ids.peer, ids.reader], names: wrong, isShown: false },
    // Somebody else may have reported it for the second one meanwhile.
    { apartMs: 1010, lookedMs: 995, agents: [ids.peer, ids.reader], names: [], isShown: false },
    { apartMs: 1010, lookedMs: undefined, agents: [ids.peer, ids.reader], names: [], isShown: false },
    { apartMs: 1010, lookedMs: 1005, agents: [ids.reader, ids.peer], names: [], isShown: true },
    // An order that could not have been wrong shows nothing.
    { apartMs: 1000, lookedMs: 1000, agents: [ids.reader, ids.peer], names: [], isShown: false },
    { apartMs: 1010, lookedMs: undefined, agents: [ids.reader, ids.peer], names: [], isShown: false },
  ])(
    'reported $apartMs ms apart, looked at after $lookedMs ms and listed as $agents: $names, shown $isShown',
    ({ apartMs, lookedMs, agents, names, isShown }) => {
      const story = reported(apartMs, agents, lookedMs);
      expect(foundAndShown(story)).toEqual(names);
      expect(judged(story).opportunities.has('receipts.agent-ids.ordered')).toBe(isShown);
    },
  );

  it('may stand in the order of UUIDs where a server told the same time for both, as a coarse clock does', () => {
    const story = new Story();
    const one = itemOf(story.send(), 1);
    story.feed([], { startedMs: 0, endedMs: 1 });
    story.feed([], { agent: 'peer', startedMs: 0, endedMs: 1 });
    story.report([one.message.id], { agent: 'peer', startedMs: 50, endedMs: 100 });
    story.read([retrievedBy(one, [ids.peer])], { startedMs: 1105, endedMs: 1107 });
    story.report([one.message.id], { startedMs: 1110, endedMs: 1120 });
    story.wait(2000).read([retrievedBy(one, [ids.reader, ids.peer])]);
    expect(ids.reader < ids.peer).toBe(true);
    expect(allFound(story)).toContain('receipt-order receipts.agent-ids.ordered-by-time');
    expect(allFound(story)).not.toContain('receipt-order receipts.agent-ids.ordered');
  });

  it.each([
    { place: 0, count: 8, isListed: true, clause: 'ordered' },
    // Where the clock of one host is ahead of the other's, this many may have been told later times.
    { place: 0, count: 7, isListed: true, clause: 'ordered-by-time' },
    { place: 1, count: 8, isListed: true, clause: 'ordered-by-time' },
    // Their reports may have waited somewhere, and been recorded after another.
    { place: 0, count: 8, isListed: false, clause: 'ordered-by-time' },
  ])(
    'stand in the order of their reports: one at place $place of $count, listed $isListed: $clause',
    (row) => {
      const story = new Story();
      const one = itemOf(story.send(), 1);
      const nameOf = (at: number): string => `00000000-0000-4000-8000-00000000b0${at + 10}`;
      const early = Array.from({ length: row.count }, (_, at) => ({ agent: `early ${at}`, id: nameOf(at) }));
      const late = { agent: 'late', id: nameOf(5.5) };
      for (const { agent, id } of [...early, late])
        story.feed([], { agent, agentId: id, startedMs: 0, endedMs: 1 });
      for (const { agent } of early) story.report([one.message.id], { agent, startedMs: 50, endedMs: 100 });
      const ids = early.map(({ id }) => id);
      story.read([retrievedBy(one, row.isListed ? ids : [])], { startedMs: 1105, endedMs: 1107 });
      story.report([one.message.id], { agent: 'late', startedMs: 1110, endedMs: 1120 });
      story.wait(2000).read([retrievedBy(one, ids.toSpliced(row.place, 0, late.id))]);
      const found = allFound(story).filter((each) => !each.endsWith('prefix'));
      expect(found).toEqual([`receipt-order receipts.agent-ids.${row.clause}`]);
    },
  );

  const prefix = 'receipts.agent-ids.earlier-is-a-prefix';
  const [first, second] = ['agent one', 'agent two'];
  finds.each([
    { laterMs: settleMs + 1, agents: [first, second], names: [] },
    { laterMs: 990, agents: [second, first], names: [] },
    // Nobody knows when the second one reported.
    { laterMs: 991, agents: [second, first], names: [] },
    { laterMs: 5000, agents: [second, first], names: [] },
    { laterMs: settleMs + 1, agents: [second], names: [`receipts-shrink ${prefix}`] },
    { laterMs: settleMs + 1, agents: [], names: [`receipts-shrink ${prefix}`] },
    { laterMs: settleMs, agents: [second], names: [] },
    // Some are beyond the preview, which has no least length.
    { laterMs: settleMs + 1, agents: [], hasMore: true, names: [] },
    // And whom others of the same second stand before may be beyond it.
    { laterMs: settleMs + 1, agents: [second], hasMore: true, names: [] },
  ])('$laterMs ms after one, are $agents, more $hasMore: $names', (story, { laterMs, agents, hasMore }) => {
    const one = itemOf(story.send(), 1);
    story.read([retrievedBy(one, [first])], { startedMs: 90, endedMs: 100 });
    story.read([retrievedBy(one, agents, hasMore)], { startedMs: 100 + laterMs, endedMs: 110 + laterMs });
  });

  finds.each([
    { apartMs: 1000, names: [] },
    { apartMs: 1001, names: [`receipt-order ${prefix}`] },
  ])(
    'of one that reported $apartMs ms after the other was listed, and stands first: $names',
    (story, { apartMs }) => {
      const one = itemOf(story.send(), 1);
      story.feed([], { agent: 'peer', startedMs: 0, endedMs: 1 });
      story.read([retrievedBy(one, [first])], { startedMs: 90, endedMs: 100 });
      story.report([one.message.id], { agent: 'peer', startedMs: 100 + apartMs, endedMs: 110 + apartMs });
      story.wait(3000);
      story.read([retrievedBy(one, [ids.peer, first])]);
    },
  );

  finds(
    'says nothing of the order of one that was listed before its own report: another had reported for it',
    [],
    (story) => {
      const one = itemOf(story.send(), 1);
      story.feed([], { agent: 'peer', startedMs: 0, endedMs: 1 });
      story.read([retrievedBy(one, [first])], { startedMs: 90, endedMs: 100 });
      story.read([retrievedBy(one, [ids.peer, first])], { startedMs: 2000, endedMs: 2010 });
      story.report([one.message.id], { agent: 'peer', startedMs: 3000, endedMs: 3010 });
      story.wait(3000).read([retrievedBy(one, [ids.peer, first, second])]);
    },
  );

  it('says nothing of the order of one that had reported to another channel before: whether that counts is open', () => {
    const reportedElsewhere = (channel: string): Story => {
      const story = new Story();
      const one = itemOf(story.send(), 1);
      story.feed([], { agent: 'peer', startedMs: 0, endedMs: 1 });
      story.read([retrievedBy(one, [first])], { startedMs: 90, endedMs: 100 });
      story.report([one.message.id], { agent: 'peer', channel, startedMs: 110, endedMs: 120 });
      story.report([one.message.id], { agent: 'peer', startedMs: 1101, endedMs: 1111 });
      story.wait(3000);
      story.read([retrievedBy(one, [ids.peer, first])]);
      return story;
    };
    expect(foundAndShown(reportedElsewhere(ids.other))).toEqual([]);
    // And of one whose report there may not have counted, listed behind one that reported to its channel.
    const story = new Story();
    const one = itemOf(story.send(), 1);
    story.feed([], { startedMs: 0, endedMs: 1 });
    story.feed([], { agent: 'peer', startedMs: 0, endedMs: 1 });
    story.report([one.message.id], { channel: ids.other, startedMs: 50, endedMs: 100 });
    story.read([retrievedBy(one, [])], { startedMs: 1300, endedMs: 1310 });
    story.report([one.message.id], { agent: 'peer', startedMs: 1320, endedMs: 1330 });
    story.report([one.message.id], { startedMs: 2500, endedMs: 2510 });
    story.wait(2000);
    story.read([retrievedBy(one, [ids.peer, ids.reader])]);
    expect(foundAndShown(story)).toEqual([]);
  });

  finds.each([
    { agents: [first, 'agent three', second], names: [] },
    // How often those reported whom nobody knows nobody knows either.
    { agents: [second, first], names: [`receipt-order ${prefix}`] },
    { agents: [second, first, 'agent three'], names: [`receipt-order ${prefix}`] },
  ])('of two become $agents after a while: $names', (story, { agents }) => {
    const one = itemOf(story.send(), 1);
    story.read([retrievedBy(one, [first, second])]);
    story.wait(3000);
    story.read([retrievedBy(one, agents)]);
  });

  interface Swapped {
    /** Who reports again before the message is read with the two in another order, and after that. */
    readonly again?: string;
    readonly afterwards?: string;
    readonly isPartial?: boolean;
    /** Whether the peer is listed before it reports. */
    readonly isListedBefore?: boolean;
  }

  it.each<readonly [what: string, swapped: Swapped, clause: string]>([
    ['each reported once', {}, 'receipts.agent-ids.ordered'],
    ['the one that falls behind reported again', { again: 'reader' }, 'receipts.agent-ids.ordered'],
    ['the other one reported again afterwards', { afterwards: 'peer' }, 'receipts.agent-ids.ordered'],
    ['the other one reported again, maybe where its first report is known', { again: 'peer' }, prefix],
    ['a key may have reported again for the other one', { again: 'api-key' }, prefix],
    ['somebody else reported for the other one', { isListedBefore: true }, prefix],
    ['others may have reported', { isPartial: true }, prefix],
  ])('that change places are in the wrong order at some time, where %s', (_what, swapped, clause) => {
    const { again, afterwards, isListedBefore = false, isPartial = false } = swapped;
    const story = new Story({ isPartial });
    const one = itemOf(story.send(), 1);
    for (const agent of ['reader', 'peer']) story.feed([], { agent });
    story.report([one.message.id]);
    if (isListedBefore) story.read([retrievedBy(one, [ids.reader, ids.peer])]);
    story.report([one.message.id], { agent: 'peer' });
    story.wait().read([retrievedBy(one, [ids.reader, ids.peer])]);
    if (again !== undefined) story.report([one.message.id], { agent: again });
    story.wait().read([retrievedBy(one, [ids.peer, ids.reader])]);
    if (afterwards !== undefined) story.report([one.message.id], { agent: afterwards });
    expect(foundAndShown(story)).toEqual([`receipt-order ${clause}`]);
  });

  const full = Array.from({ length: 32 }, (_, index) => `agent ${index + 10}`);
  finds.each([
    { agents: ['agent one', ...full.slice(0, 31)], names: [] },
    { agents: [...full.slice(1), 'agent one'], names: [`receipt-order ${prefix}`] },
    { agents: [...full.slice(0, 31), ids.peer], names: [`receipt-order ${prefix}`] },
  ])('of a full preview become $agents.0 to $agents.31: $names', (story, { agents }) => {
    const one = itemOf(story.send(), 1);
    story.feed([], { agent: 'peer', startedMs: 0, endedMs: 1 });
    story.read([retrievedBy(one, full)]);
    story.wait(3000);
    story.report([one.message.id], { agent: 'peer' });
    story.read([retrievedBy(one, agents)]);
  });

  it('are not denied while they are recorded', () => {
    const story = new Story();
    const one = itemOf(story.send(), 1);
    const listed = retrievedBy(one, [ids.peer]);
    story.feed([], { agent: 'peer' });
    story.read([listed]);
    story.wait();
    story.read([retrievedBy(one, [])]);
    expect(allFound(story)).toEqual([`receipts-shrink ${prefix}`]);
    story.wait();
    story.read([listed]);
    expect(foundAndShown(story)).toEqual([
      `receipts-shrink ${prefix}`,
      'receipts-shrink receipts.empty-means-none-recorded',
    ]);
    expect(judged(story).opportunities.get('receipts.agent-ids.no-author')).toBe(1);
  });

  it.each([
    { by: 'peer', what: 'the message', isDenied: false },
    { by: 'peer', what: 'the channel', isDenied: false },
    { by: 'api-key', what: 'the message', isDenied: false },
    { by: 'reader', what: 'the message', isDenied: true },
    { by: 'peer', what: 'another', isDenied: false },
  ] as const)(
    'are denied, and not lost and recorded again, where $by reports $what in between: $isDenied',
    ({ by, what, isDenied }) => {
      const story = new Story();
      const one = itemOf(story.send(), 1);
      const named = { 'the message': [one.message.id], 'the channel': [], another: [ids.file] }[what];
      story.feed([], { agent: 'peer' });
      story.read([retrievedBy(one, [ids.peer])]);
      story.wait().read([retrievedBy(one, [])]);
      story.wait().report(named, { agent: by });
      story.wait().read([retrievedBy(one, [ids.peer])]);
      const denied = isDenied ? ['receipts-shrink receipts.empty-means-none-recorded'] : [];
      expect(foundAndShown(story)).toEqual([`receipts-shrink ${prefix}`, ...denied]);
    },
  );

  finds(
    'are not denied again once they are recorded',
    [`receipts-shrink ${prefix}`, 'receipts-shrink receipts.empty-means-none-recorded'],
    (story) => {
      const one = itemOf(story.send(), 1);
      const forms = [retrievedBy(one, []), retrievedBy(one, [ids.peer])];
      story.feed([], { agent: 'peer' });
      for (const form of [...forms, ...forms]) story.wait().read([form]);
    },
  );

  finds('may be left out, and may differ between a feed and its channel', [], (story) => {
    const one = itemOf(story.send(toReader), 1);
    story.read([retrievedBy(one, [first])]);
    story.wait();
    story.read([one]);
    story.feed([retrievedBy(mentionOf(one, 7), [])]);
  });
});

describe('a report of a retrieval', () => {
  const lost = 'receipt-lost receipts.reported-agent-is-listed';

  interface Reported {
    /** How long after the reports comes the look. */
    readonly waitMs?: number;
    /** Whom the message shows that was reported before, and whom the other one, and whether there are more. */
    readonly before?: readonly string[];
    readonly listed?: readonly string[];
    readonly hasMore?: boolean;
    /** What else the report names, and what it is otherwise. */
    readonly besides?: readonly string[];
    readonly fields?: Partial<Report>;
    /** Who wrote the message that was reported before, and who has read both. */
    readonly author?: string;
    readonly readBy?: string;
    /** What happens after the reports. */
    readonly beside?: (story: Story) => unknown;
    readonly isPartial?: boolean;
  }

  /** The reader reports one message, and then another one. */
  function reported({
    waitMs = 10_000,
    before = [ids.reader],
    listed = [ids.peer],
    hasMore = false,
    besides = [],
    fields = {},
    author = 'author',
    readBy = 'reader',
    beside,
    isPartial = false,
  }: Reported = {}): Story {
    const story = new Story({ isPartial });
    for (const agent of ['author', 'reader', 'peer']) story.feed([], { agent });
    const one = itemOf(story.send({ agent: author }), 1);
    const two = itemOf(story.send(), 2);
    story.read([one, two], { agent: readBy });
    story.report([one.id]);
    story.report([two.id], { agent: 'peer' });
    story.report([two.id, ...besides], fields);
    beside?.(story);
    const shown = [retrievedBy(one, before), retrievedBy(two, listed, hasMore)];
    story.wait(waitMs).read(shown, { agent: 'author' });
    return story;
  }

  it('shows with its message in a later fetch', () => {
    expect(foundAndShown(reported())).toEqual([lost]);
    expect(foundAndShown(reported({ listed: [] }))).toContain(lost);
    expect(foundAndShown(reported({ listed: [ids.peer, ids.reader] }))).toEqual([]);
  });

  it.each([
    [9_990, []],
    [9_991, [lost]],
  ])('may wait in a queue for ten seconds: read %i ms and ten after it', (waitMs, names) => {
    expect(foundAndShown(reported({ waitMs }))).toEqual(names);
  });

  it.each([
    { what: 'another one, too', isAgain: false, status: 200, names: [lost] },
    {
      what: 'one that was reported before: it may be taken as a whole or not at all',
      isAgain: true,
      status: 200,
      names: [],
    },
    { what: 'another one, and is answered for each by itself', isAgain: false, status: 207, names: [] },
  ])('may count for none where it names $what', ({ isAgain, status, names }) => {
    const story = new Story();
    for (const agent of ['author', 'reader']) story.feed([], { agent });
    const items = story.items([1, 2, 3, 4]);
    story.read(items);
    const [one, two, three, four] = items;
    story.report([one.id, three.id]);
    story.report([two.id, isAgain ? one.id : four.id], { status });
    const listed = [one, three, four].map((item) => retrievedBy(item, [ids.reader]));
    story
      .wait(10_000)
      .read([...listed.slice(0, 1), retrievedBy(two, []), ...listed.slice(1)], { agent: 'author' });
    expect(foundAndShown(story)).toEqual(names);
  });

  it.each<readonly [string, Reported]>([
    ['lie beyond the preview', { hasMore: true }],
    ['not be known for a report: no other one of the agent shows', { before: [] }],
    [
      'be that of no agent of its own beside the author: none shows with another message of that one',
      { author: 'peer' },
    ],
    ['name more messages than one may name', { besides: ['another'] }],
    ['be for something else, where reading is what lists an agent', { readBy: 'peer' }],
    ['be refused', { fields: { outcome: 'refused', status: 400 } }],
    ['get no answer', { fields: { outcome: 'indeterminate', status: undefined } }],
    ['go to another channel', { fields: { channel: ids.other } }],
    ['be by the author', { fields: { agent: 'author' } }],
    ['be by a key of the workspace', { fields: { agent: 'api-key' } }],
    ['be lost in a restart', { beside: (story) => story.change('restart') }],
    ['be of an agent that was away', { beside: (story) => story.change('deactivate') }],
    ['be taken back by somebody, in traffic of others', { isPartial: true }],
  ])('may %s', (_case, how) => {
    expect(found(reported(how)).filter((each) => each === lost)).toEqual([]);
  });

  it('is put to the test by each that shows', () => {
    const times = (story: Story) => judged(story).opportunities.get('receipts.reported-agent-is-listed');
    expect(times(reported({ before: [], listed: [] }))).toBeUndefined();
    expect(times(reported({ listed: [ids.peer, ids.reader] }))).toBe(3);
  });
});
