import { describe, expect, it } from 'vitest';
import type { Read } from '../../../history/operation.ts';
import { finds } from '../finds.ts';
import { allFound, foundAndShown, ids, itemOf, judged, settleMs, Story } from '../fixtures.ts';

/** Two messages by the author, which the peer reads before and after the reader reads what it is shown. */
function storyOf(shown: readonly number[], more: Partial<Read> & { waitMs?: number } = {}): Story {
  const { waitMs = 2 * settleMs, ...fields } = more;
  const story = new Story();
  const items = story.items([1, 2, 3]);
  story.read(items, { agent: 'peer' });
  story.wait(waitMs);
  story.read(
    items.filter((_, index) => shown.includes(index + 1)),
    fields,
  );
  story.wait(waitMs).read(items, { agent: 'peer' });
  return story;
}

const hidden = 'hidden-from-reader service.channels-are-shared';

describe('what others read in a channel', () => {
  it.each([
    ['in the middle of a page', [1, 3]],
    ['at its beginning', [2, 3]],
    ['beyond its end', [1, 2]],
    ['anywhere', []],
  ])('is hidden from a reader that never sees it %s, and that alone is said', (_where, shown) => {
    expect(foundAndShown(storyOf(shown))).toEqual([hidden]);
  });

  finds('is not hidden where the page announces more', [], () => storyOf([1, 2], { hasMore: true }));

  finds('is not hidden where the channel is read without a cursor', [], () =>
    storyOf([1, 3], { after: undefined }),
  );

  finds('is not hidden where the others had not read it for longer than the settle time', [], () =>
    storyOf([1, 3], { waitMs: settleMs / 2 }),
  );

  it.each([
    { subject: ids.author, names: [] },
    { subject: ids.reader, names: [] },
    { subject: ids.peer, names: [hidden] },
  ])('may be hidden from a reader while $subject is away: $names', ({ subject, names }) => {
    const story = new Story();
    for (const agent of ['reader', 'author']) story.feed([], { agent });
    const items = story.items([1, 2, 3]);
    story.read(items, { agent: 'peer' });
    story.wait().change('deactivate', { subject, detail: 'access inactive' });
    story.read(items.slice(0, 1), { nextAfter: 3 });
    story.change('deactivate', { subject, detail: 'access active' });
    story.wait().read(items, { agent: 'peer' });
    expect(allFound(story)).toEqual(names);
  });

  it.each([
    { what: 'by an author of whom the page shows something', by: ids.author, lacking: 1, names: [hidden] },
    { what: 'by one who may have been away', by: ids.peer, lacking: 1, names: [] },
    { what: 'from before its reader may have come', by: ids.author, lacking: 0, names: [] },
  ])('in traffic is hidden from a reader only $what: $names', ({ by, lacking, names }) => {
    const story = new Story({ isPartial: true });
    const items = [1, 2, 3].map((sequence) => {
      const item = itemOf(story.send(), sequence);
      const id = sequence - 1 === lacking ? by : ids.author;
      const { author } = item.message;
      return { ...item, message: { ...item.message, author: author && { ...author, id } } };
    });
    const all = { agent: 'another' };
    story.read(items, all);
    story.wait(6_000).read(items.toSpliced(lacking, 1));
    story.wait(6_000).read(items, all);
    expect(allFound(story).filter((each) => each.startsWith('hidden'))).toEqual(names);
  });

  it('is held against what the reader itself was shown, where it was', () => {
    const story = storyOf([1, 3]);
    const [first] = story.history.operations.filter(({ kind }) => kind === 'read');
    story.wait().read(first?.kind === 'read' ? first.items : []);
    expect(foundAndShown(story)).toEqual(['poll-skip channel-read.walk-is-complete']);
  });

  it('is named once for a reader and a channel', () => {
    const story = new Story();
    const items = story.items([1, 2, 3, 4]);
    story.read(items, { agent: 'peer' });
    for (const shown of [items.slice(0, 2), items.slice(1, 3), []]) story.wait().read(shown);
    story.wait().read(items, { agent: 'peer' });
    // The reader's own reads are another matter: what it saw comes and goes.
    expect(foundAndShown(story).filter((each) => each === hidden)).toEqual([hidden]);
  });
});

describe('a channel is shared', () => {
  it.each([
    [[1, 2, 3], 3],
    [[1, 2], 2],
    [[], undefined],
  ])('where two agents were shown the same of it, which is %j', (shown, times) => {
    const opportunities = judged(storyOf(shown, { hasMore: true })).opportunities;
    expect(opportunities.get('service.channels-are-shared')).toBe(times);
  });

  it('not where each is shown what the other is not', () => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one]);
    story.read([two], { agent: 'peer' });
    expect(judged(story).opportunities.get('service.channels-are-shared')).toBeUndefined();
  });
});

it('what a reader may still see is stale only if that reader sees it more than the settle time later', () => {
  const storyUntil = (waitMs: number): Story => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one, two], { agent: 'peer' });
    story.read([one]);
    story.wait(waitMs).read([one, two]);
    return story;
  };
  expect(foundAndShown(storyUntil(settleMs - 11))).toEqual([]);
  expect(foundAndShown(storyUntil(settleMs + 1))).toEqual(['stale-read channel-read.recency']);
});
