import { describe, expect, it } from 'vitest';
import { Sightings } from '../../../oracles/pages/sightings.ts';
import { item, pageOf } from '../page-of.ts';

/** 2 known at 30 ms, 4 at 10 and seen again, 6 at 20; each read takes 5 ms. */
const reads = [
  pageOf({ after: 0, items: [4], at: [5, 10] }),
  pageOf({ after: 0, items: [6], at: [15, 20] }),
  pageOf({ after: 0, items: [2], at: [25, 30] }),
  pageOf({ after: 0, items: [4], at: [35, 40] }),
];
const seen = new Sightings(reads);
const ids = (messages: readonly { readonly id: string }[]): string[] => messages.map(({ id }) => id);

describe('what reads showed', () => {
  it('is kept by sequence, from the first read to the last', () => {
    expect(seen.top).toBe(6n);
    expect(seen.between(0n, 9n).map(({ id, knownMs, lastMs }) => [id, knownMs, lastMs])).toEqual([
      ['m2', 30, 25],
      ['m4', 10, 35],
      ['m6', 20, 15],
    ]);
    const [, again] = seen.between(0n, 9n);
    expect([again?.knownBy, again?.lastBy]).toEqual([reads[0], reads[3]]);
  });

  it('does not depend on the order of the reads', () => {
    const backwards = new Sightings(reads.toReversed()).between(0n, 9n);
    expect(backwards.map(({ knownMs, lastMs }) => [knownMs, lastMs])).toEqual([
      [30, 25],
      [10, 35],
      [20, 15],
    ]);
  });

  it('is a range above one sequence, up to and with another', () => {
    expect(ids(seen.between(2n, 6n))).toEqual(['m4', 'm6']);
    expect(ids(seen.between(2n, 5n))).toEqual(['m4']);
    expect(ids(seen.between(4n, 4n))).toEqual([]);
    expect(ids(seen.between(6n, 2n))).toEqual([]);
    expect(ids(seen.between(undefined, 6n))).toEqual([]);
    expect(ids(seen.between(2n, undefined))).toEqual([]);
  });

  it('is nothing where nothing was read', () => {
    const nothing = new Sightings([]);
    expect(nothing.top).toBeUndefined();
    expect(nothing.above(0n)).toEqual([]);
  });

  it('is shown by the first given of reads at one moment', () => {
    const atOnce = [1, 2].map((limit) => pageOf({ after: 0, limit, items: [2], at: [5, 10] }));
    const [message] = new Sightings(atOnce).between(0n, 2n);
    expect(message?.knownBy).toBe(atOnce[0]);
    expect(message?.lastBy).toBe(atOnce[0]);
  });

  it('keeps two messages of one sequence', () => {
    const controls = new Sightings([pageOf({ after: 0, items: [item(2, 'a'), item(2, 'b')] })]);
    expect(ids(controls.between(0n, 2n))).toEqual(['a', 'b']);
  });
});

describe('the messages above a reach', () => {
  it.each([
    [0n, ['m2', 'm4', 'm6']],
    [2n, ['m4', 'm6']],
    [5n, ['m6']],
    [6n, []],
    [undefined, []],
  ])('of %s are %o', (reach, above) => {
    expect(ids(seen.above(reach))).toEqual(above);
  });
});
