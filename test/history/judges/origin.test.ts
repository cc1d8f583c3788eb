import { describe, expect, it } from 'vitest';
import { finds } from '../finds.ts';
import { allFound, foundAndShown, ids, itemOf, judged, mentionOf, Story } from '../fixtures.ts';

describe('a send that was refused', () => {
  finds.each([
    { status: 400, names: ['aborted-read send.refused-stores-nothing'] },
    { status: 401, names: ['aborted-read send.refused-stores-nothing'] },
    { status: 413, names: ['aborted-read send.refused-stores-nothing'] },
    { status: 409, names: ['conflict-applied send.conflict-stores-nothing'] },
    { status: 429, names: [] },
    { status: 302, names: [] },
  ])('with $status is read: $names', (story, { status }) => {
    const send = story.send({ outcome: 'refused', status });
    story.read([itemOf(send, 1)]);
  });

  it('is read where another with its marker was accepted, but with another text', () => {
    const story = new Story();
    story.feed([], { agent: 'author' });
    const send = story.send();
    const content = { digest: 'with more behind it', bytes: 30, marker: send.content?.marker };
    const other = story.send({ content, outcome: 'refused', status: 400 });
    story.read([itemOf(send, 1), itemOf(other, 2)]);
    expect(allFound(story)).toContain('aborted-read send.refused-stores-nothing');
  });

  it.each([
    { outcome: 'accepted', stores: 'nothing', names: [] },
    { outcome: 'indeterminate', stores: 'nothing', names: [] },
    { outcome: 'refused', stores: 'nothing', names: ['conflict-applied send.conflict-stores-nothing'] },
    { outcome: 'accepted', stores: 'all', names: ['conflict-applied send.conflict-stores-nothing'] },
  ] as const)(
    'may show what a body with its marker left that servers read in different ways: $outcome, which stores $stores',
    ({ outcome, stores, names }) => {
      const story = new Story();
      story.feed([], { agent: 'author' });
      const text = { digest: 'the text', bytes: 30, marker: 'run-9.' };
      story.send({ content: { ...text, digest: 'the body' }, outcome, stores });
      const refused = story.send({ content: text, outcome: 'refused', status: 409 });
      story.read([itemOf(refused, 1)]);
      expect(allFound(story).filter((each) => each.startsWith('conflict'))).toEqual(names);
    },
  );

  it.each(['author', 'peer'])('is no reason for what others wrote in the same words, beside %s', (known) => {
    const content = { digest: '+', bytes: 1, marker: undefined };
    const story = new Story();
    story.read([itemOf(story.send({ agent: known }), 1)]);
    const send = story.send({ outcome: 'refused', status: 403, content });
    story.read([itemOf({ ...send, agent: 'reader' }, 2)], { after: 1 });
    expect(foundAndShown(story)).toEqual([]);
  });

  it.each([
    { by: 'author', names: ['conflict-applied send.conflict-stores-nothing'] },
    { by: 'peer', names: [] },
  ])('is read where the same was accepted elsewhere, by $by: $names', ({ by, names }) => {
    const story = new Story();
    story.feed([], { agent: 'author' });
    const send = story.send();
    const other = story.send({ ...send, channel: ids.other, outcome: 'refused', status: 409 });
    story.read([itemOf(send, 1)]);
    story.read([itemOf({ ...other, agent: by }, 1, { id: 'another' })], { stream: ids.other });
    expect(allFound(story).filter((each) => each.startsWith('conflict'))).toEqual(names);
  });

  finds('may have been tried again', [], (story) => {
    const send = story.send({ outcome: 'refused', status: 400 });
    story.send({ key: send.key, content: send.content, outcome: 'indeterminate', status: undefined });
    story.read([itemOf(send, 1)]);
  });

  it('is put to the test when its channel is read afterwards', () => {
    const story = new Story();
    story.send({ outcome: 'refused', status: 400 });
    expect(judged(story).opportunities.get('send.refused-stores-nothing')).toBeUndefined();
    story.read([]);
    expect(judged(story).opportunities.get('send.refused-stores-nothing')).toBe(1);
  });

  it.each([
    { hasMore: false, names: ['aborted-read send.refused-stores-nothing'] },
    { hasMore: true, names: [] },
  ])(
    'without a marker counts only behind what was the end of its channel: more after it $hasMore',
    ({ hasMore, names }) => {
      const story = new Story();
      story.read([itemOf(story.send(), 1)], { hasMore });
      const content = { digest: '+', bytes: 1, marker: undefined };
      const send = story.send({ content, outcome: 'refused', status: 400 });
      // What stands behind the middle of a channel may have been there for long.
      story.read([itemOf(send, 3)], { after: 2 });
      expect(allFound(story).filter((each) => each.includes('refused-stores-nothing'))).toEqual(names);
    },
  );

  it('without a marker counts only where its place came after it', () => {
    const content = { digest: 'a', bytes: 1, marker: undefined };
    const story = new Story();
    story.read([itemOf(story.send(), 4)]);
    const send = story.send({ outcome: 'refused', status: 400, content });
    story.read([itemOf(send, 3)]);
    expect(allFound(story).filter((each) => each.startsWith('aborted'))).toEqual([]);
    story.read([itemOf(send, 5)]);
    expect(allFound(story)).toContain('aborted-read send.refused-stores-nothing');
  });
});

