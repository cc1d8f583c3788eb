import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputSpace } from '../../generators/space/input-space.ts';
import type { Labelled } from '../../generators/space/labelled.ts';
import { sendBodySpace } from '../../generators/spaces/body/send-body-space.ts';
import { type SendBodyInput, bodyOf } from '../../generators/spaces/body/send-body.ts';
import { contentSpace } from '../../generators/spaces/content/content-space.ts';
import { afterSpace, channelAfterSpace, limitSpace } from '../../generators/spaces/query/parameter-space.ts';
import { unsupportedParameterSpace } from '../../generators/spaces/query/unsupported-parameter-space.ts';
import { authorizationOf, credentialSpace } from '../../generators/spaces/request/credential-space.ts';
import { segmentOf, workspaceIdSpace } from '../../generators/spaces/request/path-id-spaces.ts';
import { sourceSessionSpace } from '../../generators/spaces/session/session-space.ts';
import { wireBodySpace } from '../../generators/spaces/wire/wire-body-space.ts';
import { wireBytesOf } from '../../generators/spaces/wire/wire-body.ts';
import type { JsonValue } from '../../generators/texts/json-values.ts';
import type { Text } from '../../generators/texts/text.ts';
import { clauseOfPointer, validate, type SchemaName } from '../../spec/index.ts';

/** Drawn values that their space says to be taken or refused, and for which `reasons` finds another number of rules. */
function wronglyLabelled<Value>(
  { arbitrary }: InputSpace<Value>,
  numRuns: number,
  reasons: (value: Value) => readonly (string | undefined)[],
): readonly unknown[] {
  return fc.sample(arbitrary, { numRuns, seed: 43 }).filter((labelled) => {
    if (labelled.expectation === 'open') return false;
    const named = labelled.breach === undefined ? [] : [labelled.breach.rule ?? labelled.breach.clause];
    return JSON.stringify(reasons(labelled.value)) !== JSON.stringify(named);
  });
}

const pointersOf = (schema: SchemaName, value: unknown): readonly string[] =>
  validate(schema, value).map(({ pointer }) => pointer);

/** What the schemas say of a body, and the limits that no schema of a request states. */
function rulesBrokenBy(input: SendBodyInput): readonly string[] {
  const isLarge = (input.content ?? []).some(({ count }) => count > 500);
  const body = bodyOf(isLarge ? { ...input, content: [{ unit: 'a', count: 1 }] } : input);
  const own = isLarge ? contentRules(input.content ?? []) : [];
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return pointersOf('send-request', body);
  const { source_session, mentions, attachments, agent_host } = body as Readonly<Record<string, JsonValue>>;
  return [
    ...own,
    ...pointersOf('send-request', body),
    ...listRules('mentions', mentions, (target) => pointersOf('mention-target', target)),
    ...listRules('attachments', attachments, () => []),
    ...(typeof agent_host === 'string' ? hostRules(agent_host) : []),
    ...(source_session === undefined ? [] : pointersOf('source-session', source_session)),
  ];
}

/** By sums over the runs, with no seam between halves of pairs in large contents. */
function contentRules(text: Text): readonly string[] {
  const bytes = text.reduce((sum, { unit, count }) => sum + Buffer.byteLength(unit) * count, 0);
  const isForbidden = text.some(({ unit }) => /^[\0\ud800-\udfff]$/.test(unit));
  return bytes > 500_000 || bytes === 0 || isForbidden ? ['send-request#/properties/content/format'] : [];
}

function listRules(
  name: string,
  list: JsonValue | undefined,
  ofItem: (item: JsonValue) => readonly string[],
): readonly string[] {
  if (!Array.isArray(list)) return [];
  const tooMany = list.length > 20 ? [`message#/properties/${name}/maxItems`] : [];
  return [...tooMany, ...list.flatMap((item) => ofItem(item as JsonValue))];
}

function hostRules(host: string): readonly string[] {
  const length = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(host)].length;
  const rule = 'message-author#/properties/agent_host';
  if (length < 1) return [`${rule}/minLength`];
  return length > 80 ? [`${rule}/maxLength`] : [];
}

