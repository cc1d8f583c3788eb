import { clauseOf } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { CheckEvent, ClauseVerdict, StaleEntry } from '../results/events.ts';
import type { Check } from './check.ts';

/** A failure that the implementer knows of: of a check, of a clause whoever meets it, or of one check about one clause. */
export interface BaselineEntry {
  /** Id of a check. */
  readonly check?: string;
  readonly clause?: ClauseId;
  /** Why it may fail, in the words of whoever keeps the file. */
  readonly reason: string;
  /** Last day on which it may, in UTC, as `2026-01-31`. */
  readonly expires?: string;
  /** Where it stands: `file:line:column`. */
  readonly place: string;
}

/** Of a check, what a baseline speaks of. */
export type Decider = Pick<Check, 'id' | 'clauses'>;

/** What a run was narrowed to, as far as it says that something passes. */
export interface RunScope {
  /** True when not everything was looked at: a part of the suite, or only what reads. */
  readonly isNarrowed: boolean;
}

/**
 * The known failures of one server, kept by whoever implements it. What it expects decides nothing; an entry that no
 * longer holds fails the run, so that the file cannot rot.
 */
export class Baseline {
  readonly #entries: readonly BaselineEntry[];
  readonly #deciders: readonly Decider[];
  readonly #today: string;

  /** `deciders` are all checks of the suite, whichever run; `today` is a day in UTC. */
  constructor(
    entries: readonly BaselineEntry[],
    { deciders, today }: { deciders: readonly Decider[]; today: string },
  ) {
    this.#entries = entries;
    this.#deciders = deciders;
    this.#today = today;
  }

  /** Why a check may find a clause broken; `undefined` when nobody expects that. An expired entry excuses nothing. */
  reasonFor(check: string, clause: string): string | undefined {
    return this.#entries.find((entry) => !this.#isExpired(entry) && isAbout(entry, check, clause))?.reason;
  }

  /** The entries that no longer hold. What could not be decided speaks neither for an entry nor against it. */
  staleIn(events: readonly CheckEvent[], scope: RunScope): readonly StaleEntry[] {
    return this.#entries.flatMap((entry) => {
      if (this.#isExpired(entry)) return [staleOf(entry, 'expired')];
      return this.#hasPassed(entry, events, scope) ? [staleOf(entry, 'passed')] : [];
    });
  }

  #isExpired({ expires }: BaselineEntry): boolean {
    return expires !== undefined && expires < this.#today;
  }

  #hasPassed(entry: BaselineEntry, events: readonly CheckEvent[], { isNarrowed }: RunScope): boolean {
    const concerned = this.#deciders.filter(({ id, clauses }) =>
      clauses.some((clause) => isAbout(entry, id, clause)),
    );
    // In a part of a run the ones that would meet it may be missing, or watch fewer answers.
    const isWatched = concerned.some(({ id }) => id.startsWith('wire.'));
    if (isNarrowed && (entry.check === undefined || isWatched)) return false;
    const ended = events.filter(({ check }) => concerned.some(({ id }) => id === check));
    if (ended.length < concerned.length) return false;
    const verdicts = ended.flatMap(({ check, clauses }) =>
      clauses.filter(({ clause }) => isAbout(entry, check, clause)),
    );
    return verdicts.some(({ verdict }) => verdict === 'passed') && verdicts.every(isNoObstacle);
  }
}

/** Passed, or out of reach of this target: anything else may be the place where it still fails. */
function isNoObstacle({ verdict, enable }: ClauseVerdict): boolean {
  return verdict === 'passed' || (verdict === 'inconclusive' && enable !== undefined);
}

function isAbout(entry: BaselineEntry, check: string, clause: string): boolean {
  if (entry.check !== undefined && entry.check !== check) return false;
  return entry.clause === undefined || originalOf(entry.clause) === originalOf(clause);
}

/** The clause whose verdict a clause shares. */
function originalOf(clause: string): string {
  return clauseOf(clause as ClauseId).restates ?? clause;
}

function staleOf(
  { place, check, clause, reason, expires }: BaselineEntry,
  problem: StaleEntry['problem'],
): StaleEntry {
  return {
    place,
    ...(check === undefined ? {} : { check }),
    ...(clause === undefined ? {} : { clause }),
    problem,
    reason,
    ...(expires === undefined ? {} : { expires }),
  };
}