describe('a message with a marker of the run', () => {
  const content = { digest: 'ghost', bytes: 9, marker: 'run-99.' };

  it('was sent by somebody', () => {
    const story = new Story();
    story.read([itemOf(story.send(), 1, { content, sizeBytes: 9 })]);
    expect(foundAndShown(story)).toEqual(['unexpected channel-read.nothing-unsent']);
    const unclear = new Story();
    unclear.send({ stores: 'nothing' });
    unclear.read([itemOf(unclear.send(), 1, { content, sizeBytes: 9 })]);
    expect(foundAndShown(unclear)).toEqual([]);
  });

  finds('may be of a send whose content nobody knows', [], (story) => {
    story.read([itemOf(story.send({ content: undefined }), 1, { content, sizeBytes: 9 })]);
  });

  finds('and none of another run', [], (story) => {
    story.read([itemOf(story.send(), 1, { content: { ...content, marker: undefined }, sizeBytes: 9 })]);
  });

  it('that was read before its send is a fault of the history', () => {
    const story = new Story();
    const send = story.send({ startedMs: 100, endedMs: 110, outcome: 'refused' });
    story.read([itemOf(send, 1)], { startedMs: 80, endedMs: 99 });
    expect(allFound(story)).toEqual([]);
    const possible = new Story();
    const other = possible.send({ startedMs: 100, endedMs: 110, outcome: 'refused' });
    possible.read([itemOf(other, 1)], { startedMs: 80, endedMs: 100 });
    expect(allFound(possible)).toEqual(['aborted-read send.refused-stores-nothing']);
  });
});

describe('a message', () => {
  it('stands in its own channel', () => {
    const story = new Story();
    const send = story.send();
    story.read([itemOf(send, 1)]);
    expect(foundAndShown(story)).toEqual([]);
    story.read([itemOf(send, 1, { channel: ids.other, id: 'another' })], { stream: ids.other });
    expect(allFound(story)).toContain('cross-channel-leak send.to-the-named-channel');
  });

  it('names its channel, in a feed as well', () => {
    const story = new Story();
    const send = story.send({ targets: [`agent:${ids.reader}`] });
    story.feed([itemOf(send, 1)]);
    expect(foundAndShown(story)).toEqual([]);
    story.feed([itemOf(send, 1, { channel: ids.other })]);
    expect(allFound(story)).toContain('cross-channel-leak message.channel-id.is-its-channel');
  });

  it('is blamed on the send that was accepted', () => {
    const story = new Story();
    const send = story.send({ outcome: 'indeterminate' });
    story.send({ key: send.key, content: send.content });
    story.read([itemOf(send, 1, { channel: ids.other })]);
    const [anomaly] = judged(story).anomalies;
    expect(anomaly?.witness.map(({ kind, outcome }) => `${outcome} ${kind}`)).toEqual([
      'accepted send',
      'accepted read',
    ]);
  });
});

describe('a channel', () => {
  const without = ids.channel.replaceAll('-', '');
  const leaks = (story: Story): readonly string[] =>
    allFound(story).filter((each) => each.startsWith('cross'));

  it.each([without, `{${ids.channel}}`, `urn:uuid:${ids.channel}`, 'general'])(
    'may have been asked for as %s, in a send as in a read',
    (spelled) => {
      const story = new Story();
      story.feed([], { agent: 'author' });
      const send = story.send({ channel: spelled });
      const shown = itemOf({ ...send, channel: ids.channel }, 1);
      const mention = mentionOf(shown, 70);
      story.read([shown]);
      story.read([shown], { stream: spelled });
      story.feed([mention], { agent: 'peer' });
      expect(leaks(story)).toEqual([]);
    },
  );

  it('is another one where both ids are written as the contract writes them', () => {
    const story = new Story();
    story.feed([], { agent: 'author' });
    const send = story.send({ channel: ids.other });
    story.read([itemOf({ ...send, channel: ids.channel }, 1)]);
    expect(leaks(story)).toEqual(['cross-channel-leak send.to-the-named-channel']);
  });
});
