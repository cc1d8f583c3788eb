import { describe, expect, it } from 'vitest';
import { asText, idsIn, textsIn, valuesOf } from '../../../../spec/oracles/values/json-texts.ts';

it('the texts of a JSON value are found at every depth, keys left out', () => {
  expect(textsIn({ a: ['x', { b: 'y' }], c: 1, d: null }).toSorted()).toEqual(['x', 'y']);
  expect(textsIn('z')).toEqual(['z']);
  expect(textsIn(undefined)).toEqual([]);
});

describe('the ids in a JSON value', () => {
  const [one, two, three] = ['1', '2', '3'].map((digit) => `0f8fad5b-d9cb-469f-a165-70867728950${digit}`);

  it('are found as texts, in links and as keys', () => {
    const value = { a: [one], b: `/v0/channels/${two}/messages`, [three ?? '']: { c: 'x' } };
    expect(idsIn(value).toSorted()).toEqual([one, two, three]);
    expect(idsIn({ a: 'x', b: 7, c: null, d: ['y'] })).toEqual([]);
  });

  it('are looked for in a text of any length as a text, not as a list of its characters', () => {
    expect(idsIn({ a: `${'x'.repeat(20_000_000)} ${one}` })).toEqual([one]);
  });
});

describe('the values of a key', () => {
  it('are found at every depth, whatever they are', () => {
    const value = { id: 1, list: [{ id: 'two' }, ['id'], { inner: { id: null } }] };
    expect(valuesOf(value, 'id')).toHaveLength(3);
    expect(new Set(valuesOf(value, 'id'))).toEqual(new Set([1, 'two', null]));
  });

  it('are not looked for on prototypes or in lists', () => {
    expect(valuesOf([1, 'two'], 'length')).toEqual([]);
    expect(valuesOf({}, 'toString')).toEqual([]);
  });

  it('are found in a value nested deeper than the stack', () => {
    let nested: unknown = { id: 'deep' };
    for (let depth = 0; depth < 50_000; depth += 1) nested = [nested];
    expect(valuesOf(nested, 'id')).toEqual(['deep']);
  });
});

it.each([
  ['as it is', 'as it is'],
  [12n, '12'],
  [null, 'null'],
  [undefined, 'undefined'],
  [{ toString: null, id: 2n }, '{"toString":null,"id":"2"}'],
])('a value as text of %o is %s', (value, text) => {
  expect(asText(value)).toBe(text);
});
