import { describe, expect, it } from 'vitest';
import { resolve, type Places } from '../../../../fuzz/cases/case-request.ts';
import { readInteger } from '../../../../spec/oracles/requests/expect-query.ts';
import { expectationOf, type OracleFacts } from '../../../../spec/oracles/requests/expectation.ts';
import { goodRequests, mentionsOf, sendOf } from '../../../../fuzz/cases/baseline-requests.ts';
import { readSentBody } from '../../../../spec/oracles/requests/sent-body.ts';
import { textFactsOf } from '../../../../spec/oracles/requests/text-facts.ts';
import { contentSpace } from '../../../../generators/spaces/content/content-space.ts';
import { limitSpace } from '../../../../generators/spaces/query/parameter-space.ts';
import { textOf } from '../../../../generators/texts/text.ts';
import { defaultBindings, defaultNames } from '../../../../harness/config/target.ts';

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
const places: Places = {
  channelId: id,
  secondChannelId: undefined,
  workspaceId: id,
  tokenOf: (role) => `token-of-${role}-0123456789`,
  freshKey: () => id,
  principalOf: () => id,
};
const facts: OracleFacts = {
  bindings: defaultBindings,
  names: defaultNames,
  provedFields: new Set(['source_session', 'mentions']),
  demands: { mentions: new Set(), refused: new Map() },
  channelOf: (each) => (each === id ? 'there' : 'absent'),
  workspaceId: id,
  ownerOf: (token) => /^token-of-([a-z-]+)-0123456789$/.exec(token)?.[1] as 'author' | undefined,
};

function said(request: Parameters<typeof resolve>[0]): string {
  const sent = resolve(request, places, () => 'fmark00000000001')?.sent;
  if (sent === undefined) throw new Error('unresolved');
  const { expected } = expectationOf(sent, facts);
  return expected.kind === 'reject' ? `reject ${expected.clause}` : expected.kind;
}

const bodies: readonly (readonly [string, string])[] = [
  ['{"content":"a"}', 'accept'],
  ['{"content":""}', 'reject send.content-not-empty'],
  ['{"content":"\\u0000"}', 'reject send.nul-refused'],
  ['{"content":"\\ud800"}', 'reject send.lone-surrogates-refused'],
  ['{"content":"\\ud83d\\ude00"}', 'accept'],
  ['{"content":7}', 'reject send.content.scalars-refused'],
  ['{"content":null}', 'reject send.content.scalars-refused'],
  ['{"content":["a"]}', 'reject send.content.type'],
  ['{"content":" "}', 'accept'],
  ['{"content":""', 'reject errors.refusals-are-4xx'],
  ['{"content":"a","content":"b"}', 'open'],
  ['{"content":"a",}', 'open'],
  ["{'content':'a'}", 'open'],
  ['{"content":"a","x":1}', 'open'],
  ['{"content":"a","hasOwnProperty":1,"__proto__":{}}', 'open'],
  ['{"content":"","x":1}', 'reject send.content-not-empty'],
  ['{"content":"a","content_type":7}', 'reject send.content-type.type'],
  ['{"content":"a","content_type":"text/html"}', 'open'],
  ['{"content":"\\u0000","content_type":7}', 'reject errors.refusals-are-4xx'],
  [
    '{"content":"a","source_session":{"provider":"provider_b","surface":"cloud","session_id":"NeW"}}',
    'reject source-session.cloud-new-is-refused',
  ],
  [
    '{"content":"a","source_session":{"provider":"provider_b","surface":"cli","session_id":"a b","url":"https://x"}}',
    'reject source-session.urls-are-refused',
  ],
  [
    '{"content":"a","source_session":{"provider":"provider_d","surface":"cli","session_id":"20240101_240000_0a1b2c"}}',
    'open',
  ],
  [
    '{"content":"a","source_session":{"provider":"provider_d","surface":"desktop","session_id":"20240101_240000_0a1b2c"}}',
    'reject source-session.invalid-is-refused',
  ],
  [
    `{"content":"a","mentions":[{"kind":"agent","id":"${id}","name":"somebody"}]}`,
    'reject mention-target.extra-fields-are-refused',
  ],
  [`{"content":"a","mentions":[{"kind":"robot","id":"${id}","name":"somebody"}]}`, 'open'],
  [
    '{"content":"a","source_session":{"provider":"provider_d","surface":"cli","session_id":"20240229_235960_abcdef"}}',
    'open',
  ],
  [
    '{"content":"a","source_session":{"provider":"provider_d","surface":"cli","session_id":"20230229_235959_abcdef"}}',
    'reject source-session.invalid-is-refused',
  ],
];

