import { describe, expect, it } from 'vitest';
import type { HistoryFacts, Read, Send } from '../../../history/operation.ts';
import { finds } from '../finds.ts';
import { allFound, foundAndShown, ids, itemOf, judged, settleMs, Story } from '../fixtures.ts';

describe('an acknowledged message that is never shown', () => {
  /** One that is acknowledged at 110, while an older one of the author is shown by a read from `walkMs` on. */
  function unseen(walkMs: number, fields: Partial<Send> = {}, page = {}): Story {
    const story = new Story();
    story.feed([], { agent: 'author', startedMs: 0, endedMs: 1 });
    const anchor = itemOf(story.send({ startedMs: 0, endedMs: 10 }), 1);
    story.read([anchor], { startedMs: 20, endedMs: 30 });
    story.send({ startedMs: 100, endedMs: 110, ...fields });
    story.read([anchor], { startedMs: walkMs, endedMs: walkMs + 10, ...page });
    return story;
  }
  const name = 'lost-write service.sent-is-readable';

  finds.each([
    { walkMs: 110 + settleMs, names: [] },
    { walkMs: 111 + settleMs, names: [name] },
  ])('is lost when a walk from $walkMs on has not got it: $names', (_, { walkMs }) => unseen(walkMs));

  finds(
    'is lost where the last page of a walk shows an older one, and its first page one that is older still',
    [name],
    (story) => {
      story.feed([], { agent: 'author', startedMs: 0, endedMs: 1 });
      const older = [1, 2].map((sequence) => itemOf(story.send(), sequence));
      story.read(older);
      story.wait();
      story.send();
      story.wait();
      story.read(older.slice(0, 1), { hasMore: true, limit: 1 });
      story.read(older.slice(1), { after: 1, limit: 1 });
    },
  );

  it.each<{ readonly what: string; readonly fields: Partial<Send>; readonly page?: object }>([
    { what: 'was not acknowledged', fields: { outcome: 'indeterminate' } },
    { what: 'was refused', fields: { outcome: 'refused', status: 400 } },
    { what: 'is of another author', fields: { agent: 'peer' } },
    { what: 'began before the older one was read', fields: { startedMs: 30, endedMs: 40 } },
    { what: 'is not what the contract shows', fields: { stores: 'content' } },
    { what: 'was sent elsewhere', fields: { channel: ids.other } },
    {
      what: 'is longer than what is there',
      fields: { content: { digest: 'longer', bytes: 41, marker: 'run-2.' } },
    },
    { what: 'shares its key', fields: { key: 'key 1' } },
    { what: 'may lie beyond the walk', fields: {}, page: { hasMore: true } },
    { what: 'lies above the cursor, without an older one', fields: {}, page: { after: 1, items: [] } },
  ])('may be missing when it $what', ({ fields, page }) => {
    expect(foundAndShown(unseen(1000, fields, page)).filter((each) => each.startsWith('lost'))).toEqual([]);
  });

  it('may be lost in traffic, where others may have restarted its server', () => {
    const story = new Story({ isPartial: true });
    const text = (digest: string) => ({ digest, bytes: 20, marker: undefined });
    const older = itemOf(story.send({ content: text('older') }), 1);
    story.feed([], { agent: 'author' });
    story.read([older]);
    const content = text('newer');
    const { message } = itemOf(new Story().send({ content }), 2);
    story.send({ content, shown: message });
    story.wait().read([older]);
    expect(foundAndShown(story)).toEqual([]);
  });

  it('is not looked for in traffic of others, where nothing counts as kept either', () => {
    for (const isPartial of [false, true]) {
      const story = new Story({ isPartial });
      story.read(story.items([1, 2]));
      expect(judged(story).opportunities.has('service.sent-is-readable')).toBe(!isPartial);
    }
  });

  it('is lost across a restart', () => {
    const story = unseen(1000);
    story.change('restart', { startedMs: 200, endedMs: 210 });
    expect(foundAndShown(story)).toEqual(['lost-across-restart channel-read.survives-a-restart']);
  });

  it('of a size that nothing shows is dropped in silence', () => {
    const content = { digest: 'big', bytes: 400_000, marker: 'run-2.' };
    const story = unseen(110 + 12 * settleMs, { content });
    expect(foundAndShown(story)).toEqual(['silent-drop service.sent-is-readable']);
    // Its size may be kept for a shorter time, though hardly for a shorter one than that.
    expect(foundAndShown(unseen(111 + 12 * settleMs, { content }))).toEqual([]);
    // Nor for a shorter one since the first attempt.
    const again = { content, key: 'again' };
    const retried = unseen(110 + 12 * settleMs, again);
    retried.send({ ...again, startedMs: 40, endedMs: 50, outcome: 'indeterminate', status: undefined });
    expect(foundAndShown(retried)).toEqual([]);
    story.read([itemOf(story.send({ content: { ...content, digest: 'other', marker: 'run-3.' } }), 2)], {
      after: 1,
    });
    expect(foundAndShown(story)).toEqual([]);
  });

  finds.each([
    { bytes: 133_333, names: ['silent-drop service.sent-is-readable'] },
    { bytes: 133_334, names: [] },
  ])('may be gone for three newer ones of others, $bytes bytes each: $names', (story, { bytes }) => {
    const older = itemOf(story.send(), 1);
    story.read([older]);
    story.send({ content: { digest: 'big', bytes: 400_000, marker: 'run-2.' } });
    const newer = [3, 4, 5].map((sequence) => {
      const content = { digest: `of others ${sequence}`, bytes, marker: undefined };
      const stranger = new Story().send({ agent: 'peer', content });
      return itemOf(stranger, sequence);
    });
    story.wait();
    story.read([older, ...newer]);
  });

  finds.each([
    { targets: [], names: ['lost-write service.sent-is-readable'] },
    { targets: [`agent:${ids.reader}`], names: [] },
  ])('may go before an older one that names $targets', (story, { targets }) => {
    const older = [itemOf(story.send({ targets }), 1), itemOf(story.send({ agent: 'peer' }), 2)];
    story.read(older);
    story.send();
    story.wait(10_000).read(older);
  });

  const withFiles = { files: [ids.file] };

  finds.each([
    { older: withFiles, newer: withFiles, isShown: true, names: [name] },
    { older: {}, newer: withFiles, isShown: true, names: [] },
    { older: withFiles, newer: {}, isShown: true, names: [] },
    // Where pages leave its files out, its send tells of them.
    { older: withFiles, newer: withFiles, isShown: false, names: [name] },
    { older: withFiles, newer: {}, isShown: false, names: [] },
  ])(
    'with $newer.files may go before an older one with $older.files, shown $isShown: $names',
    (story, { older, newer, isShown }) => {
      story.feed([], { agent: 'author' });
      const fields = isShown ? {} : { files: [], leftOut: 'files' as const };
      const one = itemOf(story.send(older), 1, fields);
      story.read([one]);
      story.send(newer);
      story.wait(10_000).read([one]);
    },
  );

  it('with files, as nothing that shows has any, is dropped in silence where it is not there soon after', () => {
    expect(foundAndShown(unseen(1000, withFiles))).toEqual(['silent-drop service.sent-is-readable']);
    expect(foundAndShown(unseen(2000, withFiles))).toEqual([]);
  });

  it('and is shown counts as put to the test', () => {
    expect(judged(unseen(1000)).opportunities.get('service.sent-is-readable')).toBe(2);
  });
});

