import { describe, expect, it } from 'vitest';
import { requestFactsOf } from '../../../harness/config/request-facts.ts';
import { defaultBindings, defaultNames } from '../../../harness/config/target.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { operationLine } from '../../../harness/judging/operation-line.ts';
import { HistoryRecorder } from '../../../harness/record/history-recorder.ts';
import { reportPartsOf } from '../../../harness/record/request-parts.ts';
import { listMentions, parseExact, readChannel, sendMessage } from '../../../spec/calls/index.ts';
import type { BodyDraft, CallRequest } from '../../../spec/calls/index.ts';
import type { Item } from '../../../history/seen-message.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const channel = '5B3E3C5C-0000-4000-8000-000000000001';
const runId = 'cf-0123456789abcdef';

function recorder(): HistoryRecorder {
  const target = { bindings: defaultBindings, names: defaultNames };
  return new HistoryRecorder({ runId, settleMs: 50, isDurable: false }, target);
}

interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly token?: string;
}

let ids = 0;

function exchange(
  request: CallRequest,
  { status = 200, body = '', headers = {}, token = 'a' }: Answer,
): Exchange {
  ids += 1;
  return exchangeOf(
    { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } },
    { status, headers, bytes: Buffer.from(body), json: body === '' ? undefined : parseExact(body) },
    { id: ids, startedMs: ids, endedMs: ids + 0.5 },
  );
}

/** What a recorder of its own makes of one exchange. */
const recorded = (request: CallRequest, answer: Answer) => recorder().add('check', exchange(request, answer));

const idOf = (end: string): string => `0f8fad5b-d9cb-469f-a165-7086772895${end}`;
const message = (id: string, sequence: string): string =>
  `{"id":"${id}","channel_id":"${channel}","sequence":${sequence},"content":"${runId}-7. hello","mentions":null}`;
const page = (items: readonly string[], next: string): string =>
  `{"messages":[${items.join(',')}],"page":{"next_after":${next},"has_more":false,"high_watermark":${next}}}`;

/** The items that a recorder has of a page. */
const itemsOf = (all: HistoryRecorder, body: string): readonly Item[] => {
  const operation = all.add('check', exchange(readChannel(channel), { body }));
  return operation?.kind === 'read' ? operation.items : [];
};

