import { describe, expect, it } from 'vitest';
import { clauseOfPointer, covers } from '../../spec/clause-of-pointer.ts';
import {
  clauseOf,
  clauses,
  clientClauses,
  registerDigest,
  type Clause,
  type ClauseId,
} from '../../spec/clauses.ts';
import { rulesOf } from '../../spec/exercised.ts';
import { readRegister } from '../../spec/generate/generate-clauses.ts';
import { schemaNames, schemaOf, walkSchema } from '../../spec/schemas.ts';

const areas =
  'service mention page message author human-user machine source-session receipts file mention-target api-error ' +
  'workspace membership channel member mentions overview send channel-read channels-list receipts-list discovery ' +
  'auth errors limits versioning events states';

describe('the clause register', () => {
  it('keeps to its schema, and is what the generated data says', () => {
    const written = readRegister().map((entry) => ({ needs: [], schema: [], ...entry }));
    expect(clauses).toEqual(written);
  });

  it('restates the whole contract', () => {
    expect(clauses.length).toBeGreaterThanOrEqual(300);
    expect(new Set(clauses.map(({ id }) => id.split('.')[0]))).toEqual(new Set(areas.split(' ')));
  });

  it('has no two clauses with one id, one text or one source', () => {
    expect(repeated(clauses.map(({ id }) => id))).toEqual([]);
    expect(repeated(clauses.map(({ text }) => text))).toEqual([]);
    expect(repeated(clauses.map(({ source }) => JSON.stringify(source)))).toEqual([]);
  });

  it('lets a clause restate only one that exists, is of its level and restates nothing itself', () => {
    const wrong = clauses.filter((clause) => {
      if (clause.restates === undefined) return false;
      const original = clauseOf(clause.restates);
      return original.level !== clause.level || original.restates !== undefined;
    });
    expect(wrong).toEqual([]);
  });

  it('cannot be changed at run time', () => {
    const [first] = clauses;
    expect(Object.isFrozen(clauses) && Object.isFrozen(first) && Object.isFrozen(first?.source)).toBe(true);
  });

  it('knows no other id', () => {
    expect(() => clauseOf('mentions.descending' as ClauseId)).toThrow('mentions.descending');
  });

  it('has a digest that any of its content changes', () => {
    expect(registerDigest()).toMatch(/^[0-9a-f]{64}$/);
    expect(registerDigest()).toBe(registerDigest());
  });
});

describe('the register of clients', () => {
  it('keeps to its schema, and is what the generated data says', () => {
    const written = readRegister('client-clauses').map((entry) => ({ needs: [], schema: [], ...entry }));
    expect(clientClauses).toEqual(written);
  });

  it('has ids of its own, and no text or source twice, not even one of servers', () => {
    const all = [...clauses, ...clientClauses];
    expect(clientClauses.filter(({ id }) => !id.startsWith('client.'))).toEqual([]);
    expect(repeated(all.map(({ id }): string => id))).toEqual([]);
    expect(repeated(all.map(({ text }) => text))).toEqual([]);
    expect(repeated(all.map(({ source }) => JSON.stringify(source)))).toEqual([]);
  });

  it('is looked up as that of servers is', () => {
    expect(clauseOf('client.send.content-bytes').level).toBe('must');
  });
});

describe('the pointers of the register', () => {
  const rules = schemaNames.flatMap((name) => rulesOf(name));

  const rulesAndPlaces = [...rules, ...places()];

  it('each cover a rule that a schema really states, or a place where it refers to another', () => {
    const patterns = clauses.flatMap(({ schema }) => schema);
    expect(patterns.filter((pattern) => !rulesAndPlaces.some((rule) => covers(pattern, rule)))).toEqual([]);
  });

  it('each decide something that no more specific one has taken', () => {
    const owners = new Set(rulesAndPlaces.map((rule) => clauseOfPointer(rule)?.id));
    const idle = clauses.filter(({ id, schema }) => schema.length > 0 && !owners.has(id));
    expect(idle.map(({ id }) => id)).toEqual([]);
  });

  it('leave no rule of a resource or of an answer without a clause', () => {
    const answered = rules.filter((rule) => !rule.startsWith('send-request#'));
    expect(answered.filter((rule) => clauseOfPointer(rule) === undefined)).toEqual([]);
  });

  it('lead from a rule of an object to a clause of its area', () => {
    const areaOf: Readonly<Record<string, string>> = {
      'message-list-page': 'page',
      'message-author': 'author',
      'message-author-human-user': 'human-user',
      'message-author-machine': 'machine',
      'message-receipts': 'receipts',
      'workspace-file': 'file',
      'mentions-response': 'mentions',
      'workspace-overview-response': 'overview',
      'channel-read-response': 'channel-read',
    };
    const strays = rules.filter((rule) => {
      const [name = '', path = ''] = rule.split('#');
      if (name === 'send-request' || path === '/type' || path.endsWith('/allOf/0/format')) return false;
      return clauseOfPointer(rule)?.id.split('.')[0] !== (areaOf[name] ?? name);
    });
    expect(strays).toEqual([]);
  });

  it.each<[pointer: string, id: ClauseId]>([
    ['message#/required/content', 'message.content.present'],
    ['message#/properties/content/type', 'message.content.type'],
    ['message#/properties/sequence/type', 'message.sequence.type'],
    ['message#/properties/sequence/minimum', 'message.sequence.min'],
    ['message#/type', 'mention.message.type'],
    ['message#/properties/created_at/format', 'message.created-at.type'],
    ['message#/properties/created_at/allOf/0/format', 'service.timestamps-are-rfc-3339'],
    ['source-session#/allOf/4/then/properties/session_id/pattern', 'source-session.provider-d-session-id'],
    ['source-session#/allOf/4/then/properties/session_id/format', 'source-session.provider-d-real-time'],
    ['message-receipts#/properties/retrieved/properties/has_more/const', 'receipts.has-more.only-true'],
    ['member#/properties/email/format', 'member.email.format'],
  ])('%s belongs to %s', (pointer, id) => {
    expect(clauseOfPointer(pointer)?.id).toBe(id);
  });

  it('compare whole segments, `*` standing for exactly one', () => {
    expect(covers('message#/properties/content', 'message#/properties/content_type/type')).toBe(false);
    expect(covers('*#/properties/*/format', 'message#/properties/id/format')).toBe(true);
    expect(covers('*#/properties/*/format', 'message#/properties/format')).toBe(false);
    expect(clauseOfPointer('send-request#/properties/content/type')).toBeUndefined();
  });
});

it('the levels say `must` of most clauses and nothing of how to judge a silent one', () => {
  const silent = clauses.filter(({ level }) => level === 'silent');
  expect(silent.length).toBeGreaterThan(20);
  expect(silent.filter(isJudged)).toEqual([]);
  expect(clauses.filter(({ level }) => level === 'must').length).toBeGreaterThan(clauses.length / 2);
});

/** Pointers of the properties and items that are described by a schema of their own. */
function places(): readonly string[] {
  const found: string[] = [];
  for (const name of schemaNames) {
    walkSchema(schemaOf(name), `${name}#`, (node, pointer) => {
      if (node.$ref !== undefined) found.push(pointer);
    });
  }
  return found;
}

function isJudged(clause: Clause): boolean {
  return clause.needs.length > 0 || clause.schema.length > 0 || clause.untestable !== undefined;
}

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
