import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../spec/examples.ts';
import { type SchemaName, schemaNames, schemaOf } from '../../spec/schemas.ts';
import { validate, windowsOf } from '../../spec/validators.ts';

interface Response {
  mentions: {
    sequence: unknown;
    message: Record<string, unknown> & { author: Record<string, unknown>; sequence: unknown };
  }[];
  page: Record<string, unknown>;
}

describe('validate', () => {
  it('names a rule in the schema that states it, and the place of the value in the whole', () => {
    const response = plain<Response>('mentions-response');
    response.mentions[0]!.message.author['human_user'] = { display_name: null };
    expect(validate('mentions-response', response)).toEqual([
      {
        pointer: 'message-author-human-user#/required/id',
        schema: 'message-author-human-user',
        keyword: 'required',
        instancePath: '/mentions/0/message/author/human_user',
        message: 'lacks "id"',
      },
    ]);
  });

  it('names every fault of a value that has several', () => {
    const response = plain<Response>('mentions-response');
    response.mentions[0]!.sequence = 0;
    delete response.mentions[0]!.message['content'];
    response.page['next_after'] = -1;
    response.page['total'] = 1;
    expect(pointers('mentions-response', response).toSorted()).toEqual([
      'mention#/properties/sequence/minimum',
      'message#/required/content',
      'message-list-page#/additionalProperties',
      'message-list-page#/properties/next_after/minimum',
    ]);
  });

  it('names each undeclared field once', () => {
    const problems = validate('mention-target', { ...plain<object>('mention-target'), one: 1, two: 2 });
    expect(problems.map((problem) => problem.message)).toEqual([
      'has the undeclared field "one"',
      'has the undeclared field "two"',
    ]);
  });

  it('names the provider whose rule about surfaces is broken, unless no provider has that surface', () => {
    const session = { ...plain<object>('source-session'), provider: 'provider_c' };
    expect(pointers('source-session', { ...session, surface: 'desktop' })).toEqual([
      'source-session#/allOf/3/then/properties/surface/enum',
    ]);
    expect(pointers('source-session', { ...session, surface: 'web' })).toEqual([
      'source-session#/properties/surface/enum',
    ]);
  });

  it('does not judge a session id by the rule of a provider that is missing or unknown', () => {
    expect(pointers('source-session', { surface: 'cloud', session_id: '?' })).toEqual([
      'source-session#/required/provider',
    ]);
    expect(pointers('source-session', { provider: 'x', surface: 'cloud', session_id: '?' })).toEqual([
      'source-session#/properties/provider/enum',
    ]);
  });

  it('lets a wrong type hide the other rules about that value, and no rule about another', () => {
    const file = { ...plain<object>('workspace-file'), filename: 5, status: 5, size_bytes: '0', sha256: 'x' };
    expect(pointers('workspace-file', file).toSorted()).toEqual([
      'workspace-file#/properties/filename/type',
      'workspace-file#/properties/sha256/pattern',
      'workspace-file#/properties/size_bytes/type',
      'workspace-file#/properties/status/type',
    ]);
  });

  it('keeps two rules about one array apart when both are broken', () => {
    const retrieved = { agent_ids: Array<string>(33).fill('11111111-0000-4000-8000-000000000000') };
    expect(pointers('message-receipts', { retrieved }).toSorted()).toEqual([
      'message-receipts#/properties/retrieved/properties/agent_ids/maxItems',
      'message-receipts#/properties/retrieved/properties/agent_ids/uniqueItems',
    ]);
  });

  it('takes a bigint beyond all numbers for an integer as well', () => {
    const page = { next_after: 10n ** 400n, has_more: false, high_watermark: 0 };
    expect(validate('message-list-page', page)).toEqual([]);
    expect(validate('message-list-page', { ...page, next_after: -(10n ** 400n) })).toHaveLength(1);
  });

  it('takes a bigint for the integer that it is', () => {
    const response = plain<Response>('mentions-response');
    response.mentions[0]!.sequence = 2n ** 63n;
    response.page['next_after'] = 2n ** 64n;
    expect(validate('mentions-response', response)).toEqual([]);
    response.mentions[0]!.message.sequence = 0n;
    expect(pointers('mentions-response', response)).toEqual(['message#/properties/sequence/minimum']);
    expect(response.mentions[0]!.message.sequence).toBe(0n);
    expect(pointers('message-list-page', { next_after: 0, has_more: 1n, high_watermark: 0 })).toEqual([
      'message-list-page#/properties/has_more/type',
    ]);
  });

  it.each([undefined, null, true, 7, 7n, 'x', [], Number.NaN])('refuses %s as any object', (value) => {
    for (const name of schemaNames) expect(pointers(name, value)).toEqual([`${name}#/type`]);
  });

  it('does not mistake what every object inherits for a field', () => {
    expect(pointers('channel-read-response', Object.create({ page: {} }))).toEqual([
      'channel-read-response#/required/page',
    ]);
    expect(pointers('workspace', JSON.parse('{"__proto__": 1, "constructor": 2}'))).toEqual([
      'workspace#/additionalProperties',
      'workspace#/additionalProperties',
    ]);
  });
});

