import { describe, expect, it } from 'vitest';
import { identity } from '../../../history/judges/identity.ts';
import type { Read, Send } from '../../../history/operation.ts';
import type { SeenMessage } from '../../../history/seen-message.ts';
import { worldOf } from '../../../history/world/world.ts';
import { finds } from '../finds.ts';
import { allFound, authorWith, foundAndShown, ids, itemOf, judged, mentionOf, Story } from '../fixtures.ts';

/** What is shown once each way may be two releases behind one address. */
function readTwice(story: Story, ...shown: Parameters<Story['read']>): void {
  story.read(...shown);
  story.read(...shown);
}

describe('one sequence', () => {
  it('stands for one message', () => {
    const story = new Story();
    const [one, other] = [story.send(), story.send()];
    story.read([itemOf(one, 1)]);
    story.read([itemOf(one, 1), itemOf(other, 2)]);
    expect(foundAndShown(story)).toEqual([]);
    story.read([itemOf(other, 1)]);
    expect(allFound(story)).toContain('inconsistent-offsets channel-read.sequence-names-one-message');
  });

  finds('stands for it in each channel by itself', [], (story) => {
    story.read([itemOf(story.send(), 1)]);
    story.read([itemOf(story.send({ channel: ids.other }), 1)], { stream: ids.other });
  });

  finds('stands for it in a feed', ['inconsistent-offsets mentions.sequence-names-one-mention'], (story) => {
    const targets = [`agent:${ids.reader}`];
    story.feed([mentionOf(itemOf(story.send({ targets }), 1), 7)]);
    story.feed([mentionOf(itemOf(story.send({ targets }), 2), 7)]);
  });

  finds(
    'is not used again after a restart',
    ['sequence-reuse channel-read.restart-reuses-no-sequence'],
    (story) => {
      story.read([itemOf(story.send(), 1)]);
      story.change('restart');
      story.read([itemOf(story.send(), 1)]);
    },
  );
});