const queries: readonly (readonly [string, string])[] = [
  ['limit=1', 'accept'],
  ['limit=100', 'accept'],
  ['limit=0', 'reject mentions.limit.min'],
  ['limit=101', 'reject mentions.limit.max'],
  ['limit=abc', 'reject mentions.limit.type'],
  ['limit=01', 'open'],
  ['limit=%2B1', 'open'],
  ['limit=null', 'reject mentions.limit.type'],
  ['limit=5,10', 'reject mentions.limit.type'],
  ['limit=1,000', 'open'],
  ['limit=5,0', 'open'],
  ['limit=Infinity', 'open'],
  ['limit=0&limit=0', 'open'],
  ['after=0', 'accept'],
  ['after=-1', 'reject mentions.after.min'],
  ['after=9223372036854775808', 'open'],
  ['limit=0&after=-1', 'reject errors.refusals-are-4xx'],
  ['order=desc', 'reject errors.unsupported-parameter-is-400'],
];

const credentials: readonly (readonly [string | undefined, string])[] = [
  ['Bearer {token:author}', 'accept'],
  [undefined, 'reject errors.mentions-missing-credential-is-401'],
  ['', 'reject errors.mentions-malformed-credential-is-401'],
  ['Bearer *', 'reject errors.mentions-malformed-credential-is-401'],
  ['Basic {token:author}', 'reject errors.mentions-malformed-credential-is-401'],
  ['{look-alike:author}', 'reject errors.mentions-malformed-credential-is-401'],
  ['{token:author}', 'open'],
  ['Bearer {look-alike:author}', 'reject errors.mentions-unknown-credential-is-401'],
  ['Bearer {token:author}{token:author}', 'reject errors.mentions-unknown-credential-is-401'],
  ['Bearer x{token:author}', 'reject errors.mentions-unknown-credential-is-401'],
  ['Bearer {token:author}xy', 'reject errors.mentions-unknown-credential-is-401'],
  ['Bearer {token:author}x', 'reject auth.respelled-credential'],
  ['Bearer ~{token:author}~', 'reject auth.respelled-credential'],
  ['Bearer {token:machine}', 'reject auth.machine-token-refused-on-agent-surface'],
  ['bearer {token:author}', 'open'],
  ['Bearer {token:author}, realm="a"', 'open'],
  ['Bearer "{token:author}"', 'open'],
];

