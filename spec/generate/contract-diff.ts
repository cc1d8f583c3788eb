// `npm run contract-diff -- path/to/contract.md`: which clauses' words have changed since the register was written.
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Clause, clauses } from '../clauses.ts';
import { isAt } from './contract-places.ts';
import { digestsOf, readSourceDigests, type SourceDigest } from './source-digests.ts';

/** One place of the contract that is not as it was. */
interface SourceChange {
  /** `moved`: the same words stand elsewhere. `new`: a statement that no clause was written from. */
  readonly kind: 'changed' | 'moved' | 'vanished' | 'new';
  readonly was?: SourceDigest;
  readonly is?: SourceDigest;
  /** Ids of the clauses written from it. */
  readonly clauses: readonly string[];
}

/** What differs between two texts of the contract, in the order of the first, then what is new. */
export function contractChanges(
  before: readonly SourceDigest[],
  after: readonly SourceDigest[],
  register: readonly Pick<Clause, 'id' | 'source'>[],
): readonly SourceChange[] {
  const left = new Set(after);
  const gone = new Set(before);
  const found = new Map<SourceDigest, SourceChange>();
  const pair = (
    isSame: (was: SourceDigest, is: SourceDigest) => boolean,
    kind?: SourceChange['kind'],
  ): void => {
    for (const was of gone) {
      const is = [...left].find((each) => isSame(was, each));
      if (is === undefined) continue;
      gone.delete(was);
      left.delete(is);
      if (kind !== undefined) found.set(was, { kind, was, is, clauses: clausesAt(was, register) });
    }
  };
  pair((was, is) => isSamePlace(was, is) && was.sha256 === is.sha256);
  pair((was, is) => was.heading === is.heading && was.sha256 === is.sha256, 'moved');
  pair((was, is) => was.kind === is.kind && was.sha256 === is.sha256, 'moved');
  pair(isSamePlace, 'changed');
  for (const was of gone) found.set(was, { kind: 'vanished', was, clauses: clausesAt(was, register) });
  const known = before.flatMap((was) => found.get(was) ?? []);
  const fresh = [...left].map((is): SourceChange => ({ kind: 'new', is, clauses: [] }));
  return [...known, ...fresh].filter(
    ({ was, is, clauses: ids }) => ids.length > 0 || (was ?? is)?.isStatement === true,
  );
}

function isSamePlace(a: SourceDigest, b: SourceDigest): boolean {
  return a.heading === b.heading && a.kind === b.kind && a.at === b.at && a.label === b.label;
}

function clausesAt(
  place: SourceDigest,
  register: readonly Pick<Clause, 'id' | 'source'>[],
): readonly string[] {
  return register.filter(({ source }) => isAt(source, place)).map(({ id }) => id);
}

/** The differences for people, one place after another. */
export function describeChanges(changes: readonly SourceChange[]): string {
  if (changes.length === 0) return 'the contract says what the register was written from\n';
  const lines = changes.flatMap(({ kind, was, is, clauses: ids }) => {
    const places = [was, is].flatMap((place) => (place === undefined ? [] : [nameOf(place)]));
    const where = kind === 'moved' ? places.join(' → ') : (places[0] ?? '');
    return [
      `${kind.padEnd(9)} ${where}`,
      `${' '.repeat(10)}${ids.length === 0 ? 'no clause' : ids.join(', ')}`,
    ];
  });
  return `${lines.join('\n')}\n${changes.length} ${changes.length === 1 ? 'place differs' : 'places differ'}\n`;
}

function nameOf({ heading, kind, at, label }: SourceDigest): string {
  return `${heading}: ${kind} ${at}${kind === 'row' && label !== '' ? ` (${label})` : ''}`;
}

function compareWithContract(path: string | undefined): number {
  if (path === undefined) {
    process.stderr.write('usage: npm run contract-diff -- path/to/contract.md\n');
    return 2;
  }
  let contract: string;
  try {
    contract = readFileSync(path, 'utf8');
  } catch (error) {
    process.stderr.write(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return 2;
  }
  const changes = contractChanges(readSourceDigests(), digestsOf(contract), clauses);
  process.stdout.write(describeChanges(changes));
  return changes.length === 0 ? 0 : 1;
}

const isProgram =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isProgram) process.exitCode = compareWithContract(process.argv[2]);
