import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputSpace } from '../../generators/space/input-space.ts';
import type { Labelled } from '../../generators/space/labelled.ts';
import { sendBodySpace } from '../../generators/spaces/body/send-body-space.ts';
import { bodyTextOf } from '../../generators/spaces/body/send-body.ts';
import { contentSpace } from '../../generators/spaces/content/content-space.ts';
import { limitSpace } from '../../generators/spaces/query/parameter-space.ts';
import { sourceSessionSpace } from '../../generators/spaces/session/session-space.ts';
import { type Text, countsOf, textOf } from '../../generators/texts/text.ts';

/** What a failure of `fails` shrinks to, with whatever seed. */
function smallest<Value>(
  { arbitrary }: InputSpace<Value>,
  fails: (labelled: Labelled<Value>) => boolean,
  seed: number,
): Value | undefined {
  const { counterexample } = fc.check(
    fc.property(arbitrary, (labelled) => !fails(labelled)),
    { numRuns: 20_000, seed },
  );
  return counterexample?.[0].value;
}

/** UTF-16 units of a text. */
const unitsOf = (text: Text): number => text.reduce((sum, { unit, count }) => sum + unit.length * count, 0);

const seeds = [1, 2, 3, 4, 5];

describe.each(seeds)('with seed %i', (seed) => {
  it('a server that takes one byte too many is shown the limit', () => {
    const found = smallest(contentSpace, ({ breach }) => breach?.clause === 'send.content-bytes', seed);
    expect(found).toEqual([{ unit: 'a', count: 500_001 }]);
  });

  it('a server with a smaller limit is shown that one', () => {
    const found = smallest(
      contentSpace,
      ({ expectation, value }) => expectation === 'accept' && countsOf(value).sizeBytes > 99_999,
      seed,
    );
    expect(found).toEqual([{ unit: 'a', count: 100_000 }]);
  });

  it('a server that counts UTF-16 units is shown the least that is over the limit', () => {
    const found = smallest(
      contentSpace,
      ({ breach, value }) => breach?.clause === 'send.content-bytes' && unitsOf(value) <= 500_000,
      seed,
    );
    expect(countsOf(found ?? []).sizeBytes).toBe(500_001);
    expect(found?.length).toBeLessThanOrEqual(2);
  });

  it('a server that takes U+0000 is shown nothing but that', () => {
    const found = smallest(sendBodySpace, ({ breach }) => breach?.clause === 'send.nul-refused', seed);
    expect(bodyTextOf(found ?? { fields: {} })).toBe(String.raw`{"content":"\u0000"}`);
  });

  it('a server that takes half of a pair is shown nothing but that', () => {
    const found = smallest(
      sendBodySpace,
      ({ breach }) => breach?.clause === 'send.lone-surrogates-refused',
      seed,
    );
    expect(bodyTextOf(found ?? { fields: {} })).toBe(String.raw`{"content":"\ud800"}`);
  });

  it('a server that trims is shown one space', () => {
    const isTrimmed = (text: string): boolean => text.trim() !== text;
    const found = smallest(
      contentSpace,
      ({ expectation, value }) =>
        expectation === 'accept' && unitsOf(value) < 1000 && isTrimmed(textOf(value)),
      seed,
    );
    expect(found).toHaveLength(1);
    expect(found?.[0]?.count).toBe(1);
  });

  it('a server with another upper limit is shown the first one that is too high', () => {
    expect(smallest(limitSpace, ({ breach }) => breach?.clause === 'mentions.limit.max', seed)).toBe(
      'limit=101',
    );
  });

  it('a server that takes any date is shown the plainest that does not exist', () => {
    const found = smallest(
      sourceSessionSpace,
      ({ breach }) => breach?.rule?.endsWith('/format') === true,
      seed,
    );
    expect(found).toEqual({ provider: 'provider_d', surface: 'cli', session_id: '00000000_000000_000000' });
  });
});
