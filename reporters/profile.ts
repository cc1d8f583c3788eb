import { partsOfClause } from '../harness/config/optional-parts.ts';
import type { Column } from '../harness/results/column.ts';
import { type Clause, clauses } from '../spec/index.ts';
import { clauseColumns } from './clause-columns.ts';
import { isNarrowed, type RunSoFar } from './run-so-far.ts';

/** Parts of a server that its users ask for by name; what is of none of them is the core. */
const parts = {
  receipts: (clause: Clause) =>
    partsOfClause(clause.id).some((part) => part === 'receipts' || part === 'receipts_list'),
  files: (clause: Clause) => partsOfClause(clause.id).includes('files'),
  'long polls': ({ id }: Clause) => id.startsWith('channel-read.wait-'),
  'machine tokens': ({ id, needs }: Clause) => needs.includes('machine') || id.startsWith('auth.machine-'),
};

/** Clauses without which a part was not shown, whatever else was: a server that ignores `wait` accepts every wait. */
const shownBy: Readonly<Record<string, string>> = { 'long polls': 'channel-read.wait-wakes' };

/** How a server stands to a part, by what a run tells: `kept` where something was shown and nothing broken, `open` where nothing was decided. */
type Stand = 'kept' | 'broken' | 'absent' | 'open';

/** What a server has, as far as a run of it tells. */
interface ServerProfile {
  readonly kept: readonly string[];
  readonly broken: readonly string[];
  /** What it does not have, where it may be without. */
  readonly absent: readonly string[];
  /** What was not put to the test. */
  readonly open: readonly string[];
}

/** The profile of a server; `undefined` where a run was narrowed, or told of no check, since then it says nothing of the whole. */
export function serverProfile(run: RunSoFar): ServerProfile | undefined {
  if (run.checks.length === 0 || isNarrowed(run)) return undefined;
  const columns = clauseColumns(run);
  const named = Object.entries(parts);
  const isCore = (clause: Clause): boolean => named.every(([, isOf]) => !isOf(clause));
  const stands = new Map(
    [['core', isCore] as const, ...named].map(([name, isOf]) => [
      name,
      standOf(clauses.filter(isOf), columns, { mayLack: name !== 'core', shownBy: shownBy[name] }),
    ]),
  );
  const which = (wanted: Stand): readonly string[] =>
    [...stands].flatMap(([name, stand]) => (stand === wanted ? [name] : []));
  return { kept: which('kept'), broken: which('broken'), absent: which('absent'), open: which('open') };
}

/** A server is without a part where none of it applies; what a target does not let be asked tells nothing of the server. */
function standOf(
  own: readonly Clause[],
  columns: ReadonlyMap<string, Column>,
  { mayLack, shownBy: shown }: { readonly mayLack: boolean; readonly shownBy: string | undefined },
): Stand {
  const met = new Set(own.filter(({ level }) => level === 'must').map(({ id }) => columns.get(id)));
  if (met.has('failed') || met.has('known')) return 'broken';
  const isShown = shown === undefined || columns.get(shown) !== 'inconclusive';
  if (met.has('passed')) return isShown ? 'kept' : 'open';
  return mayLack && met.has('notApplicable') && !met.has('inconclusive') ? 'absent' : 'open';
}

/** `core, receipts; breaks files; without long polls; not tested: machine tokens`; empty where a run tells of no profile. */
export function profileInWords(run: RunSoFar): string {
  const profile = serverProfile(run);
  if (profile === undefined) return '';
  const { kept, broken, absent, open } = profile;
  const list = (lead: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${lead}${names.join(', ')}`];
  return [
    ...list('', kept),
    ...list('breaks ', broken),
    ...list('without ', absent),
    ...list('not tested: ', open),
  ].join('; ');
}
