import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { byCause, causeOf } from '../../../harness/wire/wire-causes.ts';
import type { WireSighting } from '../../../harness/wire/wire-ledger.ts';

const at = (pointer: string, message: string, ...path: string[]) =>
  causeOf({ keyword: pointer.split('/').at(-1) ?? '', pointer, message }, path);

describe('what tells the cause of a broken rule', () => {
  it('is one for all times, and for all ids, by the rule that is broken', () => {
    const created = at('message#/properties/created_at/format', '', 'messages', '0', 'created_at');
    const joined = at('member#/properties/joined_at/format', '', 'members', '4', 'joined_at');
    const number = at('member#/properties/joined_at/type', '', 'members', '4', 'joined_at');
    expect(created.kind).toBe(joined.kind);
    expect(number.kind).not.toBe(joined.kind);
    const id = at('message#/properties/id/format', '', 'messages', '0', 'id');
    const channelId = at('message#/properties/channel_id/format', '', 'messages', '0', 'channel_id');
    const sessionId = at('source-session#/properties/session_id/format', '', 's', 'session_id');
    expect(channelId.kind).toBe(id.kind);
    expect(sessionId.kind).not.toBe(id.kind);
  });

  it('is one for a key in a list, whatever its place there', () => {
    const tag = (index: string) => at('x#/properties/tags/items/type', '', 'tags', index).kind;
    expect(tag('0')).toBe(tag('7'));
  });

  it('is one for an extra field of one name, and for a missing key only by the same rule', () => {
    const extra = (name: string, ...path: string[]) =>
      at('x#/additionalProperties', `has the undeclared field "${name}"`, ...path).kind;
    expect(extra('tab', 'author')).toBe(extra('tab', 'page'));
    expect(extra('tab', 'author')).not.toBe(extra('tag', 'author'));
    const missing = (schema: string) =>
      causeOf({ keyword: 'required', pointer: `${schema}#/required/message`, message: 'lacks "message"' }, [])
        .kind;
    expect(missing('mention')).not.toBe(missing('api-error'));
  });
});

/** A sighting of a kind, and of a value in the answer of an exchange. */
function sighting(kind: string, id = 1, value?: string): WireSighting {
  const problem = {
    clause: 'message.id.type' as const,
    part: `${kind} ${value}`,
    expected: '',
    actual: '',
    kind,
    ...(value === undefined ? {} : { value }),
  };
  return { problem, exchange: { id } as Exchange, metIn: 'some.check', times: 1, firstMs: 1, ease: 2 };
}

function groupsOf(...sightings: readonly WireSighting[]): readonly number[][] {
  return byCause(sightings).map((group) => group.map((each) => sightings.indexOf(each)));
}

describe('sightings of one cause', () => {
  it('have one kind, or are of one value in one answer', () => {
    expect(groupsOf(sighting('a'), sighting('b'), sighting('a'))).toEqual([[0, 2], [1]]);
    expect(groupsOf(sighting('a', 1, 'x'), sighting('b', 1, 'x'), sighting('c', 2, 'x'))).toEqual([
      [0, 1],
      [2],
    ]);
  });

  it('are brought together by one that has something of both', () => {
    expect(
      groupsOf(sighting('a', 1, 'x'), sighting('b', 2, 'y'), sighting('c'), sighting('b', 1, 'x')),
    ).toEqual([[0, 1, 3], [2]]);
  });

  it('are none where nothing was seen', () => {
    expect(groupsOf()).toEqual([]);
  });
});
