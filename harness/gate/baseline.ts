import { type JudgedClauseId, originalOf } from '../../spec/index.ts';
import { clientChecks, runWideAreas } from '../judging/run-wide-checks.ts';
import type { CheckEvent, ClauseVerdict, StaleEntry } from '../results/generated/events.ts';
import type { Check } from '../check/check.ts';

/**
 * A failure that the implementer knows of: of a check, of a clause whoever meets it, of one check about one clause, or what
 * a campaign found.
 */
export interface BaselineEntry {
  /** Id of a check. */
  readonly check?: string;
  readonly clause?: JudgedClauseId;
  /** Root of a campaign's finding: the clause, and the part of it that is broken. No run knows of it. */
  readonly finding?: string;
  /** Why it may fail, in the words of whoever keeps the file. */
  readonly reason: string;
  /** Last day on which it may, in UTC, as `2026-01-31`. */
  readonly expires?: string;
  /** Where it stands: `file:line:column`. */
  readonly place: string;
}

/** Of a check, what a baseline speaks of. */
export interface Decider extends Pick<Check, 'id'> {
  readonly clauses: readonly JudgedClauseId[];
}

/** What a campaign says of a root: what it found, and what it tried again of an earlier one. */
export interface RootSeen {
  readonly root: string;
  /** Clauses that stand for it. */
  readonly clauses: readonly string[];
  /** `passed` where none of its earlier requests shows it any more, `inconclusive` where some could not be tried. */
  readonly state: 'fails' | 'passed' | 'inconclusive';
}

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
    return this.#reason((entry) => isEntryAbout(entry, check, clause));
  }

  /** The entries that no longer hold. What could not be decided speaks neither for an entry nor against it. */
  staleIn(events: readonly CheckEvent[], scope: RunScope): readonly StaleEntry[] {
    return this.#stale((entry) => this.#hasPassed(entry, events, scope));
  }

  /** Why a campaign may find a root; `undefined` when nobody expects that. */
  reasonForRoot(seen: Pick<RootSeen, 'root' | 'clauses'>): string | undefined {
    return this.#reason((entry) => isAboutRoot(entry, seen));
  }

  /**
   * The entries that no longer hold by what a campaign saw. Cases are drawn, so that a finding which did not come proves
   * nothing: an entry has passed when every earlier request of it was tried and none shows it. One about a clause speaks of findings that no
   * corpus has, and of runs.
   */
  staleByRoots(seen: readonly RootSeen[]): readonly StaleEntry[] {
    return this.#stale((entry) => {
      const own = seen.filter((each) => isAboutRoot(entry, each));
      return entry.finding !== undefined && own.length > 0 && own.every(({ state }) => state === 'passed');
    });
  }

  /** Findings that entries name and of which nothing was seen: neither found nor tried again. */
  unseenRoots(seen: readonly RootSeen[]): readonly string[] {
    return this.#entries.flatMap(({ finding, place }) =>
      finding === undefined || seen.some(({ root }) => root === finding) ? [] : [`${place}  ${finding}`],
    );
  }

  #reason(isMeant: (entry: BaselineEntry) => boolean): string | undefined {
    return this.#entries.find((entry) => !this.#isExpired(entry) && isMeant(entry))?.reason;
  }

  #stale(hasPassed: (entry: BaselineEntry) => boolean): readonly StaleEntry[] {
    return this.#entries.flatMap((entry) => {
      if (this.#isExpired(entry)) return [staleOf(entry, 'expired')];
      return hasPassed(entry) ? [staleOf(entry, 'passed')] : [];
    });
  }

  #isExpired({ expires }: BaselineEntry): boolean {
    return expires !== undefined && expires < this.#today;
  }

  #hasPassed(entry: BaselineEntry, events: readonly CheckEvent[], { isNarrowed }: RunScope): boolean {
    const concerned = this.#deciders.filter(({ id, clauses }) =>
      clauses.some((clause) => isEntryAbout(entry, id, clause)),
    );
    // In a part of a run, or in recorded traffic, the ones that would meet it may be missing, or watch fewer answers or requests.
    const isWatched = concerned.some(({ id }) => watchedAreas.has(id.slice(0, id.indexOf('.'))));
    if (isNarrowed && (entry.check === undefined || isWatched)) return false;
    const ended = events.filter(({ check }) => concerned.some(({ id }) => id === check));
    if (ended.length < concerned.length) return false;
    const verdicts = ended.flatMap(({ check, clauses }) =>
      clauses.filter(({ clause }) => isEntryAbout(entry, check, clause)),
    );
    return verdicts.some(({ verdict }) => verdict === 'passed') && verdicts.every(isNoObstacle);
  }
}

/** Areas of the checks that ask for nothing themselves. */
const watchedAreas: ReadonlySet<string> = new Set([...runWideAreas, ...clientChecks.map(({ area }) => area)]);

/** Passed, or out of reach of this target: anything else may be the place where it still fails. */
function isNoObstacle({ verdict, enable, inapplicable }: ClauseVerdict): boolean {
  return verdict === 'passed' || (verdict === 'inconclusive' && (enable ?? inapplicable) !== undefined);
}

function isAboutRoot(
  { check, clause, finding }: BaselineEntry,
  seen: Pick<RootSeen, 'root' | 'clauses'>,
): boolean {
  // What names a check is of runs alone.
  if (check !== undefined) return false;
  if (finding !== undefined) return finding === seen.root;
  return clause !== undefined && seen.clauses.some((each) => originalOf(each) === originalOf(clause));
}

function isEntryAbout(entry: BaselineEntry, check: string, clause: string): boolean {
  if (entry.finding !== undefined) return false;
  if (entry.check !== undefined && entry.check !== check) return false;
  return entry.clause === undefined || originalOf(entry.clause) === originalOf(clause);
}

function staleOf(
  { place, check, clause: own, finding, reason, expires }: BaselineEntry,
  problem: StaleEntry['problem'],
): StaleEntry {
  const clause = own ?? finding;
  return {
    place,
    ...(check === undefined ? {} : { check }),
    ...(clause === undefined ? {} : { clause }),
    problem,
    reason,
    ...(expires === undefined ? {} : { expires }),
  };
}
