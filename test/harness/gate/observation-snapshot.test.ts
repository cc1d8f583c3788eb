import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidTarget } from '../../../harness/errors.ts';
import {
  countKept,
  readSnapshot,
  snapshotChanges,
  snapshotText,
} from '../../../harness/gate/observation-snapshot.ts';
import type { ObservationEvent } from '../../../harness/results/generated/events.ts';
import { ownFolder } from '../../fixtures/folder.ts';

const folder = ownFolder('snapshot-');

const observed = (check: string, name: string, value: string): ObservationEvent => ({
  type: 'observation',
  check,
  name,
  clause: 'send.key-lifetime',
  value,
});

const first = [
  observed('send.answers', 'to a send', 'status 201'),
  observed('overview.words', 'kinds of channels', 'shared'),
  observed('send.answers', 'a key of another agent', 'status 201'),
];

function keep(observations: readonly ObservationEvent[]) {
  writeFileSync(join(folder, 'snapshot.yaml'), snapshotText(observations));
  return readSnapshot('snapshot.yaml', folder) ?? {};
}

const whole = { isNarrowed: false };

describe('a snapshot', () => {
  it('reads the same whatever the order in which things were observed', () => {
    expect(snapshotText(first.toReversed())).toBe(snapshotText(first));
    expect(snapshotText(first)).toMatch(
      /^# .*\n# .*\noverview\.words:\n {2}kinds of channels: shared\nsend\.answers:\n/,
    );
  });

  it('finds no change in what it kept, whatever a server said', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom('a.b', 'c.d'),
            fc.constantFrom('x', 'no', '1'),
            fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('half \ud83d', 'a: b', '~', '1', ' x\n')),
          ),
        ),
        (rows) => {
          const observations = rows.map(([check, name, value]) => observed(check, name, value));
          expect(snapshotChanges(keep(observations), observations, whole)).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('names what is otherwise, new, or gone', () => {
    const kept = keep(first);
    expect(countKept(kept)).toBe(3);
    const now = [
      observed('send.answers', 'to a send', 'status 200'),
      observed('send.answers', 'a key of another agent', 'status 201'),
      observed('send.answers', 'no key', 'status 400'),
    ];
    expect(snapshotChanges(kept, now, whole)).toEqual([
      { check: 'overview.words', name: 'kinds of channels', was: 'shared' },
      { check: 'send.answers', name: 'no key', is: 'status 400' },
      { check: 'send.answers', name: 'to a send', was: 'status 201', is: 'status 200' },
    ]);
  });

  it('does not miss in a narrowed run what was not asked', () => {
    expect(snapshotChanges(keep(first), [], { isNarrowed: true })).toEqual([]);
  });

  it('holds several values under one name as one', () => {
    const twice = [observed('a.b', 'x', '2'), observed('a.b', 'x', '1'), observed('a.b', 'x', '2')];
    expect(keep(twice)).toEqual({ 'a.b': { x: '1 | 2' } });
  });

  it('is not there before the first run', () => {
    expect(readSnapshot('other.yaml', folder)).toBeUndefined();
  });

  it.each(['a: [1]', 'a: { b: 1 }', '- x', 'text', 'a: "', 'a: &x { b: c }\nd: *x'])(
    'that is none is refused: %j',
    (text) => {
      writeFileSync(join(folder, 'none.yaml'), text);
      expect(() => readSnapshot('none.yaml', folder)).toThrow(InvalidTarget);
      expect(() => readSnapshot('none.yaml', folder)).toThrow(/^none\.yaml: /);
    },
  );
});
