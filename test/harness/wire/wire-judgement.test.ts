import { describe, expect, it } from 'vitest';
import { defaultNames } from '../../../harness/config/target.ts';
import { judgeWire } from '../../../harness/wire/wire-judgement.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { listingOf, messageOf } from '../../fixtures/message.ts';

const id = '0d0c1c9e-5f5b-4a39-9f0e-2b8f6a1f0a11';

function judgeListing(headers: Readonly<Record<string, string>>, actor = 'reader') {
  const json = { mentions: [], page: { next_after: 0, has_more: false, high_watermark: 0 } };
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const exchange = exchangeOf(
    { call: 'mentions', path: '/v0/mentions' },
    { headers: { 'content-type': ['application/json'], ...lists }, bytes: new Uint8Array(2), json },
    { actor },
  );
  const judgement = judgeWire(exchange, { names: defaultNames, runId: 'cf-1' });
  return {
    broken: judgement?.problems.map(({ clause }) => clause),
    isPut: judgement?.exercised.has('mentions.agent-id-header.present'),
  };
}

describe('the header that names the caller', () => {
  const missed = ['mentions.agent-id-header.present'];

  it.each([
    ['is there, and nothing is broken', { 'x-service-agent-id': id }, [], true],
    ['is missed', {}, missed, true],
    ['is missed beside one of a like name that holds no id', { 'x-agent-id': 'none' }, missed, true],
    ['may have another name, which the target is to say', { 'x-forge-agent-id': id }, [], false],
  ])('%s', (_, headers: Readonly<Record<string, string>>, broken, isPut) => {
    expect(judgeListing(headers)).toEqual({ broken, isPut });
  });

  it('may be missing for a key of the workspace, and holds a UUID for it too', () => {
    const listedByKey = (headers: Readonly<Record<string, string>>) => judgeListing(headers, 'api-key');
    expect(listedByKey({}).broken).toEqual([]);
    expect(listedByKey({ 'x-service-agent-id': 'workspace-7' }).broken).toEqual([
      'mentions.agent-id-header.type',
    ]);
  });
});

it.each([
  [200, []],
  [201, ['mentions.status-is-200']],
  [206, ['mentions.status-is-200']],
])('a listing that succeeds with %i breaks %j', (status, broken) => {
  const json = listingOf();
  const headers = { 'content-type': ['application/json'], [defaultNames.agentIdHeader]: [id] };
  const bytes = Buffer.from(JSON.stringify(json));
  const exchange = exchangeOf(
    { call: 'mentions', path: '/v0/mentions' },
    { status, headers, bytes, json },
    { actor: 'reader' },
  );
  const { problems = [], exercised } = judgeWire(exchange, { names: defaultNames, runId: 'cf-1' }) ?? {};
  expect(problems.map(({ clause }) => clause)).toEqual(broken);
  expect(exercised).toContain('mentions.status-is-200');
});

describe('the form of an answer from below the handlers', () => {
  const judged = (path: string, status: number) => {
    const exchange = exchangeOf(
      { call: path.startsWith('/v1') ? 'overview' : 'send', path },
      { status, headers: { 'content-type': ['text/html'] }, bytes: Buffer.from('<h1>no</h1>') },
    );
    const { problems = [] } = judgeWire(exchange, { names: defaultNames, runId: 'cf-1' }) ?? {};
    return problems.map(({ clause }) => clause);
  };
  const broken = ['service.bodies-are-json', 'service.content-type-is-json'];

  it.each([404, 405])('is open for a %i to an address without an id', (status) => {
    expect(judged('/v1/human/workspaces/me', status)).toEqual([]);
    expect(judged(`/v1/human/workspaces/${id}0`, status)).toEqual([]);
    expect(judged('/v0/channels/general/messages?after=0', status)).toEqual([]);
  });

  it("is the contract's for an address with one, and for any other status", () => {
    expect(judged(`/v1/human/workspaces/${id}`, 404)).toEqual(broken);
    expect(judged(`/v0/channels/${id}/messages`, 404)).toEqual(broken);
    expect(judged('/v1/human/workspaces/me', 400)).toEqual(broken);
  });
});

describe('the body of a refusal', () => {
  const clause = 'errors.body-is-api-error';

  it.each([
    ['an ApiError', { error: { code: 'no', message: 'no' } }, { isShown: true, isBroken: false }],
    ['a word', 'no', { isShown: true, isBroken: true }],
    ['an object of another form', { message: 'no' }, { isShown: false, isBroken: false }],
    ['an error without a code', { error: { message: 'no' } }, { isShown: false, isBroken: false }],
  ])('puts the clause that it is an ApiError to the test where it is %s: %j', (_what, json, expected) => {
    const exchange = exchangeOf(
      { call: 'mentions', path: '/v0/mentions' },
      { status: 400, headers: { 'content-type': ['application/json'] }, bytes: new Uint8Array(2), json },
    );
    const { problems = [], exercised } = judgeWire(exchange, { names: defaultNames, runId: 'cf-1' }) ?? {};
    const isBroken = problems.some((each) => each.clause === clause);
    expect({ isShown: exercised?.has(clause), isBroken }).toEqual(expected);
  });
});

describe('the members of an overview', () => {
  const clause = 'overview.members.leave-at-once';
  const judged = (...statuses: readonly string[]) => {
    const members = statuses.map((status) => ({ status }));
    const exchange = exchangeOf(
      { call: 'overview', path: `/v1/human/workspaces/${id}` },
      { headers: { 'content-type': ['application/json'] }, bytes: new Uint8Array(2), json: { members } },
    );
    const { problems = [], exercised } = judgeWire(exchange, { names: defaultNames, runId: 'cf-1' }) ?? {};
    return {
      problems: problems.flatMap((each) => (each.clause === clause ? each.actual : [])),
      isPut: exercised?.has(clause),
    };
  };

  it('may be shown as former ones by nobody, and prove nothing where none is', () => {
    expect(judged('active', 'removed', 'left')).toEqual({ problems: ['status removed'], isPut: true });
    expect(judged('active', 'active')).toEqual({ problems: [], isPut: false });
  });
});

describe('what a read of a channel lists', () => {
  const judged = (message: object, told: string) => {
    const page = { next_after: 1, has_more: false, high_watermark: 1 };
    const exchange = exchangeOf(
      { path: `/v0/channels/${id}/messages` },
      {
        headers: { 'content-type': ['application/json'] },
        bytes: new Uint8Array(2),
        json: { messages: [message], page },
      },
    );
    const isTold = (each: string): boolean => each === told;
    const { problems = [] } = judgeWire(exchange, { names: defaultNames, runId: 'cf-1', isTold }) ?? {};
    return problems.map(({ clause }) => clause);
  };
  const message = messageOf(1);

  it.each([
    { what: 'with its text', text: 'of cf-1', told: 'another', names: [] },
    { what: 'with null for its text', text: null, told: message.id, names: ['message.content.type'] },
    { what: 'with another text', text: 'another', told: message.id, names: [] },
    { what: 'of somebody else', text: null, told: 'another', names: [] },
  ])('is known for a message by its marker or by the id that an answer told: $what', (each) => {
    const { text, told, names } = each;
    const content = { content: text, ...(text !== null && { size_bytes: Buffer.byteLength(text) }) };
    expect(judged({ ...message, ...content }, told)).toEqual(names);
  });

  it('is none without an author, whatever its id', () => {
    expect(judged({ id: message.id, sequence: 1, payload: message }, message.id)).toEqual([]);
    expect(judged({ ...message, content: null }, message.id)).toEqual(['message.content.type']);
  });
});
