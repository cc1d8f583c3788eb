import { describe, expect, it } from 'vitest';
import { Sightings } from '../../oracles/sightings.ts';
import { item, pageOf } from './page-of.ts';

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
    expect(nothing.latestAbove(0n)).toBeUndefined();
    expect(nothing.findAbove(0n, 99, () => true)).toBeUndefined();
  });
});

describe('the message above a reach', () => {
  it.each([
    [0n, 'm2'],
    [2n, 'm6'],
    [4n, 'm6'],
    [6n, undefined],
    [undefined, undefined],
  ])('that came to light last, above %s: %s', (reach, id) => {
    expect(seen.latestAbove(reach)?.id).toBe(id);
  });

  it.each([
    [0n, 11, 'm4'],
    [0n, 10, undefined],
    [0n, 31, 'm2'],
    [0n, 30, 'm4'],
    [4n, 20, undefined],
    [4n, 21, 'm6'],
    [6n, 99, undefined],
    [undefined, 99, undefined],
  ])('that was known in time, above %s before %s ms: %s', (reach, beforeMs, id) => {
    expect(seen.findAbove(reach, beforeMs, () => true)?.id).toBe(id);
  });

  it('is looked for until one is wanted', () => {
    expect(seen.findAbove(0n, 99, (message) => message.id === 'm6')?.id).toBe('m6');
    expect(seen.findAbove(0n, 99, () => false)).toBeUndefined();
  });

  it('is told from others of its sequence by when it was known', () => {
    const twins = new Sightings([
      pageOf({ after: 0, items: [item(2, 'a')], at: [5, 10] }),
      pageOf({ after: 0, items: [item(2, 'b')], at: [15, 20] }),
    ]);
    expect(twins.latestAbove(0n)?.id).toBe('b');
    expect(ids(twins.between(0n, 2n))).toEqual(['a', 'b']);
  });
});
