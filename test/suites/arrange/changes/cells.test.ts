import { describe, expect, it } from 'vitest';
import { readersOf, whyOpen } from '../../../../suites/arrange/changes/cells.ts';
import { courses, type Course } from '../../../../suites/arrange/changes/changes.ts';
import { readerNames, type ReaderName } from '../../../../suites/arrange/changes/scene.ts';
import { views } from '../../../../suites/arrange/changes/views.ts';

const all: readonly Course[] = Object.values(courses);
const ofAgents = views.filter(({ by }) => by === undefined);

/** Who looks at a view in each phase of all courses. */
function turnsOf(view: (typeof views)[number], seed: number, there: readonly ReaderName[] = readerNames) {
  return all.flatMap((course) => readersOf(course, there, seed).get(view) ?? []);
}

describe.each([0, 1, 2, 3, 4711])('the readers drawn by the seed %i', (seed) => {
  it.each(ofAgents)('look all of them at $label', (view) => {
    expect(new Set(turnsOf(view, seed))).toEqual(new Set(readerNames));
  });

  it.each(ofAgents)('are let in at $label after every change', (view) => {
    for (const course of all) {
      const readers = readersOf(course, readerNames, seed).get(view) ?? [];
      course.forEach((phase, at) => {
        const reader = readers[at] ?? 'latecomer';
        const others = phase.filter(({ of }) => of !== reader);
        const reasons = others.map((change) => whyOpen({ changes: [change], reader }));
        expect(reasons).toEqual(others.map(() => undefined));
      });
    }
  });
});

it('whom changes are about looks at the channel and at its feed', () => {
  const { absences } = courses;
  for (const view of ofAgents.filter(({ isPlainest }) => isPlainest))
    expect(readersOf(absences, readerNames, 0).get(view)).toEqual(['author', 'author', 'reader']);
});

it('another seed draws other readers', () => {
  const drawn = [0, 1, 2, 3].map((seed) => ofAgents.map((view) => turnsOf(view, seed).join()).join());
  expect(new Set(drawn).size).toBeGreaterThan(1);
});

it('nobody comes late before it came', () => {
  for (const view of ofAgents) expect(turnsOf(view, 0)[0]).not.toBe('latecomer');
});

it('of a workspace that lacks some, those who are there look', () => {
  for (const view of ofAgents)
    for (const reader of turnsOf(view, 0, ['reader', 'author']))
      expect(['reader', 'author']).toContain(reader);
});

it('what is left open has a reason', () => {
  const membership = courses.absences[1][0];
  expect(whyOpen({ changes: [membership], reader: 'author' })).toContain('shut out');
  expect(whyOpen({ changes: [membership], reader: 'stayer' })).toContain('human');
  expect(
    whyOpen({ changes: [membership, courses.absences[2][0]], reader: 'machine', kind: 'member' }),
  ).toContain('member');
  expect(whyOpen({ changes: [membership], reader: 'peer', kind: 'mention' })).toBeUndefined();
});
