import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../spec/examples.ts';
import { exercised, rulesOf } from '../../spec/exercised.ts';
import { schemaNames, schemaOf, walkSchema } from '../../spec/schemas.ts';
import { validate } from '../../spec/validators.ts';

const id = '11111111-0000-4000-8000-000000000000';

describe('exercised', () => {
  it('holds the required keys and the closedness of an object, whatever is in it', () => {
    expect([...exercised('mention-target', {})].toSorted()).toEqual([
      'mention-target#/additionalProperties',
      'mention-target#/required/id',
      'mention-target#/required/kind',
      'mention-target#/type',
    ]);
  });

  it('holds the keywords of a property only when it is present', () => {
    const found = exercised('mention-target', { id });
    expect(found).toContain('mention-target#/properties/id');
    expect(found).toContain('mention-target#/properties/id/type');
    expect(found).toContain('mention-target#/properties/id/format');
    expect(found).not.toContain('mention-target#/properties/kind/enum');
  });

  it('holds of a null only that it is there and its type', () => {
    const found = exercised('message-author', { agent_host: null, human_user: null, machine: { id } });
    expect(found).toContain('message-author#/properties/agent_host/type');
    expect(found).not.toContain('message-author#/properties/agent_host/minLength');
    expect(found).toContain('message-author#/properties/human_user');
    expect(found).not.toContain('message-author-human-user#/type');
    expect(found).toContain('message-author-machine#/properties/id/format');
  });

  it('holds nothing about the items of an empty array, nor about its bounds', () => {
    const agentIds = 'message-receipts#/properties/retrieved/properties/agent_ids';
    const empty = exercised('message-receipts', { retrieved: { agent_ids: [] } });
    expect(empty).toContain(`${agentIds}/type`);
    const filled = exercised('message-receipts', { retrieved: { agent_ids: [id] } });
    for (const rule of ['uniqueItems', 'items', 'items/type', 'items/format']) {
      expect(empty).not.toContain(`${agentIds}/${rule}`);
      expect(filled).toContain(`${agentIds}/${rule}`);
    }
  });

  it.each<[string, number, readonly string[]]>([
    ['of one character', 1, ['minLength']],
    ['of two', 2, []],
    ['of 254', 254, []],
    ['of 255', 255, ['maxLength']],
    ['of 256', 256, ['maxLength']],
    ['of none', 0, ['minLength']],
  ])('holds of a name %s only the bound that it reaches', (_, length, reached) => {
    for (const letter of ['f', '\u{1f4c4}']) {
      const found = exercised('workspace-file', { filename: letter.repeat(length) });
      const bounds = found.filter((rule) => /filename\/m(?:in|ax)Length$/.test(rule));
      expect(bounds).toEqual(reached.map((each) => `workspace-file#/properties/filename/${each}`));
    }
  });

  it.each([
    [19, false],
    [20, true],
    [21, true],
  ])('holds the bound of a list with %i elements: %s', (count, isReached) => {
    const found = exercised('message', { mentions: Array.from({ length: count }, () => ({ id })) });
    expect(found.includes('message#/properties/mentions/maxItems')).toBe(isReached);
  });

  it('holds no bound of what is no list and no text', () => {
    const found = exercised('message', { mentions: { length: 20 }, author: { agent_host: 80 } });
    expect(found.filter((rule) => /maxItems|axLength/.test(rule))).toEqual([]);
  });

  it('holds the rules of the provider that is there, and of no other', () => {
    const found = exercised('source-session', { provider: 'provider_b', surface: 'cloud', session_id: 'x' });
    const narrower = [...found].filter((rule) => rule.includes('/allOf/')).toSorted();
    expect(narrower.filter((rule) => !/properties\/\w+$/.test(rule))).toEqual([
      'source-session#/allOf/1/then/properties/session_id/pattern',
      'source-session#/allOf/2/then/properties/session_id/not',
    ]);
  });

  it('holds both layers of a timestamp', () => {
    const found = exercised('workspace', { created_at: 'x', updated_at: null });
    expect(found).toContain('workspace#/properties/created_at/format');
    expect(found).toContain('workspace#/properties/created_at/allOf/0/format');
    expect(found).not.toContain('workspace#/properties/updated_at/format');
  });

  it('goes down into the objects of an array', () => {
    const found = exercised('mentions-response', { mentions: [{ message: { author: { machine: {} } } }] });
    expect(found).toContain('mentions-response#/properties/mentions/items');
    expect(found).toContain('message-author-machine#/required/display_name');
    expect(found).not.toContain('message-list-page#/required/next_after');
  });

  it('counts a bigint as a number', () => {
    expect(exercised('mention', { sequence: 1n })).toContain('mention#/properties/sequence/minimum');
  });

  it.each(schemaNames)('holds every problem of the invalid examples of %s', (name) => {
    for (const { instance } of examplesOf(name).invalid) {
      const found = exercised(name, instance);
      for (const { pointer } of validate(name, instance)) expect(found).toContain(pointer);
    }
  });
});

describe('rulesOf', () => {
  it('lists what a schema states itself', () => {
    expect(rulesOf('mention').toSorted()).toEqual([
      'mention#/additionalProperties',
      'mention#/properties/id/format',
      'mention#/properties/id/type',
      'mention#/properties/sequence/minimum',
      'mention#/properties/sequence/type',
      'mention#/required/id',
      'mention#/required/message',
      'mention#/required/sequence',
      'mention#/type',
    ]);
  });

  it('leaves out conditions, and takes a negation as one rule', () => {
    const rules = rulesOf('source-session');
    expect(rules.filter((rule) => rule.includes('/if/'))).toEqual([]);
    expect(rules.filter((rule) => rule.includes('/not'))).toEqual([
      'source-session#/allOf/2/then/properties/session_id/not',
    ]);
  });

  it.each(schemaNames)('knows every keyword of %s', (name) => {
    const silent = ['$schema', '$id', '$ref', 'title', 'description', 'default'];
    const structural = ['properties', 'required', 'items', 'allOf', 'anyOf', 'if', 'then'];
    const rules = new Set(rulesOf(name));
    const unknown: string[] = [];
    walkSchema(schemaOf(name), `${name}#`, (node, pointer) => {
      if (/\/(?:if|not|anyOf\/\d+)(?:\/|$)/.test(pointer)) return;
      for (const keyword of Object.keys(node)) {
        if (silent.includes(keyword) || structural.includes(keyword)) continue;
        if (!rules.has(`${pointer}/${keyword}`)) unknown.push(`${pointer}/${keyword}`);
      }
    });
    expect(unknown).toEqual([]);
  });

  it('names no rule twice', () => {
    const rules = schemaNames.flatMap(rulesOf);
    expect(new Set(rules).size).toBe(rules.length);
    expect(rules.length).toBeGreaterThan(200);
  });
});
