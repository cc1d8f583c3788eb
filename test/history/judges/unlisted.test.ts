import { describe, expect, it } from 'vitest';
import type { HistoryFacts, Read, Send } from '../../../history/operation.ts';
import type { Item } from '../../../history/seen-message.ts';
import { finds } from '../finds.ts';
import { allFound, authorWith, foundAndShown, ids, itemOf, mentionOf, settleMs, Story } from '../fixtures.ts';

describe('a mention that is not listed', () => {
  const reader = `agent:${ids.reader}`;

  /** Two messages with these targets, of which the feed lists the first, in a walk from `walkMs` on. */
  function unlisted(targets: readonly string[], walkMs: number, author: Partial<Send> = {}): Story {
    const story = new Story();
    const one = itemOf(story.send({ targets: [reader, ...targets] }), 1);
    story.feed([mentionOf(one, 70)], { startedMs: 60, endedMs: 70 });
    const two = itemOf(story.send({ startedMs: 100, endedMs: 110, targets, ...author }), 2);
    story.read([one, two], { startedMs: 120, endedMs: 130 });
    story.feed([mentionOf(one, 70)], { startedMs: walkMs, endedMs: walkMs + 10 });
    return story;
  }
  // Nobody knows who stands behind the author, and behind the reader.
  const name = 'mention-lost mentions.peers-reach-each-other';

  finds.each([
    { walkMs: 130 + settleMs, names: [] },
    { walkMs: 131 + settleMs, names: [name] },
  ])('is lost when a walk from $walkMs on has not got it: $names', (_, { walkMs }) =>
    unlisted([reader], walkMs),
  );

  it.each([
    { what: 'may be denied by a page that is full, as another was seen to', limit: 2, names: [] },
    { what: 'is lost where the page has room for more', limit: 3, names: [name] },
  ])('$what', ({ limit, names }) => {
    const story = new Story();
    const [one, two] = story.items([1, 2], { targets: [reader] });
    const [first, second] = [mentionOf(one, 70), mentionOf(two, 71)];
    story.feed([first, second]);
    story.wait().feed([first], { limit: 1, hasMore: false });
    story.read([one, two, itemOf(story.send({ targets: [reader] }), 3)]);
    story.wait().feed([first, second], { limit, hasMore: false });
    expect(foundAndShown(story)).toEqual(['has-more-false page.has-more-while-items-remain', ...names]);
    expect(allFound(story)).toContain(name);
  });

  it.each([
    { leftOut: 'targets', back: false, names: [] },
    { leftOut: 'targets', back: true, names: [name] },
    { leftOut: undefined, back: false, names: [name] },
  ] as const)(
    'may have been sent to somebody who was out of use: $leftOut left out, back before: $back',
    ({ leftOut, back, names }) => {
      const inView = leftOut === undefined ? {} : { targets: [], leftOut };
      const story = new Story();
      const first = story.send({ targets: [reader] });
      story.feed([mentionOf(itemOf(first, 1, inView), 70)]);
      const comesBack = () => story.change('deactivate', { subject: ids.reader, detail: 'access active' });
      story.change('deactivate', { subject: ids.reader, detail: 'access inactive' });
      if (back) comesBack();
      const second = story.send({ targets: [reader] });
      if (!back) comesBack();
      story.read([itemOf(first, 1, inView), itemOf(second, 2, inView)]);
      story.wait().feed([mentionOf(itemOf(first, 1, inView), 70)]);
      expect(allFound(story).filter((each) => each.startsWith('mention-lost'))).toEqual(names);
    },
  );

  it.each([
    { once: null, names: [] },
    { once: { id: ids.human, displayName: 'human' }, names: ['mention-lost mentions.matches-human-target'] },
  ])('may name a human who was not always available behind its reader: $once', ({ once, names }) => {
    const story = new Story();
    const always = { id: ids.human, displayName: 'human' };
    const own = [once, always].map((human, index) =>
      itemOf(story.send({ agent: 'reader' }), index + 1, authorWith({ id: ids.reader, human })),
    );
    const ofAuthor = authorWith({ human: { id: ids.other, displayName: 'another' } });
    const first = itemOf(story.send({ targets: [reader] }), 3, ofAuthor);
    story.feed([mentionOf(first, 70)]);
    const second = itemOf(story.send({ targets: [`user:${ids.human}`] }), 4, ofAuthor);
    story.read([...own, first, second]);
    story.wait().feed([mentionOf(first, 70)]);
    expect(allFound(story).filter((each) => each.startsWith('mention-lost'))).toEqual(names);
  });

  it('may be kept for its own targets alone, and for a shorter time', () => {
    const user = `user:${ids.human}`;
    expect(foundAndShown(unlisted([reader, user], 1000))).toEqual([name]);
    const withoutTargets = { targets: [], leftOut: 'targets' } as const;
    for (const inFeed of [{}, withoutTargets]) {
      for (const inChannel of [{}, withoutTargets]) {
        const story = new Story();
        const first = story.send({ targets: [reader, user] });
        const listed = (send: Send, sequence: number): Item =>
          mentionOf(itemOf(send, sequence, inFeed), sequence + 69);
        story.feed([listed(first, 1)], { startedMs: 60, endedMs: 70 });
        const second = story.send({ startedMs: 100, endedMs: 110, targets: [reader] });
        const later = [111, 112, 113].map((startedMs) =>
          story.send({ startedMs, endedMs: startedMs, targets: [reader] }),
        );
        const inOrder = [first, second, ...later].map((send, index) => itemOf(send, index + 1, inChannel));
        story.read(inOrder, { startedMs: 120, endedMs: 130 });
        const kept = later.map((send, index) => listed(send, index + 3));
        story.feed([listed(first, 1), ...kept], { startedMs: 1000, endedMs: 1010 });
        expect(allFound(story).filter((each) => each.startsWith('mention-lost'))).toEqual([]);
      }
    }
  });

  finds.each([
    { later: 2, names: [name] },
    { later: 3, names: [] },
  ])('is lost soon after $later others name its target: $names', (story, { later }) => {
    const first = story.send({ targets: [reader, `user:${ids.human}`] });
    story.feed([mentionOf(itemOf(first, 1), 70)], { startedMs: 60, endedMs: 70 });
    const second = story.send({ startedMs: 100, endedMs: 110, targets: [reader] });
    const others = Array.from({ length: later }, (_, index) =>
      story.send({ startedMs: 111 + index, endedMs: 111 + index, targets: [reader] }),
    );
    const inOrder = [first, second, ...others].map((send, index) => itemOf(send, index + 1));
    story.read(inOrder, { startedMs: 120, endedMs: 130 });
    story.feed(
      inOrder.flatMap((item, index) => (index === 1 ? [] : [mentionOf(item, index + 70)])),
      { startedMs: 1000, endedMs: 1010 },
    );
  });

  finds('may be among others that only the feed shows', [], (story) => {
    const first = story.send({ targets: [reader, `user:${ids.human}`] });
    story.feed([mentionOf(itemOf(first, 1), 70)], { startedMs: 60, endedMs: 70 });
    const second = story.send({ startedMs: 100, endedMs: 110, targets: [reader] });
    story.read([itemOf(first, 1), itemOf(second, 2)], { startedMs: 120, endedMs: 130 });
    const content = { digest: 'of others', bytes: 9, marker: undefined };
    const newer = [1, 2, 3].map((sequence) =>
      itemOf(second, sequence, { channel: ids.other, content, sizeBytes: 9, id: `other ${sequence}` }),
    );
    const listed = [itemOf(first, 1), ...newer].map((item, index) => mentionOf(item, index + 70));
    story.feed(listed, { startedMs: 1000, endedMs: 1010 });
  });

  it('may name somebody else, or be of another author or of the reader itself', () => {
    expect(foundAndShown(unlisted([`agent:${ids.peer}`], 1000))).toEqual([]);
    expect(foundAndShown(unlisted([`user:${ids.human}`], 1000))).toEqual([]);
    expect(foundAndShown(unlisted([reader], 1000, { agent: 'peer' }))).toEqual([]);
    expect(foundAndShown(unlisted([reader], 1000, { agent: 'reader' }))).toEqual([]);
  });

  it('may be of an agent of the same human, and names the reader through its human', () => {
    const linked = (
      human: string,
      author: string | null,
      { isOld = false, target = `user:${human}` } = {},
    ) => {
      const story = new Story();
      const by = (
        agent: string,
        id: string,
        sequence: number,
        human_: string | null,
        fields: Partial<Send>,
      ): Item => {
        const person = human_ === null ? null : { id: human_, displayName: null };
        return itemOf(story.send({ agent, ...fields }), sequence, authorWith({ id, human: person }));
      };
      const content = { digest: 'of another time', bytes: 20, marker: undefined };
      const sent = by('reader', ids.reader, 1, ids.human, {});
      const own = isOld ? { ...sent, message: { ...sent.message, content } } : sent;
      const targets = [target];
      const one = by('author', ids.author, 2, author, { targets: [reader, ...targets] });
      story.feed([mentionOf(one, 70)]);
      const two = by('author', ids.author, 3, author, { targets });
      story.read([own, one, two]);
      story.wait();
      story.feed([mentionOf(one, 70)]);
      return story;
    };
    expect(foundAndShown(linked(ids.human, ids.machine))).toEqual([
      'mention-lost mentions.matches-human-target',
    ]);
    expect(foundAndShown(linked(ids.human, ids.human))).toEqual([]);
    expect(foundAndShown(linked(ids.machine, ids.machine))).toEqual([]);
    const target = reader;
    expect(foundAndShown(linked(ids.human, ids.machine, { target }))).toEqual([
      'mention-lost mentions.matches-agent-target',
    ]);
    expect(foundAndShown(linked(ids.human, null, { target }))).toEqual([name]);
    // An author that shows no human has one that was not available, or none.
    expect(foundAndShown(linked(ids.human, null))).toEqual([]);
    // Whose agent the reader was once says nothing of whose it is.
    expect(foundAndShown(linked(ids.human, ids.machine, { isOld: true }))).toEqual([]);
  });
});

