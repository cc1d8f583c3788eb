import { type ClauseId, clauseOf, type JudgedClauseId } from '../../spec/index.ts';
import type { CheckEvent, ClauseVerdict } from '../results/generated/events.ts';
import { verdictWhenBroken } from './outcome.ts';
import { verdictOfCheck } from './tally.ts';
import { push } from '../../spec/groups.ts';

/** A check that has no body of its own: it judges what all the others sent and received. */
export interface RunWideCheck<Id extends JudgedClauseId = ClauseId> {
  readonly id: string;
  /** `wire`, `history` or `client`. */
  readonly area: string;
  readonly title: string;
  readonly clauses: readonly Id[];
}

/** Clauses by the area of the contract that they belong to, each under an id such as `wire.page`. */
export function byArea<Id extends JudgedClauseId>(
  area: string,
  ids: Iterable<Id>,
): (Omit<RunWideCheck<Id>, 'title'> & { readonly about: string })[] {
  const areas = new Map<string, Id[]>();
  for (const id of ids) {
    const [about = ''] = id.replace(/^client\./, '').split('.');
    push(areas, about, id);
  }
  return [...areas].map(([about, clauses]) => ({ id: `${area}.${about}`, area, about, clauses }));
}

/** Why a clause is inconclusive. */
export type Why = Pick<ClauseVerdict, 'enable'> & { readonly reason: string };

/** What a run showed of the clauses of such checks. */
interface RunWideResult<Id extends JudgedClauseId> {
  readonly broken: ReadonlySet<Id>;
  /** How often each clause was put to the test in checks that passed. */
  readonly kept: ReadonlyMap<Id, number>;
  /** Why a clause is inconclusive that was never put to the test, and what in the target would enable it. */
  readonly why: (clause: Id) => Why;
  /** Clauses that are left to others unless something is known of them here. */
  readonly elsewhere?: ReadonlySet<string>;
}

/** How such a check ends. */
export function runWideEvent<Id extends JudgedClauseId>(
  { id, area, title, clauses }: RunWideCheck<Id>,
  result: RunWideResult<Id>,
): CheckEvent {
  const { broken, kept, elsewhere } = result;
  const known = clauses.filter((clause) => broken.has(clause) || kept.has(clause));
  const isLeft = (clause: Id): boolean =>
    elsewhere?.has(clause) === true || clauseOf(clause).untestable !== undefined;
  const told = clauses.filter((clause) => known.includes(clause) || !isLeft(clause));
  // A check says something of at least one clause.
  const verdicts = (told.length > 0 ? told : clauses).map((clause) => verdictOf(clause, result));
  return {
    type: 'check',
    check: id,
    title,
    area,
    verdict: verdictOfCheck(verdicts),
    clauses: verdicts,
    requests: 0,
    judged: verdicts.reduce((sum, { judged }) => sum + judged, 0),
    attempts: 1,
    durationMs: 0,
  };
}

function verdictOf<Id extends JudgedClauseId>(
  clause: Id,
  { broken, kept, why }: RunWideResult<Id>,
): ClauseVerdict {
  const { level } = clauseOf(clause);
  const judged = kept.get(clause) ?? 0;
  if (broken.has(clause)) return { clause, level, judged, verdict: verdictWhenBroken(level) };
  if (judged > 0) return { clause, level, judged, verdict: 'passed' };
  return { clause, level, judged, verdict: 'inconclusive', ...why(clause) };
}
