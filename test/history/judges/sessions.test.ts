import { describe, expect, it } from 'vitest';
import { allFound, foundAndShown, itemOf, Story } from '../fixtures.ts';

describe('a complete read', () => {
  it.each([
    { endedMs: 99, names: ['read-your-writes channel-read.reads-own-writes'] },
    { endedMs: 100, names: [] },
  ])('from 100 on, of the author whose send was acknowledged at $endedMs: $names', ({ endedMs, names }) => {
    const story = new Story();
    const send = story.send({ startedMs: 50, endedMs });
    story.read([], { agent: 'author', startedMs: 100, endedMs: 110 });
    story.read([itemOf(send, 1)], { agent: 'author', startedMs: 111, endedMs: 120 });
    expect(foundAndShown(story)).toEqual(names);
  });

  it('of another agent, or one that announces more, may lack it', () => {
    const story = new Story();
    const send = story.send();
    story.read([], { agent: 'author', hasMore: true });
    story.read([]);
    story.read([itemOf(send, 1)]);
    expect(foundAndShown(story)).toEqual([]);
  });

  it('holds what its reader had read', () => {
    const name = 'monotonic-reads channel-read.reads-are-monotonic';
    const story = new Story();
    const one = itemOf(story.send(), 1);
    story.read([one]);
    story.read([], { agent: 'peer' });
    story.read([one]);
    expect(allFound(story)).toEqual(['stale-read channel-read.recency']);
    story.read([]);
    expect(allFound(story)).not.toContain(name);
    story.read([one]);
    expect(foundAndShown(story)).toContain(name);
  });
});