describe('over 100,000 draws what is labelled to be taken breaks no rule, and what is to be refused the one it names', () => {
  it('source sessions, by their schema', () => {
    expect(
      wronglyLabelled(sourceSessionSpace, 25_000, (value) => pointersOf('source-session', value)),
    ).toEqual([]);
  });

  it('bodies of a send, by all schemas of their parts', () => {
    expect(wronglyLabelled(sendBodySpace, 25_000, rulesBrokenBy)).toEqual([]);
  });

  it('contents, by the schema or for large ones by sums', () => {
    expect(
      wronglyLabelled(contentSpace, 20_000, (content) => rulesBrokenBy({ content, fields: {} })),
    ).toEqual([]);
  });

  it('bodies below JSON, by what a parser reads in them', () => {
    const ruleOf = (body: Parameters<typeof wireBytesOf>[0]): readonly string[] =>
      pointersOf('send-request', JSON.parse(wireBytesOf(body, 'marker').toString()));
    expect(wronglyLabelled(wireBodySpace, 10_000, ruleOf)).toEqual([]);
  });

  it('limits, by what a number parser reads', () => {
    const clauseOf = (query: string): readonly string[] => {
      const limit = numberIn(query, 'limit') ?? 50;
      if (!Number.isInteger(limit)) return ['mentions.limit.type'];
      if (limit < 1) return ['mentions.limit.min'];
      return limit > 100 ? ['mentions.limit.max'] : [];
    };
    expect(wronglyLabelled(limitSpace, 5000, clauseOf)).toEqual([]);
  });

  it.each([
    { space: afterSpace, min: 'mentions.after.min', type: 'mentions.after.type' },
    { space: channelAfterSpace, min: 'channel-read.after-negative', type: 'channel-read.after-type' },
  ])('cursors of $space.name, by what a number parser reads', ({ space, min, type }) => {
    const clauseOf = (query: string): readonly string[] => {
      const after = numberIn(query, 'after') ?? 0;
      if (!Number.isInteger(after)) return [type];
      return after < 0 ? [min] : [];
    };
    expect(wronglyLabelled(space, 4000, clauseOf)).toEqual([]);
  });

  it('credentials, by the token that is in them', () => {
    const token = 'svc_0aZ9bY8cX7';
    const clauseOf = (input: Parameters<typeof authorizationOf>[0]): readonly string[] => {
      const header = authorizationOf(input, token);
      if (header === undefined) return ['auth.missing-credential'];
      const [, bearer] = /^Bearer +(\S.*)$/.exec(header) ?? [];
      if (bearer === undefined) return ['auth.malformed-credential'];
      return bearer === token ? [] : ['auth.unknown-credential'];
    };
    expect(wronglyLabelled(credentialSpace, 5000, clauseOf)).toEqual([]);
  });

  it('ids of a workspace, by the id that they come to', () => {
    const own = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const clauseOf = (input: Parameters<typeof segmentOf>[0]): readonly string[] =>
      segmentOf(input, own) === own ? [] : ['overview.exact-workspace-id'];
    expect(wronglyLabelled(workspaceIdSpace, 5000, clauseOf)).toEqual([]);
  });

  it('parameters that the call does not have, by their names', () => {
    const refused = fc
      .sample(unsupportedParameterSpace.arbitrary, { numRuns: 2000, seed: 43 })
      .filter(({ expectation }) => expectation === 'reject');
    const names = refused.flatMap(({ value }) => [...new URLSearchParams(value).keys()]);
    expect(names).toHaveLength(refused.length);
    expect(names.filter((name) => /^(?:after|limit|wait)?$/i.test(name))).toEqual([]);
  });
});

/** The one parameter of a query as JavaScript reads it; undefined when it is left out. */
function numberIn(query: string, parameter: string): number | undefined {
  const value = new URLSearchParams(query).get(parameter);
  return value === null ? undefined : Number(value);
}

describe('a breach', () => {
  const breached = <Value>({ arbitrary }: InputSpace<Value>): readonly Labelled<Value>[] =>
    fc.sample(arbitrary, { numRuns: 3000, seed: 47 }).filter(({ breach }) => breach !== undefined);

  it('of a source session names a rule that a clause of the register speaks of', () => {
    for (const { breach } of breached(sourceSessionSpace))
      expect(clauseOfPointer(breach?.rule ?? '')?.id).toMatch(/^(?:source-session|author\.source-session)/);
  });
});