describe('what is expected is computed from the bytes', () => {
  it.for(bodies)('of the body %s', ([body, wanted]) => expect(said(sendOf(body))).toBe(wanted));

  it.for(queries)('of the query %s', ([query, wanted]) => expect(said(mentionsOf(query))).toBe(wanted));

  it.for(credentials)('of the credential %s', ([authorization, wanted]) => {
    const { authorization: _usual, ...headers } = goodRequests.mentions.headers as Readonly<
      Record<string, string>
    >;
    const request = {
      ...goodRequests.mentions,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    };
    expect(said(request)).toBe(wanted);
  });

  it.for([
    ['machine', 'accept'],
    ['author', 'reject overview.requires-a-machine-token'],
    ['api-key', 'reject overview.requires-a-machine-token'],
    ['stranger', 'reject overview.requires-a-machine-token'],
    ['outsider', 'reject overview.requires-a-machine-token'],
    ['expired', 'reject auth.expired-credential'],
    ['revoked', 'reject auth.revoked-credential'],
  ] as const)('of the credential of %s at the overview', ([role, wanted]) => {
    const { overview } = goodRequests;
    const headers = { ...overview.headers, authorization: `Bearer {token:${role}}` };
    expect(said({ ...overview, headers })).toBe(wanted);
  });

  it.for([
    ['author', 'accept'],
    ['api-key', 'accept'],
    ['outsider', 'reject auth.no-access-is-403'],
    ['stranger', 'reject auth.other-workspace-refused'],
  ] as const)('of the credential of %s at what belongs to a channel', ([role, wanted]) => {
    for (const call of ['channel-read', 'receipts-list', 'send'] as const) {
      const request = goodRequests[call];
      const headers = { ...request.headers, authorization: `Bearer {token:${role}}` };
      expect(said({ ...request, headers })).toBe(wanted);
    }
  });

  it('of the very last byte', () => {
    expect(said(sendOf(JSON.stringify({ content: 'a'.repeat(500_000) })))).toBe('accept');
    expect(said(sendOf(JSON.stringify({ content: 'a'.repeat(500_001) })))).toBe('reject send.content-bytes');
    expect(said(sendOf(JSON.stringify({ content: `${'a'.repeat(499_997)}😀` })))).toBe(
      'reject send.content-bytes',
    );
  });

  it('of how long the body is, for which no limit has a number', () => {
    const expectedOf = (content: string, authorization?: string) => {
      const request = sendOf(JSON.stringify({ content }));
      const sent = resolve(request, places, () => 'fmark00000000001')?.sent;
      if (sent === undefined) throw new Error('unresolved');
      const headers = authorization === undefined ? sent.headers : { ...sent.headers, authorization };
      return expectationOf({ ...sent, headers }, facts).expected;
    };
    const control = '\u0001';
    const within = { kind: 'accept', clause: 'send.content-bytes', part: 'within the limit' };
    expect(expectedOf('a'.repeat(500_000))).toEqual({ ...within, mayBe: [] });
    // What is no character of a text is not refused for its length alone.
    const spelled = { kind: 'accept', clause: 'send.other-text-accepted', part: 'text' };
    expect(expectedOf(control.repeat(83_340))).toEqual({ ...spelled, mayBe: [] });
    for (const other of ['\u{fffe}', '\u{e000}', '\u{10ffff}', '\u{200b}'])
      expect(expectedOf(`${'a'.repeat(2_000)}${other}`)).toEqual({ ...spelled, mayBe: [] });
    expect(expectedOf('é\t\r\n'.repeat(1_000))).toEqual({ ...within, mayBe: [] });
    expect(expectedOf(control.repeat(100_000))).toEqual({ ...spelled, mayBe: 'any 4xx' });
    expect(expectedOf(control.repeat(500_001))).toMatchObject({
      kind: 'reject',
      clause: 'send.content-bytes',
    });
    // Which of the two is told first is the server's choice.
    const [short, long] = [1, 100_000].map((count) => expectedOf(control.repeat(count), 'Basic abc'));
    expect(long).toEqual({ ...short, named: undefined });
  });

  it('and never says the opposite of what a generator says of its boundaries', () => {
    const differing = [
      ...contentSpace.boundaries.map(({ label, value, expectation }) => ({
        label,
        expectation,
        now: said(sendOf(JSON.stringify({ content: textOf(value) }))),
      })),
      ...limitSpace.boundaries.map(({ label, value, expectation }) => ({
        label,
        expectation,
        now: said(mentionsOf(value)),
      })),
    ].filter(({ expectation, now }) => !now.startsWith(expectation) && !now.startsWith('open'));
    expect(differing).toEqual([]);
  });
});

describe('reading', () => {
  it('counts as Node counts', () => {
    for (const text of ['', 'a', 'é', '€', '😀', '\ud800', 'x\udc00', '\ude00\ud83d', '\0'])
      expect(textFactsOf(text).sizeBytes).toBe(Buffer.byteLength(text));
  });

  it('takes no spelling for an integer that only some take for one', () => {
    for (const text of ['', ' 1', '1 ', '+1', '01', '-0', '1.0', '1e2', '0x10', '1_000', '１', 'inf'])
      expect(readInteger(text).kind).toBe('unusual');
    for (const text of ['abc', '1.5', '10x', 'x1', '1-1', '--1', '$10', '1..5', '1,2'])
      expect(readInteger(text).kind).toBe('none');
  });

  it('leaves to the server what parsers disagree about', () => {
    const kindOf = (body: string | Uint8Array): string => readSentBody({ body }).kind;
    expect(kindOf(Buffer.from([0x7b, 0xff, 0x7d]))).toBe('disputed');
    expect(kindOf('\ufeff{}')).toBe('disputed');
    expect(kindOf('['.repeat(100_000))).toBe('disputed');
    expect(readSentBody({ body: '{}', headers: { 'content-encoding': 'gzip' } }).kind).toBe('disputed');
    expect(kindOf('[]')).toBe('value');
    expect(kindOf('')).toBe('cut-short');
  });
});
