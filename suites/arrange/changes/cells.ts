import { createHash } from 'node:crypto';
import { courses, type Change, type Course } from './changes.ts';
import { readerNames, type ReaderName } from './scene.ts';
import { views, type Kind, type View } from './views.ts';

/** Whoever looks at a view. */
export type Looker = ReaderName | 'machine';

/** What is looked at after changes, the latest of them last; without a kind the look as a whole. */
interface Cell {
  readonly changes: readonly Change[];
  readonly reader: Looker;
  readonly kind?: Kind;
}

/** What the contract leaves open, and why. */
const leftOpen: readonly { readonly reason: string; readonly isMeant: (cell: Cell) => boolean }[] = [
  {
    reason: 'whoever has lost its access is shut out',
    isMeant: ({ changes, reader }) => reader === 'author' && changes.at(-1)?.ends !== undefined,
  },
  {
    reason: 'they may be of the human that left, and what becomes of its agents is not said',
    isMeant: ({ changes, reader }) =>
      (reader === 'stayer' || reader === 'latecomer') && changes.at(-1)?.ends === 'membership',
  },
  {
    reason: 'a member that left is listed no more, and one that came back may be another',
    isMeant: ({ changes, kind }) => kind === 'member' && changes.some(({ ends }) => ends === 'membership'),
  },
];

/** Why nothing is said of a cell; `undefined` where the contract decides it. */
export function whyOpen(cell: Cell): string | undefined {
  return leftOpen.find(({ isMeant }) => isMeant(cell))?.reason;
}

/** Every phase of every course. */
const phases: readonly (readonly Change[])[] = Object.values(courses).flat();

/**
 * Those who may look at a view in a phase: whom no change of it keeps away, and who comes late not in the first one; at the plainest views whom
 * the phase is about.
 */
function lookersOf({ isPlainest = false }: View, phase: readonly Change[]): readonly ReaderName[] {
  const about = phase.flatMap(({ of }) => of ?? []);
  if (isPlainest && about.length > 0) return about.slice(0, 1);
  return readerNames.filter((reader) => {
    const isEarly = phase === phases[0] && reader === 'latecomer';
    return !isEarly && phase.every((change) => whyOpen({ changes: [change], reader }) === undefined);
  });
}

/**
 * The reader of each view in each phase of a course, drawn by a seed from those there are: all of them in turn over the phases of all courses,
 * and neighbouring views have different ones.
 */
export function readersOf(
  course: Course,
  there: readonly ReaderName[],
  seed: number,
): ReadonlyMap<View, readonly ReaderName[]> {
  const drawn = readerNames
    .filter((each) => there.includes(each))
    .toSorted((one, other) => (rankOf(one, seed) < rankOf(other, seed) ? -1 : 1));
  return new Map(
    views.map((view, at) => {
      const inTurn = drawn.map((_, place) => drawn[(place + at) % drawn.length] ?? 'reader');
      const times = new Map<ReaderName, number>();
      const chosen = new Map<readonly Change[], ReaderName>();
      const lookers = new Map(phases.map((phase) => [phase, lookersOf(view, phase)]));
      // Where few may look they are taken first.
      const inOrder = [...lookers].toSorted(([, one], [, other]) => one.length - other.length);
      for (const [phase, may] of inOrder) {
        const [reader = 'reader'] = inTurn
          .filter((each) => may.includes(each))
          .toSorted((one, other) => (times.get(one) ?? 0) - (times.get(other) ?? 0));
        chosen.set(phase, reader);
        times.set(reader, (times.get(reader) ?? 0) + 1);
      }
      return [view, course.map((phase) => chosen.get(phase) ?? 'reader')];
    }),
  );
}

function rankOf(reader: ReaderName, seed: number): string {
  return createHash('sha256').update(`${seed} ${reader}`).digest('hex');
}