describe('a feed that stays empty', () => {
  // Nobody knows whose human the reader is.
  const lost = 'mention-lost mentions.peers-reach-each-other';

  /** A message that names the reader, acknowledged at 110 and shown in its channel, and a read of nothing by the reader. */
  function empty(
    fields: Partial<Read>,
    targets = [`agent:${ids.reader}`],
    facts: Partial<HistoryFacts> = {},
    isThere = true,
    inView: Parameters<typeof itemOf>[2] = {},
  ): Story {
    const story = new Story(facts);
    story.feed([], { startedMs: 0, endedMs: 10 });
    const own = isThere ? [itemOf(story.send({ agent: 'reader', startedMs: 20, endedMs: 30 }), 1)] : [];
    const item = itemOf(story.send({ targets, startedMs: 100, endedMs: 110 }), 2, inView);
    story.read([...own, item], { startedMs: 120, endedMs: 130 });
    story.feed([], { startedMs: 111 + settleMs, endedMs: 300, ...fields });
    return story;
  }

  it.each([
    { startedMs: 110 + settleMs, names: [] },
    { startedMs: 111 + settleMs, names: [lost] },
    { startedMs: 110 + 2 * settleMs, names: [lost] },
    { startedMs: 111 + 2 * settleMs, names: [] },
  ])('lacks what names its reader where it is read at $startedMs: $names', ({ startedMs, names }) => {
    expect(allFound(empty({ startedMs, endedMs: startedMs + 10 }))).toEqual(names);
  });

  it.each<{ readonly what: string; readonly story: Story }>([
    { what: 'nobody is named', story: empty({}, []) },
    { what: 'somebody else is named', story: empty({}, [`agent:${ids.peer}`]) },
    { what: 'there is more to come', story: empty({ hasMore: true, nextAfter: 1 }) },
    { what: 'what is there cannot be read', story: empty({ nextAfter: 1 }) },
    { what: 'a cursor is asked with that nobody gave out', story: empty({ after: 5 }) },
    { what: 'its reader never spoke there', story: empty({}, undefined, {}, false) },
    { what: 'others may have sent the reader away', story: empty({}, undefined, { isPartial: true }) },
  ])('may be empty where $what', ({ story }) => {
    expect(allFound(story)).toEqual([]);
  });

  it('may be empty where nothing shows that a send names anybody: not its channel, nor any feed', () => {
    const unshown = (): Story => empty({}, undefined, {}, true, { targets: [], leftOut: 'targets' });
    expect(allFound(unshown())).toEqual([]);
    const story = unshown();
    const other = story.send({ targets: [`agent:${ids.peer}`], startedMs: 400, endedMs: 410 });
    story.feed([mentionOf(itemOf(other, 3), 72)], { agent: 'peer', startedMs: 420, endedMs: 430 });
    expect(allFound(story)).toContain(lost);
  });

  it('may be empty that lists something at another time', () => {
    const story = empty({});
    const other = itemOf(story.send({ targets: [`agent:${ids.reader}`], agent: 'peer' }), 3);
    story.feed([mentionOf(other, 72)]);
    expect(allFound(story)).toEqual([]);
  });

  it.each(['restart', 'away'] as const)('may be empty after a change: %s', (what) => {
    const story = empty({});
    const during = { startedMs: 140, endedMs: 150 };
    if (what === 'restart') story.change('restart', during);
    else
      for (const detail of ['access inactive', 'access active'])
        story.change('deactivate', { subject: ids.reader, detail, ...during });
    expect(allFound(story)).toEqual([]);
  });
});
