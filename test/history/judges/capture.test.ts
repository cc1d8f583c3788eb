import { describe, expect, it } from 'vitest';
import type { Send } from '../../../history/operation.ts';
import type { SeenMessage } from '../../../history/seen-message.ts';
import { finds } from '../finds.ts';
import {
  allFound,
  authorWith,
  foundAndShown,
  ids,
  inShort,
  itemOf,
  judged,
  mentionOf,
  messageOf,
  Story,
} from '../fixtures.ts';

/** A story with one message, sent and shown like this, after one that shows that the server knows every field. */
function shown(send: Partial<Send>, message: Partial<SeenMessage> = {}): Story {
  const story = new Story();
  story.feed([]);
  story.feed([], { agent: 'author' });
  const whole = story.send({ targets: [agent], files: ['f0'], session, host: 'known' });
  story.read([itemOf(whole, 1), itemOf(story.send(send), 2, message)]);
  return story;
}

/** The same of a server that has shown no field as it was sent. */
function shownAlone(send: Partial<Send>, message: Partial<SeenMessage>): Story {
  const story = new Story();
  story.feed([]);
  story.feed([], { agent: 'author' });
  story.read([itemOf(story.send(send), 1, message)]);
  return story;
}

const agent = `agent:${ids.reader}`;
const unknown = 'agent:00000000-0000-4000-8000-000000000099';
const session = '{"provider":"provider_b","session_id":"s1","surface":"cli"}';