it.each([
  ['80 letters that readers see', 'e\u0301'.repeat(80), 0],
  ['81 of them', 'e\u0301'.repeat(81), 1],
  ['81 letters', 'e'.repeat(81), 1],
])('a length in characters leaves open what a character is: a host of %s', (_, agent_host, problems) => {
  const author = { ...plain<object>('message-author'), agent_host };
  expect(validate('message-author', author)).toHaveLength(problems);
});

describe('a message about a problem', () => {
  it('is short, whatever the value', () => {
    const long = 'secret '.repeat(1_000);
    const problems = [
      ...validate('mention-target', { kind: long, id: long, [long]: 1 }),
      ...validate('message-author', { ...plain<object>('message-author'), agent_host: long }),
      ...validate('source-session', { provider: 'provider_a', surface: 'cloud', session_id: long }),
      ...validate('message-receipts', { retrieved: { agent_ids: [], has_more: [long] } }),
    ];
    expect(problems.length).toBe(7);
    for (const { message } of problems) {
      expect(message).not.toContain('secret');
      expect(message.length).toBeLessThan(120);
    }
  });

  it.each(schemaNames)('is written for every keyword of %s', (name) => {
    for (const { instance } of examplesOf(name).invalid) {
      for (const { message } of validate(name, instance)) {
        expect(message).not.toMatch(/breaks "|undefined|\[object/);
      }
    }
  });

  it('quotes a value of up to 60 characters', () => {
    expect(validate('mention-target', { ...plain<object>('mention-target'), id: 'alpha' })[0]?.message).toBe(
      '"alpha" is not a valid uuid',
    );
  });
});

describe('schemaOf', () => {
  it('gives the same frozen object at every call', () => {
    expect(schemaOf('message')).toBe(schemaOf('message'));
    expect(Object.isFrozen(schemaOf('message').properties?.['content'])).toBe(true);
  });

  it.each(schemaNames)('gives %s an id that is its file name and a title in its own form', (name) => {
    const titled = name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    expect(schemaOf(name)).toMatchObject({ $id: `${name}.schema.json`, title: titled });
  });
});

function pointers(name: SchemaName, value: unknown): string[] {
  return validate(name, value).map((problem) => problem.pointer);
}

function plain<T>(name: SchemaName): T {
  return examplesOf(name).valid.find((example) => example.name === 'plain')?.instance as T;
}

function listOf(length: number, item: (index: number) => unknown): unknown[] {
  return Array.from({ length }, (_, index) => item(index));
}

describe('the windows of a value', () => {
  it('are the value itself, if its lists are short', () => {
    const value = { mentions: listOf(500, () => ({})), page: null };
    expect([...windowsOf(value)].map((window) => window.value)).toEqual([value]);
  });

  it('have every item of a long list, with its place in the whole', () => {
    const value = { a: { list: listOf(1_234, (index) => index) }, short: [7] };
    const seen = new Map<string, number>();
    for (const { value: part, inWhole } of windowsOf(value)) {
      const { a, short } = part as typeof value;
      expect(short).toEqual([7]);
      expect(a.list.length).toBeLessThanOrEqual(500);
      a.list.forEach((item, index) => seen.set(inWhole(`/a/list/${index}`), item as number));
    }
    expect([...seen]).toHaveLength(1_234);
    for (const [pointer, item] of seen) expect(pointer).toBe(`/a/list/${item}`);
  });

  it('know lists within items of lists', () => {
    const value = listOf(600, () => listOf(700, () => 0));
    const last = [...windowsOf(value)].at(-1);
    expect(last?.inWhole('/499/499/x~1y')).toBe('/599/699/x~1y');
  });
});

describe('validation', () => {
  const page = { next_after: 0, has_more: false, high_watermark: 0 };
  const pathsIn = (mentions: unknown[]): readonly string[] =>
    validate('mentions-response', { mentions, page }).map(({ instancePath }) => instancePath);

  it('says where in a long list an item is broken', () => {
    const places = listOf(501, (index) => `/mentions/${index}`);
    expect(new Set(pathsIn(listOf(501, () => null)))).toEqual(new Set(places));
  });

  it('takes no minutes for 100,000 broken items', () => {
    const startedMs = performance.now();
    expect(pathsIn(listOf(100_000, () => ({}))).length).toBeGreaterThan(500);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
