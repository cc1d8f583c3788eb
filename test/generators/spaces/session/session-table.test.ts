import { describe, expect, it } from 'vitest';
import {
  invalidSessions,
  validSession,
  validSessions,
} from '../../../../generators/spaces/session/session-table.ts';
import { clauseOfPointer, clauses, validate } from '../../../../spec/index.ts';

const brokenBy = (session: unknown): readonly (string | undefined)[] =>
  validate('source-session', session).map(({ pointer }) => clauseOfPointer(pointer)?.id);

/** Fields that differ, absent ones included. */
function differences(one: object, other: object): readonly string[] {
  const valueOf = (object: object, name: string): unknown => (object as Record<string, unknown>)[name];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => valueOf(one, name) !== valueOf(other, name),
  );
}

describe('labelled source sessions', () => {
  it.each(validSessions)('are valid by the schema: $slug', ({ session }) => {
    expect(brokenBy(session)).toEqual([]);
  });

  it.each(invalidSessions)('break the one rule they say: $slug', ({ session, breaks }) => {
    expect(brokenBy(session)).toEqual([breaks]);
  });

  it.each(invalidSessions)('differ from a valid one in one field: $slug', ({ session, control }) => {
    expect(differences(session as object, validSession(control).session)).toHaveLength(1);
  });

  it('have slugs of their own', () => {
    const slugs = [...validSessions, ...invalidSessions].map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('cover every provider on each of its surfaces, and every rule of the schema', () => {
    const places = validSessions.map(({ session: { provider, surface } }) => `${provider} ${surface}`);
    expect(new Set(places).size).toBe(7);
    const rules = clauses.filter(({ id, schema }) => id.startsWith('source-session.') && schema.length > 0);
    expect(new Set(invalidSessions.map(({ breaks }) => breaks))).toEqual(new Set(rules.map(({ id }) => id)));
  });
});