describe('one message', () => {
  finds('stays at its place', ['moved message.id.one-message'], (story) => {
    const send = story.send();
    story.read([itemOf(send, 1)]);
    story.read([itemOf(send, 2)]);
  });

  it('stays at its place in a feed, unless it may stand there twice', () => {
    const [reader, human] = [`agent:${ids.reader}`, `user:${ids.human}`];
    const story = new Story();
    const twice = itemOf(story.send({ targets: [reader, human] }), 1);
    story.feed([mentionOf(twice, 7)]);
    story.feed([mentionOf(twice, 8)], { after: 7 });
    expect(foundAndShown(story)).toEqual([]);
    const once = itemOf(story.send({ targets: [reader] }), 2);
    story.feed([mentionOf(once, 9)], { after: 8 });
    story.feed([mentionOf(once, 10)], { after: 9 });
    expect(foundAndShown(story)).toEqual(['moved mention.sequence.immutable']);
  });

  finds.each([
    {
      agent: 'reader',
      agentId: ids.reader,
      what: 'another agent beside its reader',
      names: ['moved mention.sequence.immutable'],
    },
    {
      agent: 'reader',
      agentId: undefined,
      what: 'two agents, where no answer says which one reads',
      names: [],
    },
    { agent: 'api-key', agentId: ids.reader, what: 'two agents, where a key may act as either', names: [] },
  ])('stays at its place in a feed that lists it, and names $what: $names', (story, { agent, agentId }) => {
    const send = story.send({ targets: [`agent:${ids.reader}`, `agent:${ids.peer}`] });
    story.feed([mentionOf(itemOf(send, 1), 7)], { agent, agentId });
    story.feed([mentionOf(itemOf(send, 1), 8)], { agent, agentId, after: 7 });
  });

  it.each<{ what: string; shown: Partial<SeenMessage>; names: readonly string[] }>([
    { what: 'one target', shown: {}, names: ['moved mention.sequence.immutable'] },
    { what: 'one target twice', shown: { repeatsTarget: true }, names: [] },
    { what: 'two targets', shown: { targets: [`agent:${ids.peer}`, `agent:${ids.reader}`] }, names: [] },
    { what: 'no list of targets', shown: { targets: [], leftOut: 'targets' }, names: [] },
  ])('stays at its place in a feed that leaves targets out, where its channel shows $what', (row) => {
    const story = new Story();
    const send = story.send({ targets: [`agent:${ids.reader}`] });
    const left = itemOf(send, 1, { targets: [], leftOut: 'targets' });
    story.read([itemOf(send, 1, row.shown)]);
    story.feed([mentionOf(left, 7)]);
    story.feed([mentionOf(left, 8)], { after: 7 });
    story.feed([mentionOf(left, 8)], { after: 7 });
    expect(foundAndShown(story).filter((each) => each.startsWith('moved'))).toEqual(row.names);
    // Where it may stand twice nobody knows whether it stayed.
    expect(judged(story).opportunities.get('mention.sequence.immutable') ?? 0).toBe(row.names.length);
  });

  it.each<{
    readonly what: string;
    readonly fields: Partial<SeenMessage>;
    readonly names: readonly string[];
  }>([
    { what: 'the same', fields: {}, names: [] },
    {
      what: 'the same time in another form',
      fields: { createdAt: '2026-01-01T00:00:00.000+00:00' },
      names: [],
    },
    { what: 'a field that is not usable', fields: { workspace: undefined, author: undefined }, names: [] },
    {
      what: 'another time',
      fields: { createdAt: '2026-01-01T00:00:01Z' },
      names: ['mutated message.immutable'],
    },
    { what: 'another workspace', fields: { workspace: ids.other }, names: ['mutated message.immutable'] },
    { what: 'another type', fields: { contentType: 'text/html' }, names: ['mutated message.immutable'] },
    {
      what: 'other targets',
      fields: { targets: [`agent:${ids.peer}`] },
      names: ['mutated message.immutable'],
    },
    { what: 'other files', fields: { files: [ids.file] }, names: ['mutated message.immutable'] },
    {
      what: 'another author',
      fields: authorWith({ id: ids.peer }),
      names: ['mutated message.author.immutable'],
    },
    {
      what: 'another name',
      fields: authorWith({ displayName: 'x' }),
      names: ['mutated message.author.immutable'],
    },
    { what: 'a host', fields: authorWith({ host: 'h' }), names: ['mutated message.author.immutable'] },
    {
      what: 'a human',
      fields: authorWith({ human: { id: ids.human, displayName: null } }),
      names: ['mutated message.author.immutable'],
    },
  ])('read again with $what: $names', ({ fields, names }) => {
    const story = new Story();
    const send = story.send();
    readTwice(story, [itemOf(send, 1)]);
    readTwice(story, [itemOf(send, 1, fields)]);
    const kinds = new Set(['mutated', 'moved', 'inconsistent-offsets']);
    expect(foundAndShown(story).filter((each) => kinds.has(each.split(' ')[0] ?? ''))).toEqual(names);
  });

  it('keeps its names and targets after a rename, and its files after a deletion', () => {
    const story = new Story();
    const send = story.send();
    const human = (displayName: string) => ({ human: { id: ids.human, displayName } });
    story.read([itemOf(send, 1, authorWith(human('before')))]);
    story.change('rename');
    story.change('file', { detail: 'delete' });
    story.read([
      itemOf(send, 1, {
        ...authorWith({ ...human('after'), displayName: 'new' }),
        targets: [`agent:${ids.peer}`],
        files: [ids.file],
      }),
    ]);
    const mutations = judged(story).anomalies.filter(({ name }) => name === 'mutated');
    expect(mutations.map(({ clause }) => clause).toSorted()).toEqual([
      'human-user.display-name.captured-at-write',
      'message.attachments.stable',
      'message.author.captured-at-write',
      'message.mentions.never-re-resolved',
    ]);
  });

  it.each([
    { subject: ids.machine, clause: 'message.author.captured-at-write', names: [ids.machine] },
    { subject: ids.human, clause: 'message.author.immutable', names: [] },
  ])('changes the name of a machine after a rename of $subject: $clause', ({ subject, clause, names }) => {
    const story = new Story();
    const send = story.send();
    const machine = (displayName: string) => authorWith({ machine: { id: ids.machine, displayName } });
    story.read([itemOf(send, 1, machine('before'))]);
    story.change('rename', { detail: 'machine', subject });
    story.read([itemOf(send, 1, machine('after'))]);
    const [mutation] = judged(story).anomalies.filter(({ name }) => name === 'mutated');
    expect(mutation?.clause).toBe(clause);
    expect(mutation?.expected).toContain('machine name as shown before, before');
    const shown = mutation?.witness.flatMap((each) => (each.kind === 'change' ? [each.subject] : []));
    expect(shown).toEqual(names);
  });

  it.each([
    { what: 'mentions', sent: { targets: [`agent:${ids.peer}`] }, shown: { targets: [] } },
    { what: 'attachments', sent: { files: [ids.file] }, shown: { files: [] } },
  ])('blames the sight that is not as sent, and no change after it: $what', ({ what, sent, shown }) => {
    const story = new Story();
    const send = story.send(sent);
    const wrong = story.read([itemOf(send, 1, shown)]);
    story.change(what === 'mentions' ? 'rename' : 'file', { subject: undefined });
    const right = story.read([itemOf(send, 1)]);
    const [mutation] = judged(story).anomalies.filter(({ name }) => name === 'mutated');
    const [value] = Object.values(sent).flat();
    expect(mutation).toMatchObject({
      clause: 'message.immutable',
      expected: expect.stringMatching(`${what} as sent, and as shown later, ${value}`) as string,
      actual: 'none',
      witness: [send, wrong, right],
      decides: wrong,
    });
  });

  it('has its id alone, over all channels', () => {
    const story = new Story();
    const [one, other] = [story.send(), story.send({ channel: ids.other })];
    story.read([itemOf(one, 1)]);
    story.read([itemOf(other, 1, { id: itemOf(one, 1).id })], { stream: ids.other });
    expect(allFound(story)).toContain('mutated message.id.one-message');
  });

  it('reads the same in a feed as in its channel', () => {
    const story = new Story();
    const send = story.send({ targets: [`agent:${ids.reader}`] });
    story.read([itemOf(send, 1)]);
    story.feed([mentionOf(itemOf(send, 1), 7)]);
    expect(foundAndShown(story)).toEqual([]);
    expect(judged(story).opportunities.get('mentions.feed-agrees-with-channel')).toBe(1);
    story.feed([mentionOf(itemOf(send, 2), 7)]);
    expect(foundAndShown(story)).toEqual(['feed-channel-disagree mentions.feed-agrees-with-channel']);
  });

  const targets = [`agent:${ids.reader}`];
  const leftOut = ['left-out message.optional-fields-in-every-view'];
  it.each<{ what: string; fields: Partial<SeenMessage>; names: readonly string[] }>([
    { what: 'leaves targets out', fields: { targets: [], leftOut: 'targets' }, names: leftOut },
    { what: 'leaves files out', fields: { files: [], leftOut: 'files' }, names: leftOut },
    { what: 'leaves the host out', fields: authorWith({ host: undefined }), names: leftOut },
    {
      what: 'shows another host',
      fields: authorWith({ host: 'other' }),
      names: ['feed-channel-disagree mentions.feed-agrees-with-channel'],
    },
    {
      what: 'shows that there are no files',
      fields: { files: [] },
      names: ['feed-channel-disagree mentions.feed-agrees-with-channel'],
    },
  ])('of which a feed $what: $names', ({ fields, names }) => {
    const story = new Story();
    const send = story.send({ targets, files: [ids.file] });
    const shown = { targets, files: [ids.file], ...authorWith({ host: 'host' }) };
    story.read([itemOf(send, 1, shown)]);
    story.feed([mentionOf(itemOf(send, 1, { ...shown, ...fields }), 7)]);
    const kinds = new Set(['left-out', 'feed-channel-disagree', 'unmentioned']);
    expect(foundAndShown(story).filter((each) => kinds.has(each.split(' ')[0] ?? ''))).toEqual(names);
  });

  it('may show its author what it shows to no other, but shows one reader the same', () => {
    const story = new Story();
    const send = story.send();
    const [plain, signed] = [itemOf(send, 1), itemOf(send, 1, authorWith({ host: 'host' }))];
    readTwice(story, [signed], { agent: 'author' });
    readTwice(story, [plain]);
    expect(foundAndShown(story)).toEqual(leftOut);
    story.read([plain], { agent: 'author' });
    expect(foundAndShown(story)).toContain('mutated message.author.immutable');
  });

  it('may be shown without a field now and then, as by two releases behind one address', () => {
    const story = new Story();
    const send = story.send();
    const [plain, signed] = [itemOf(send, 1), itemOf(send, 1, authorWith({ host: 'host' }))];
    readTwice(story, [signed]);
    story.read([plain]);
    // Of what was shown once nobody knows whether it stays.
    expect(foundAndShown(story)).toEqual(leftOut);
    story.read([plain]);
    expect(foundAndShown(story)).toEqual(['mutated message.author.immutable']);
    story.read([signed]);
    expect(foundAndShown(story)).toEqual(leftOut);
  });

  const changed = ['mutated message.immutable'];
  finds.each<{ what: string; later: Partial<Send>; names: readonly string[] }>([
    { what: 'refused', later: { outcome: 'refused', status: 409 }, names: changed },
    { what: 'accepted', later: {}, names: changed },
    { what: 'refused under another key', later: { outcome: 'refused', key: 'other' }, names: leftOut },
    { what: 'refused with another host', later: { outcome: 'refused', host: 'other' }, names: leftOut },
  ])('shows nothing from then on that was $what under its key: $names', (story, { later }) => {
    const first = story.send();
    story.read([itemOf(first, 1)]);
    story.send({ key: first.key, content: first.content, host: 'host', ...later });
    story.read([itemOf(first, 1, authorWith({ host: 'host' }))]);
  });

  it('may show what was first sent with it, though one read leaves it out before it is sent again', () => {
    const story = new Story();
    const first = story.send({ host: 'host' });
    story.read([itemOf(first, 1, authorWith({ host: undefined }))]);
    story.send({ key: first.key, content: first.content, host: 'host' });
    story.read([itemOf(first, 1)]);
    expect(foundAndShown(story)).toContain(leftOut[0]);
    expect(foundAndShown(story)).not.toContain(changed[0]);
  });

  finds.each([
    { kind: { wait: 1 }, names: leftOut },
    { kind: { after: undefined }, names: leftOut },
    { kind: { limit: 7 }, names: ['mutated message.immutable'] },
  ])('may be shown without a list in one kind of read ($kind): $names', (story, { kind }) => {
    const send = story.send({ targets });
    readTwice(story, [itemOf(send, 1)]);
    readTwice(story, [itemOf(send, 1, { targets: [], leftOut: 'targets' })], kind);
  });

  it('changes in both views, and is not what a feed and its channel disagree about', () => {
    const story = new Story();
    const send = story.send({ targets });
    const [was, is] = [
      itemOf(send, 1, authorWith({ host: 'one' })),
      itemOf(send, 1, authorWith({ host: 'other' })),
    ];
    story.read([was]);
    story.read([is]);
    story.feed([mentionOf(is, 7)]);
    const told = foundAndShown(story).filter((each) => /^(?:mutated|feed-channel-disagree)/.test(each));
    expect(told).toEqual(['mutated message.author.immutable']);
  });

  const disagree = 'feed-channel-disagree mentions.feed-agrees-with-channel';
  it.each([
    { what: 'stored twice', shown: 2, sequence: 2, last: true, names: [] },
    { what: 'another at its place', shown: 1, sequence: 1, last: true, names: [disagree] },
    { what: 'another that the channel lacks', shown: 1, sequence: 2, last: true, names: [disagree] },
    { what: 'another beyond the end of the channel', shown: 1, sequence: 2, last: false, names: [] },
  ])('of which a feed shows $what: $names', ({ shown, sequence, last, names }) => {
    const story = new Story();
    const send = story.send({ targets });
    const [one, again] = [itemOf(send, 1), itemOf(send, sequence, { id: ids.other })];
    story.read([one]);
    story.feed([mentionOf(one, 71), mentionOf(again, 72)].slice(2 - shown));
    story.wait();
    if (last) story.read(shown === 2 ? [one, again] : [one], { nextAfter: 2 });
    expect(foundAndShown(story).filter((each) => !each.startsWith('duplicate'))).toEqual(names);
  });

  const without = { targets: [], leftOut: 'targets' } as const;
  it.each<{ what: string; was: Partial<SeenMessage>; is: Partial<SeenMessage>; names: readonly string[] }>([
    { what: 'nothing', was: {}, is: {}, names: changed },
    { what: 'targets', was: without, is: {}, names: leftOut },
    {
      what: 'a host',
      was: authorWith({ host: undefined }),
      is: authorWith({ host: 'host' }),
      names: ['mutated message.author.immutable', ...changed],
    },
  ])('that loses its targets for good is excused by no other than one that gains some: $what', (row) => {
    const story = new Story();
    const [one, other] = [story.send({ targets }), story.send({ targets })];
    readTwice(story, [itemOf(one, 1), itemOf(other, 2, row.was)]);
    readTwice(story, [itemOf(one, 1, without), itemOf(other, 2, row.is)]);
    expect(foundAndShown(story).toSorted()).toEqual(row.names);
  });

  finds(
    'that loses its session for good is not excused by a host that comes and goes',
    ['left-out message.optional-fields-in-every-view', 'mutated message.author.immutable'],
    (story) => {
      const [one, other] = [story.send(), story.send()];
      const [signed, plain] = [itemOf(one, 1, authorWith({ session: 'session' })), itemOf(one, 1)];
      const [hosted, bare] = [itemOf(other, 2, authorWith({ host: 'host' })), itemOf(other, 2)];
      readTwice(story, [signed, hosted]);
      readTwice(story, [plain, bare]);
      readTwice(story, [plain, hosted]);
    },
  );

  const [toReader, toPeer] = [{ targets }, { targets: [`agent:${ids.peer}`] }];
  const [host, session] = ['host', 'session'].map((part) =>
    ['one', 'other'].map((value) => authorWith({ [part]: value })),
  );
  it.each<{
    what: string;
    first: Partial<SeenMessage>;
    later: readonly Partial<SeenMessage>[];
    clause: string;
  }>([
    { what: 'targets', first: without, later: [toReader, toPeer], clause: 'message.immutable' },
    { what: 'no targets', first: without, later: [{ targets: [] }, toPeer], clause: 'message.immutable' },
    {
      what: 'files',
      first: { files: [], leftOut: 'files' },
      later: [{ files: [ids.file] }, { files: [ids.other] }],
      clause: 'message.immutable',
    },
    { what: 'a host', first: {}, later: host ?? [], clause: 'message.author.immutable' },
    { what: 'a session', first: {}, later: session ?? [], clause: 'message.author.immutable' },
  ])('keeps what the read that showed it first leaves out: $what', ({ first, later, clause }) => {
    const told = (inFeed: boolean) => {
      const story = new Story();
      const send = story.send({ targets: [] });
      const show = (fields: Partial<SeenMessage>, kind: Partial<Read>) =>
        inFeed
          ? story.feed([mentionOf(itemOf(send, 1, fields), 7)], kind)
          : story.read([itemOf(send, 1, fields)], kind);
      show(first, { after: undefined });
      for (const fields of later) [1, 2].forEach(() => show(fields, {}));
      return foundAndShown(story).filter((each) => each.startsWith('mutated'));
    };
    expect([told(false), told(true)]).toEqual([[`mutated ${clause}`], [`mutated ${clause}`]]);
  });

  it('is compared within a feed too where another read of it left something out first', () => {
    const story = new Story();
    const send = story.send({ targets });
    story.read([itemOf(send, 1)]);
    for (const fields of [without, toReader, toPeer]) story.feed([mentionOf(itemOf(send, 1, fields), 7)]);
    expect(allFound(story)).toContain('mutated message.immutable');
  });

  describe('is compared until ten thousand have changed', () => {
    const same = { createdAt: '2026-01-01T00:00:00.000+00:00' };
    const other = { createdAt: '2026-01-01T00:00:01Z' };

    /** What is found in as many messages as there are rows, which one read shows as sent and the next with these fields. */
    function comparedIn(rows: readonly Partial<SeenMessage>[]) {
      const story = new Story();
      const sent = rows.map(() => story.send());
      story.read(sent.map((send, index) => itemOf(send, index + 1)));
      story.read(sent.map((send, index) => itemOf(send, index + 1, rows[index])));
      return identity.judge(worldOf(story.history));
    }

    function many(fields: Partial<SeenMessage>): readonly Partial<SeenMessage>[] {
      return Array.from({ length: 10_001 }, () => fields);
    }

    it('of which those have not that show the same in other words', () => {
      expect(comparedIn([...many(same), other]).breaches.get('message.immutable')).toBe(1);
    });

    it('of which those have not that leave something out', () => {
      const hosted = authorWith({ host: 'host' });
      expect(comparedIn([...many(hosted), other]).breaches.get('message.immutable')).toBe(1);
    });

    it('and puts nothing to the test from then on', () => {
      const testedIn = (rows: readonly Partial<SeenMessage>[]) =>
        comparedIn(rows).opportunities.get('message.immutable');
      expect(testedIn([...many(other), same, same])).toBe(testedIn(many(other)));
    });
  });

  it('may be shown with another field from some time on, where what was recorded is the traffic of days', () => {
    const story = new Story({ isPartial: true });
    const send = story.send();
    story.read([itemOf(send, 1, authorWith({ host: 'host' }))]);
    story.read([itemOf(send, 1)]);
    expect(allFound(story).filter((each) => each.startsWith('mutated'))).toEqual([]);
  });
});