describe('a recorder', () => {
  it.each([
    ['an id that is an object', '"id":{"toString":1}'],
    ['a long integer within a session', '"author":{"source_session":{"session_id":[12345678901234567890]}}'],
  ])('takes messages with %s, on pages of a channel and of mentions', (_, fields) => {
    const shown = `{${fields},"channel_id":"${channel}","sequence":1,"content":"hello"}`;
    expect(itemsOf(recorder(), page([shown], '1'))).toHaveLength(1);
    const mentions = `{"mentions":[{"id":"${idOf('01')}","sequence":1,"message":${shown}}],"page":{"next_after":1,"has_more":false}}`;
    expect(recorded(listMentions({}), { body: mentions })).toMatchObject({ kind: 'read', items: [{}] });
  });

  it('keeps of a send what a read can show', () => {
    const draft = {
      content: `${runId}-7. hello`,
      content_type: 'text/plain',
      [defaultBindings.mentions]: [
        { kind: 'user', id: idOf('BB') },
        { kind: 'agent', id: idOf('AA') },
        { kind: 'agent', id: idOf('aa') },
      ],
      [defaultBindings.attachments]: [idOf('F2'), idOf('F1')],
    };
    const operation = recorded(sendMessage(channel, draft, 'key'), { status: 201 });
    expect(operation).toMatchObject({
      index: 0,
      kind: 'send',
      agent: 'author',
      outcome: 'accepted',
      channel: channel.toLowerCase(),
      key: 'key',
      content: { bytes: 28, marker: `${runId}-7.` },
      contentType: 'text/plain',
      targets: [`agent:${idOf('aa')}`, `user:${idOf('bb')}`],
      files: [idOf('f1'), idOf('f2')],
      expected: 'open',
      stores: 'all',
    });
  });

  it('knows a source session by the word that the contract has for its provider', () => {
    const providers = { ...defaultNames.providers, provider_b: 'bellows' };
    const target = { bindings: defaultBindings, names: { ...defaultNames, providers } };
    const own = new HistoryRecorder({ runId, settleMs: 50, isDurable: false }, target);
    const session = { provider: 'bellows', surface: 'cli', session_id: 'abc' };
    const kept = '[["provider","provider_b"],["session_id","abc"],["surface","cli"]]';
    const sent = sendMessage(channel, { content: 'x', [defaultBindings.sourceSession]: session }, 'key');
    expect(own.add('check', exchange(sent, { status: 201 }))).toMatchObject({ session: kept });
    const author = `"author":{"id":"${idOf('aa')}","source_session":${JSON.stringify(session)}}`;
    const shown = message(idOf('01'), '1').replace('"mentions"', `${author},"mentions"`);
    const read = own.add('check', exchange(readChannel(channel, { after: 0 }), { body: page([shown], '1') }));
    expect(read).toMatchObject({ items: [{ message: { author: { session: kept } } }] });
  });

  const marker = `${runId}-7.`;
  it.each<[string, BodyDraft, string, string]>([
    ['an unknown field', { content: marker, colour: 'red' }, 'open', 'content'],
    ['a content that is no string', { content: 7 }, 'reject', 'nothing'],
    ['a content that is to be refused', { content: `${marker}\0` }, 'reject', 'nothing'],
    ['JSON that is cut short', `{"content":"${marker}`, 'reject', 'nothing'],
    ['its content twice', `{"content":"${marker}","content":"${marker} else"}`, 'open', 'nothing'],
    ['a comma too many', `{"content":"${marker}",}`, 'open', 'nothing'],
    [
      'a target spelled otherwise',
      { content: marker, mentions: [{ kind: 'agent', id: 'x' }] },
      'open',
      'content',
    ],
    ['a file in another spelling', { content: marker, attachments: [' f1'] }, 'open', 'content'],
    ['its body in bytes', Buffer.from(`{"content":"${marker}"}`), 'open', 'all'],
  ])('says of a send with %s what its message shows', (_what, body, expected, stores) => {
    const operation = recorded(sendMessage(channel, body, 'key'), { status: 400 });
    expect(operation).toMatchObject({ kind: 'send', outcome: 'refused', expected, stores });
    const isMarked = !JSON.stringify(body).includes('7}');
    expect(operation).toMatchObject({ content: isMarked ? { marker } : undefined });
  });

  it('knows of a good credential, and of a channel of the target, that a send is to be taken', () => {
    const target = { bindings: defaultBindings, names: defaultNames, channelId: channel };
    const facts = { runId, settleMs: 50, isDurable: false };
    const all = new HistoryRecorder(facts, target, {
      asked: requestFactsOf(target, new Map([['Bearer a', 'author']])),
    });
    const key = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const expectedOf = (id: string, body: BodyDraft, token = 'a') =>
      all.add('check', exchange(sendMessage(id, body, key), { status: 201, token }));
    expect(expectedOf(channel, { content: 'x' })).toMatchObject({ expected: 'accept' });
    // Credentials and channels may come with the run.
    expect(expectedOf(channel, { content: 'x' }, 'b')).toMatchObject({ expected: 'open' });
    expect(expectedOf(key, { content: 'x' })).toMatchObject({ expected: 'open' });
    expect(expectedOf(key, { content: '' })).toMatchObject({ expected: 'reject' });
  });

  it('keeps sequences beyond 2^53 exactly', () => {
    const [low, high] = ['9007199254740992', '9007199254740993'];
    const body = page([message('m1', low), message('m2', high)], high);
    const operation = recorded(readChannel(channel, { after: BigInt(low) }), { body });
    expect(operation).toMatchObject({ kind: 'read', after: BigInt(low), nextAfter: BigInt(high) });
    const items = operation?.kind === 'read' ? operation.items : [];
    expect(items.map(({ sequence }) => sequence)).toEqual([BigInt(low), BigInt(high)]);
  });

  it.each([
    ['after=-1', 'after=-1'],
    ['after=0&limit=101', 'after=0&limit=101'],
    ['limit=1&limit=2', 'limit=1&limit=2'],
    [`after=${'9'.repeat(50)}x`, `after=${'9'.repeat(40)}…`],
    ['limit=5&agent_id=hidden-one&hidden-two&hidden%20three=1', 'limit=5&agent_id=…&…&…=…'],
    ['%6Cimit=0&&after', '%6Cimit=0&&after'],
    [`${'limit=7&'.repeat(20)}`, `${'limit=7&'.repeat(8)}…`],
  ])(
    'keeps of the query ?%s, which is no plain page, what shows the fault and is no secret',
    (query, kept) => {
      const operation = recorded({ ...listMentions(), query }, { status: 400 });
      expect(operation).toMatchObject({ isBaseline: false, query: kept, after: undefined, limit: undefined });
      expect(operation && operationLine(operation, 0)).toContain(` ?${kept} -> 400`);
    },
  );

  it('keeps no query beside the page that it asks for', () => {
    const operation = recorded({ ...listMentions(), query: 'after=0&limit=100' }, {});
    expect(operation).toMatchObject({ isBaseline: true, after: 0, limit: 100, query: undefined });
  });

  it.each([
    { status: 429, seconds: 7 },
    { status: 503, seconds: 7 },
    { status: 500, seconds: undefined },
  ])('keeps for how long a $status asks the client to wait', ({ status, seconds }) => {
    const answer = { status, headers: { 'retry-after': ['7'] } };
    expect(recorded(readChannel(channel), answer)?.retryAfter).toBe(seconds);
  });

  it('knows of a message that it lists a target more than once', () => {
    const all = recorder();
    const target = `{"kind":"agent","id":"${idOf('31')}"}`;
    const itemWith = (...mentions: readonly string[]) =>
      itemsOf(all, page([message(idOf('30'), '1').replace('null', `[${mentions.join()}]`)], '1'))[0]?.message;
    expect(itemWith(target)?.repeatsTarget).toBeUndefined();
    expect(itemWith(target, target)).toMatchObject({ targets: [`agent:${idOf('31')}`], repeatsTarget: true });
  });

  it('has one object for an item that several pages show, and another once it looks otherwise', () => {
    const all = recorder();
    const read = (body: string) => itemsOf(all, body);
    const [first] = read(page([message('m1', '1')], '1'));
    const [, again] = read(page([message('m0', '0'), message('m1', '1')], '1'));
    const [other] = read(page([message('m1', '1').replace('hello', 'hullo')], '1'));
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(other?.message.content?.digest).not.toBe(first?.message.content?.digest);
  });

  it('knows a channel whose id is written with escapes', () => {
    const spelled = channel.replace('5', '%35');
    const sent = recorded(sendMessage(spelled, { content: 'hello' }, 'key'), { status: 201 });
    expect(sent).toMatchObject({ channel: channel.toLowerCase() });
    const read = recorded(readChannel(spelled), { body: page([message('m', '1')], '1') });
    expect(read).toMatchObject({ stream: `channel ${channel.toLowerCase()}` });
  });

  it('tells lone surrogates apart', () => {
    const all = recorder();
    const contents = ['\\ud800', '\\ud801', '\\ufffd'].map((text) => {
      const [item] = itemsOf(all, page([message('m1', '1').replace('hello', text)], '1'));
      return item?.message.content?.digest;
    });
    expect(new Set(contents).size).toBe(3);
  });

  it('gives each credential a name of its own', () => {
    const all = recorder();
    const streams = ['a', 'b', 'a'].map((token) => {
      const operation = all.add('check', exchange(listMentions(), { token, body: page([], '0') }));
      return operation?.kind === 'read' ? operation.stream : '';
    });
    expect(streams).toEqual(['feed author', 'feed author (2)', 'feed author']);
  });

  it.each([
    ['a parameter twice', 'after=1&after=2'],
    ['one that the contract does not have', { after: 0, order: 'descending' }],
    ['a limit out of its range', { limit: 101 }],
    ['a number in another spelling', { after: '01' }],
  ])('says of a read with %s that it is not the contract’s', (_what, query) => {
    const operation = recorded(readChannel(channel, query), { body: page([], '0') });
    expect(operation).toMatchObject({ kind: 'read', isBaseline: false });
  });

  it('reads a query that is spelled by hand as everybody does', () => {
    const read = recorded(readChannel(channel, 'after=7&limit=50&wait=2'), { body: page([], '7') });
    expect(read).toMatchObject({ isBaseline: true, after: 7, limit: 50, wait: 2 });
  });

  it.each([
    [204, 'accepted'],
    [409, 'refused'],
    [429, 'refused'],
    [302, 'indeterminate'],
    [408, 'indeterminate'],
    [500, 'indeterminate'],
  ])('takes status %d of a send for %s', (status, outcome) => {
    expect(recorded(sendMessage(channel, { content: 'x' }, 'key'), { status })).toMatchObject({ outcome });
  });
});

it('records a report in the channel that its path names, however that is spelled', () => {
  const id = '0b9c1f6a-3d0e-4a55-9a53-3c1f1b6f2c11';
  const spelled = ['0B9C1F6A', '%30b9c1f6a'].map((first) => `/v0/channels/${first}${id.slice(8)}/receipts`);
  for (const path of spelled) {
    const report = reportPartsOf(
      { call: 'other', method: 'POST', path, body: `{"message_ids":["${id}"]}`, headers: {} },
      defaultBindings,
    );
    expect(report).toEqual({ kind: 'report', channel: id, messages: [id] });
  }
});
