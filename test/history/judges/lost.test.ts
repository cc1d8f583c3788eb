import { describe, expect, it } from 'vitest';
import type { Send } from '../../../history/operation.ts';
import { finds } from '../finds.ts';
import { foundAndShown, ids, itemOf, judged, settleMs, Story } from '../fixtures.ts';

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

  it.each([
    { walkMs: 110 + settleMs, names: [] },
    { walkMs: 111 + settleMs, names: [name] },
  ])('is lost when a walk from $walkMs on has not got it: $names', ({ walkMs, names }) => {
    expect(foundAndShown(unseen(walkMs))).toEqual(names);
  });

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

  it('and is shown counts as put to the test', () => {
    expect(judged(unseen(1000)).opportunities.get('service.sent-is-readable')).toBe(2);
  });
});