describe('a channel that takes messages and shows none', () => {
  const name = 'silent-drop service.sent-is-readable';
  const last = 2 * settleMs;

  /** One that is acknowledged at 110, and a read of nothing after 0 by its author. */
  function empty(fields: Partial<Read>, send: Partial<Send> = {}, facts: Partial<HistoryFacts> = {}): Story {
    const story = new Story(facts);
    story.send({ startedMs: 100, endedMs: 110, ...send });
    story.read([], { agent: 'author', startedMs: 111 + settleMs, endedMs: 300, ...fields });
    return story;
  }

  it.each([
    { startedMs: 110 + settleMs, names: [] },
    { startedMs: 111 + settleMs, names: [name] },
    { startedMs: 110 + last, names: [name] },
    { startedMs: 111 + last, names: [] },
  ])('has dropped them where its author reads nothing at $startedMs: $names', ({ startedMs, names }) => {
    expect(allFound(empty({ startedMs, endedMs: startedMs + 10 }))).toEqual(names);
  });

  it.each<{ readonly what: string; readonly story: Story }>([
    { what: 'somebody else reads', story: empty({ agent: 'reader' }) },
    { what: 'there is more to come', story: empty({ hasMore: true, nextAfter: 1 }) },
    { what: 'a cursor is asked with that nobody gave out', story: empty({ after: 5 }) },
    { what: 'no cursor is', story: empty({ after: undefined }) },
    { what: 'what is there cannot be read', story: empty({ nextAfter: 1 }) },
    { what: 'nothing was accepted', story: empty({}, { outcome: 'refused', status: 400 }) },
    { what: 'others may have restarted it', story: empty({}, {}, { isPartial: true }) },
  ])('may have none where $what', ({ story }) => {
    expect(allFound(story)).toEqual([]);
  });

  finds('may have none where no channel is read, and pages of another go on', [], (story) => {
    const other = { stream: 'channel 00000000-0000-4000-8000-0000000000cc', after: 0, nextAfter: 3 };
    story.read([], { agent: 'author', startedMs: 10, endedMs: 20, ...other });
    story.send({ startedMs: 100, endedMs: 110 });
    story.read([], { agent: 'author', startedMs: 111 + settleMs, endedMs: 300 });
  });

  it('has dropped them from a cursor on that it gave out before, unless any read shows something behind it', () => {
    const story = new Story();
    const others = new Story();
    const [older, newer] = others.items([5, 7], {
      agent: 'peer',
      content: { digest: 'x', bytes: 1, marker: undefined },
    });
    story.read([older], { agent: 'author', nextAfter: 6 });
    story.send();
    story.wait(1.5 * settleMs).read([], { agent: 'author', after: 6 });
    expect(allFound(story)).toEqual([name]);
    story.read([{ ...newer, id: ids.other, message: { ...newer.message, id: ids.other } }], { after: 6 });
    expect(allFound(story)).toEqual([]);
  });

  finds('may have none behind a cursor that its reader made up and was given back', [], (story) => {
    const madeUp = { agent: 'author', after: 1_000_000_000, nextAfter: 1_000_000_000 };
    story.read([], { ...madeUp, startedMs: 10, endedMs: 20 });
    story.send({ startedMs: 100, endedMs: 110 });
    story.read([], { ...madeUp, startedMs: 111 + settleMs, endedMs: 300 });
  });

  it.each([
    { isDurable: false, names: [] },
    { isDurable: true, names: [name] },
  ])('may be empty after a restart unless it keeps what it has ($isDurable)', ({ isDurable, names }) => {
    const story = empty({}, {}, { isDurable });
    story.change('restart', { startedMs: 120, endedMs: 130 });
    expect(allFound(story)).toEqual(names);
  });

  it('may show none to who was away meanwhile', () => {
    const story = empty({});
    for (const detail of ['access inactive', 'access active'])
      story.change('deactivate', { subject: ids.author, detail, startedMs: 120, endedMs: 130 });
    expect(allFound(story)).toEqual([]);
  });

  it('is one finding, however many it took', () => {
    const story = new Story();
    for (let sent = 0; sent < 3; sent += 1) story.send();
    story.wait(1.5 * settleMs).read([], { agent: 'author' });
    expect(allFound(story)).toEqual([name]);
    expect(judged(story).anomalies[0]?.decides).toMatchObject({ kind: 'read' });
  });
});