describe('a message shows', () => {
  it('everything as it was sent', () => {
    const story = shown({ targets: [agent], session, host: 'a host', contentType: 'text/markdown' });
    expect(foundAndShown(story)).toEqual([]);
    const tested = [...judged(story).opportunities.keys()];
    expect(tested).toEqual(
      expect.arrayContaining([
        'message.content.unaltered',
        'message.content-type.kept',
        'message.mentions.captured',
        'source-session.valid-is-accepted',
        'author.agent-host.captured-at-write',
        'author.is-the-agent',
      ]),
    );
  });

  it('the text that was sent', () => {
    const content = { digest: 'cut', bytes: 19, marker: 'run-2.' };
    expect(foundAndShown(shown({}, { content, sizeBytes: 19 }))).toEqual([
      'content-corruption message.content.unaltered',
    ]);
    // What is read in different ways, or is to be refused, may show as anything.
    expect(foundAndShown(shown({ stores: 'nothing' }, { content, sizeBytes: 19 }))).toEqual([]);
  });

  finds('the text of one of the sends with its marker', [], (story) => {
    const first = story.send();
    const content = { digest: 'longer', bytes: 30, marker: 'run-1.' };
    const second = story.send({ content });
    story.read([itemOf(first, 1), itemOf(second, 2)]);
  });

  finds.each([
    { sizeBytes: 19, names: ['wrong-size message.size-bytes.is-utf8-length'] },
    { sizeBytes: 20, names: [] },
    { sizeBytes: 21, names: ['wrong-size message.size-bytes.is-utf8-length'] },
  ])('size_bytes $sizeBytes of 20: $names', (_, { sizeBytes }) => shown({}, { sizeBytes }));

  finds.each([
    { sent: undefined, is: 'text/plain', names: [] },
    { sent: undefined, is: 'text/html', names: ['wrong-content-type message.content-type.default'] },
    { sent: 'text/markdown', is: 'text/Markdown', names: [] },
    { sent: 'text/markdown', is: 'text/plain', names: ['wrong-content-type message.content-type.kept'] },
  ])('content type $is of $sent: $names', (_, { sent, is }) =>
    shown({ contentType: sent }, { contentType: is }),
  );

  finds.each([
    { sent: [agent], is: [], names: ['wrong-targets message.mentions.captured'] },
    { sent: [agent], is: [agent, unknown], names: ['wrong-targets message.mentions.captured'] },
    { sent: [], is: [agent], names: ['wrong-targets message.mentions.captured'] },
    { sent: [unknown], is: [], names: [] },
    { sent: ['agent:nobody'], is: [], names: [] },
  ])('targets $is of $sent: $names', (_, { sent, is }) => shown({ targets: sent }, { targets: is }));

  it('targets that an @ in the text may stand for', () => {
    const addressing = { digest: 'of @peer', bytes: 20, marker: 'run-2.', hasAt: true } as const;
    const added = shown({ content: addressing }, { targets: [agent] });
    expect(foundAndShown(added)).toEqual([]);
    const dropped = shown({ content: addressing, targets: [agent] }, { targets: [] });
    expect(foundAndShown(dropped)).toEqual(['wrong-targets message.mentions.captured']);
  });

  it('files that were there', () => {
    const names = ['wrong-files message.attachments.captured'];
    const files = [ids.file];
    expect(foundAndShown(shown({}, { files }))).toEqual(names);
    expect(foundAndShown(shown({ files }))).toEqual([]);
    expect(foundAndShown(shown({ files }, { files: [] }))).toEqual([]);
    const known = shown({ files }, { files: [] });
    known.read([itemOf(known.send({ files }), 3)], { after: 2 });
    expect(judged(known).anomalies.map(({ name }) => name)).toEqual(['wrong-files']);
  });

  finds.each([
    { sent: session, is: undefined, names: ['wrong-session source-session.valid-is-accepted'] },
    {
      sent: session,
      is: session.replace('s1', 's2'),
      names: ['wrong-session source-session.valid-is-accepted'],
    },
    { sent: session.replace('cli', 'moon'), is: undefined, names: [] },
    { sent: undefined, is: session, names: [] },
  ])('session $is of $sent: $names', (_, { sent, is }) =>
    shown({ session: sent }, authorWith({ session: is })),
  );

  finds.each([
    { sent: 'h'.repeat(80), is: undefined, names: ['wrong-host author.agent-host.captured-at-write'] },
    { sent: 'h'.repeat(81), is: undefined, names: [] },
    { sent: 'h', is: 'H', names: ['wrong-host author.agent-host.captured-at-write'] },
    { sent: undefined, is: 'h', names: [] },
    // A server may trim it, or write it in another form of Unicode.
    { sent: ' h', is: 'h', names: [] },
    { sent: 'e\u0301', is: 'é', names: [] },
  ])('host $is of $sent: $names', (_, { sent, is }) => shown({ host: sent }, authorWith({ host: is })));

  finds.each([
    { areTogether: true, names: ['wrong-host author.agent-host.captured-at-write'] },
    { areTogether: false, names: [] },
  ])('what its page shows of others, on one page with them: $areTogether', (story, { areTogether }) => {
    const [one, other] = [story.send({ host: 'h' }), story.send({ host: 'h' })];
    const bare = itemOf(other, 2, authorWith({ host: undefined }));
    if (areTogether) story.read([itemOf(one, 1), bare]);
    else {
      story.read([itemOf(one, 1)]);
      story.read([bare], { after: 1 });
    }
  });

  finds(
    'what its last page shows of others, where its first one had it alone',
    ['wrong-host author.agent-host.captured-at-write'],
    (story) => {
      const [one, other] = [story.send({ host: 'h' }), story.send({ host: 'h' })];
      const bare = itemOf(one, 1, authorWith({ host: undefined }));
      story.read([bare]);
      story.read([bare, itemOf(other, 2)]);
    },
  );

  it.each([
    { isInTurn: false, names: ['wrong-targets message.mentions.captured'] },
    { isInTurn: true, names: [] },
  ])('what another channel always shows, where releases take turns: $isInTurn', ({ isInTurn, names }) => {
    const story = new Story();
    story.feed([]);
    story.feed([], { agent: 'author' });
    const targets = [agent];
    const leftOut = { targets: [], leftOut: 'targets' as const };
    const shownThere = itemOf(story.send({ targets }), 1);
    story.read([shownThere], { agent: 'author' });
    // Another reader of the first channel, seen to get the same message with its targets and without.
    const second = story.send({ targets });
    story.read([itemOf(second, 2, isInTurn ? leftOut : {})], { after: 1 });
    story.read([itemOf(second, 2)], { after: 1 });
    const channel = '00000000-0000-4000-8000-0000000000cc';
    const others = [1, 2, 3, 4, 5, 6].map((sequence) =>
      itemOf(story.send({ targets, channel }), sequence, leftOut),
    );
    for (const _ of [1, 2]) story.read(others, { agent: 'author', stream: channel });
    expect(
      [...new Set(judged(story).anomalies.map(inShort))].filter((each) => each.startsWith('wrong')),
    ).toEqual(names);
  });

  finds.each([
    { detail: 'access inactive', back: undefined, names: [] },
    { detail: 'access inactive', back: 'access active', names: ['wrong-targets message.mentions.captured'] },
  ])('no target that was out of use: $detail, $back', (story, { detail, back }) => {
    story.feed([]);
    story.feed([], { agent: 'author' });
    const whole = story.send({ targets: [agent] });
    story.change('deactivate', { subject: ids.reader, detail });
    if (back !== undefined) story.change('deactivate', { subject: ids.reader, detail: back });
    const without = itemOf(story.send({ targets: [agent] }), 2, { targets: [] });
    story.read([itemOf(whole, 1), without]);
  });

  it.each([
    { own: 2, names: [] },
    { own: 3, names: ['content-corruption message.content.unaltered'] },
  ])(
    'in traffic no text that the answer to a send shows, unless $own others show their own: $names',
    (each) => {
      const story = new Story({ isPartial: true });
      const text = (digest: string) => ({ digest, bytes: 20, marker: undefined });
      const answered = (at: number, shownText: string) => {
        const content = text(`text ${at}`);
        const item = itemOf(new Story().send({ content }), at, { id: `m${at}`, content: text(shownText) });
        story.send({ content, shown: item.message });
        return item;
      };
      const items = Array.from({ length: each.own }, (_, at) => answered(at + 1, `text ${at + 1}`));
      story.read([...items, answered(9, 'of somebody, or of the service')]);
      expect(foundAndShown(story).filter((name) => name.startsWith('content'))).toEqual(each.names);
    },
  );

  it.each([
    {
      what: 'would have to lie between two',
      isThere: false,
      names: ['content-corruption message.content.unaltered'],
    },
    { what: 'lies there', isThere: true, names: [] },
  ])('in traffic no other text that answers show, where the one that was sent $what: $names', (each) => {
    const story = new Story({ isPartial: true });
    const text = (digest: string) => ({ digest, bytes: 20, marker: undefined });
    const answered = (at: number) => {
      const content = text(`text ${at}`);
      const item = itemOf(new Story().send({ content }), at, { id: `m${at}`, content: text(`other ${at}`) });
      const send = story.send({ content, shown: item.message });
      return [item, itemOf(send, at + 1, { id: `own ${at}` })] as const;
    };
    const [first, own] = answered(1);
    const [next] = answered(3);
    story.read([first, ...(each.isThere ? [own] : []), next]);
    expect(foundAndShown(story).filter((name) => name.startsWith('content'))).toEqual(each.names);
  });

  it.each([
    { beforeMs: 100, afterMs: 9_000, files: [], names: ['wrong-targets message.mentions.captured'] },
    { beforeMs: 100, afterMs: 11_000, files: [], names: [] },
    { beforeMs: 11_000, afterMs: 100, files: [], names: [] },
    { beforeMs: 100, afterMs: 9_000, files: [ids.file], names: [] },
  ])('in traffic no target or file that may have been out of use: %o', (each) => {
    const story = new Story({ isPartial: true });
    const fields = each.files.length > 0 ? { files: each.files } : { targets: [agent] };
    story.feed([], { agent: 'author' });
    const whole = story.send(fields);
    story.read([itemOf(whole, 1)]);
    story.feed([]);
    story.wait(each.beforeMs);
    const without = itemOf(story.send(fields), 2, { targets: [], files: [] });
    story.wait(each.afterMs).feed([]);
    story.read([itemOf(whole, 1), without]);
    expect(foundAndShown(story).filter((name) => name.startsWith('wrong'))).toEqual(each.names);
  });

  it('nothing of a message that another send left, be it refused, where its own is shown by the id of its answer', () => {
    const story = new Story();
    const own = ids.file;
    const send = story.send({ contentType: 'text/csv' });
    Object.assign(send, { shown: messageOf(send, 1, { id: own }) });
    story.send({ key: send.key, content: send.content, outcome: 'refused', status: 409 });
    story.read([itemOf(send, 1, { id: own }), itemOf(send, 2, { contentType: 'text/plain' })]);
    expect(foundAndShown(story).filter((each) => each.startsWith('wrong'))).toEqual([]);
    const alone = new Story();
    const sent = alone.send({ contentType: 'text/csv' });
    Object.assign(sent, { shown: messageOf(sent, 1, { id: own }) });
    alone.read([itemOf(sent, 2, { contentType: 'text/plain' })]);
    expect(foundAndShown(alone)).toEqual(['wrong-content-type message.content-type.kept']);
  });

  it('no other author where an answer shows the message before its own, in the same text by somebody else', () => {
    const story = new Story();
    for (const agent of ['author', 'peer']) story.feed([], { agent });
    const before = story.send({});
    const { key, content } = before;
    const own = story.send({ agent: 'peer', key, content, shown: messageOf(before, 1) });
    story.read([itemOf(before, 1), itemOf(own, 2, { id: ids.file })]);
    expect(foundAndShown(story).filter((each) => each.startsWith('wrong'))).toEqual([]);
  });

  it('nothing certain of a field whose name a server may not know', () => {
    const fields = { targets: [agent], files: ['f0'], session, host: 'h' };
    const none = { targets: [], files: [], ...authorWith({}) };
    expect(foundAndShown(shownAlone(fields, none))).toEqual([]);
    expect(foundAndShown(shownAlone({}, { targets: [agent] }))).toEqual([
      'wrong-targets message.mentions.captured',
    ]);
  });

  it('what was sent with a text that has no marker, unless others have sent the same', () => {
    const content = { digest: 'a', bytes: 1, marker: undefined };
    const files = [ids.file];
    const story = new Story();
    story.feed([]);
    story.feed([], { agent: 'author' });
    const whole = story.send({ targets: [agent], files: ['f0'], session, host: 'known' });
    story.read([itemOf(whole, 1)]);
    const short = story.send({ content });
    const spoiled = itemOf(short, 2, { id: 'one', files });
    story.read([itemOf(whole, 1), spoiled]);
    expect(judged(story).anomalies.map(({ name }) => name)).toEqual(['wrong-files']);
    // Nobody knows which of the two is whose.
    const others = itemOf(short, 3, { id: 'another' });
    story.read([itemOf(whole, 1), spoiled, others]);
    expect(foundAndShown(story)).toEqual([]);
  });

  describe('its text, also where no marker is left of it,', () => {
    const corrupted = ['content-corruption message.content.unaltered'];
    const lost = ['lost-write service.sent-is-readable'];

    it.each([
      { told: 'its id', marker: 'run-2.', names: corrupted },
      { told: 'its id', marker: undefined, names: corrupted },
      { told: 'nothing', marker: 'run-2.', names: lost },
      { told: 'nothing', marker: undefined, names: lost },
      { told: 'its id beside another text', marker: 'run-2.', names: lost },
      { told: 'its id beside another text', marker: undefined, names: lost },
      { told: 'the id of the older one', marker: 'run-2.', names: lost },
      { told: 'the id of the older one', marker: undefined, names: lost },
    ])('where the answer to a text with $marker told $told: $names', ({ told, marker, names }) => {
      const story = new Story();
      story.feed([], { agent: 'author' });
      const older = itemOf(story.send(), 1);
      story.read([older]);
      const sent = story.send({ content: { digest: '~', bytes: 20, marker } });
      const spoiled = itemOf(sent, 2, { content: { digest: '*', bytes: 20, marker: undefined } });
      const answers = new Map([
        ['its id', messageOf(sent, 2)],
        ['its id beside another text', spoiled.message],
        ['the id of the older one', older.message],
      ]);
      Object.assign(sent, { shown: answers.get(told) });
      story.wait().read([older, spoiled]);
      expect(foundAndShown(story)).toEqual(names);
      const decided = judged(story).anomalies.flatMap(({ witness }) => witness.map(({ kind }) => kind));
      expect(decided).toContain('send');
      const [first] = judged(story).anomalies;
      const isAltered = told === 'its id beside another text';
      expect(first?.actual.startsWith('no message has its text: ')).toBe(isAltered);
    });

    finds(
      'but for one that was sent twice without a marker: which of the two it was nobody knows',
      [],
      (story) => {
        const content = { digest: '~', bytes: 20, marker: undefined };
        const [one, other] = [story.send({ content }), story.send({ content })];
        Object.assign(one, { shown: messageOf(one, 1) });
        const spoiled = itemOf(one, 1, { content: { ...content, digest: '*' } });
        story.wait().read([spoiled, itemOf(other, 2, { id: ids.other })]);
      },
    );
  });

  const byAnother = ['wrong-author author.is-the-agent'];
  const refused = { outcome: 'refused', status: 429 } as const;
  const answered = messageOf(new Story().send(), 2, { id: ids.other });

  it.each<{ what: string; send: Partial<Send>; isMarked: boolean; names: readonly string[] }>([
    { what: 'was refused for a limit', send: refused, isMarked: false, names: [] },
    { what: 'was answered with another id', send: { shown: answered }, isMarked: false, names: [] },
    { what: 'was answered with another id', send: { shown: answered }, isMarked: true, names: [] },
    { what: 'was accepted', send: {}, isMarked: false, names: byAnother },
    { what: 'was accepted', send: {}, isMarked: true, names: byAnother },
  ])('its agent; another may have sent what $what (marked: $isMarked)', ({ send, isMarked, names }) => {
    const story = new Story();
    story.feed([], { agent: 'author' });
    story.read([itemOf(story.send(), 1)]);
    const content = { digest: '~', bytes: 1, marker: isMarked ? 'run-2.' : undefined };
    const sent = story.send({ content, ...send });
    story.read([itemOf(sent, 3, authorWith({ id: ids.peer }))], { after: 1 });
    expect(allFound(story)).toEqual(names);
  });

  finds(
    'no other value, however many messages lack the field on pages that may',
    ['wrong-session source-session.valid-is-accepted'],
    (story) => {
      const shownWith = (session: string | undefined) => authorWith({ session });
      story.read([itemOf(story.send({ session }), 1, shownWith(session))]);
      for (let sequence = 2; sequence < 103; sequence += 1)
        story.read([itemOf(story.send({ session }), sequence, shownWith(undefined))], {
          after: sequence - 1,
        });
      const other = shownWith(session.replace('s1', 's2'));
      story.read([itemOf(story.send({ session }), 103, other)], { after: 102 });
    },
  );

  it.each([
    { of: 'its workspace', workspace: ids.workspace, isCaptured: true },
    { of: 'another', workspace: ids.other, isCaptured: false },
  ])('the agents, humans, machines and files of $of: $isCaptured', ({ workspace, isCaptured }) => {
    const somebody = { id: ids.peer, displayName: 'somebody' };
    const by = authorWith({ id: ids.peer, human: somebody, machine: somebody });
    for (const dropped of [
      { targets: [`agent:${ids.peer}`] },
      { targets: [`user:${ids.peer}`] },
      { targets: [`machine:${ids.peer}`] },
      { files: [ids.file] },
    ]) {
      const story = new Story();
      const there = story.send({ agent: 'peer', channel: ids.other, files: [ids.file] });
      story.feed([], { agent: 'peer' });
      story.read([itemOf(there, 1, { workspace, ...by })], { agent: 'peer', stream: ids.other });
      story.feed([]);
      const whole = story.send({ targets: [agent], files: ['f0'] });
      const without = { targets: [], files: [] };
      story.read([itemOf(whole, 1), itemOf(story.send(dropped), 2, without)], { agent: 'reader' });
      expect(allFound(story).filter((each) => each.includes('captured'))).toHaveLength(isCaptured ? 1 : 0);
    }
  });

  it('what it was sent with in its channel, however many copies in a feed lack that', () => {
    const story = new Story();
    const without = { targets: [], leftOut: 'targets' } as const;
    story.feed([]);
    const [first, ...others] = Array.from({ length: 102 }, (_, at) =>
      itemOf(story.send({ targets: [agent] }), at + 1),
    );
    story.feed(
      others.map((item) =>
        mentionOf({ ...item, message: { ...item.message, ...without } }, item.sequence ?? 0),
      ),
    );
    const lost = itemOf(story.send({ targets: [agent] }), 103, without);
    story.read([...(first === undefined ? [] : [first]), ...others, lost]);
    expect(allFound(story)).toContain('wrong-targets message.mentions.captured');
  });

  it('the agent that sent it, once an answer has named that', () => {
    const wrong = authorWith({ id: ids.peer });
    expect(foundAndShown(shown({}, wrong))).toEqual(['wrong-author author.is-the-agent']);
    expect(foundAndShown(shown({ agent: 'peer' }, wrong))).toEqual([]);
    const unnamed = new Story();
    unnamed.read([itemOf(unnamed.send(), 1, wrong)]);
    expect(foundAndShown(unnamed)).toEqual([]);
  });

  finds('nothing certain of a body that the contract does not show', [], () =>
    shown({ stores: 'content', host: 'h' }, { targets: [agent] }),
  );
});
