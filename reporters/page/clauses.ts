import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import { type Column, columnOfClause } from '../../harness/results/column.ts';
import type {
  CheckEvent,
  ClauseSituations,
  ClauseVerdict,
  FindingEvent,
  ObservationEvent,
} from '../../harness/results/generated/events.ts';
import { type ClauseLevel, clauses, contractPlace } from '../../spec/index.ts';
import { clauseColumns } from '../clause-columns.ts';
import { isNarrowed, type RunSoFar } from '../run-so-far.ts';
import type { State } from './states.ts';
import { grouped, push } from '../../spec/groups.ts';

/** A clause, and all that a run has to say of it. */
export interface ClauseRow {
  readonly id: string;
  readonly level: ClauseLevel;
  readonly text: string;
  readonly place: string;
  readonly state: State;
  /** The clause whose verdict it shares. */
  readonly restates: string | undefined;
  /** Why no client can decide it. */
  readonly untestable: string | undefined;
  readonly said: readonly SaidByCheck[];
  readonly findings: readonly FindingEvent[];
  readonly observations: readonly ObservationEvent[];
  /** In what it was put to the test, where it declares that. */
  readonly situations: ClauseSituations | undefined;
}

/** What one check says of a clause. */
export interface SaidByCheck {
  readonly check: CheckEvent;
  readonly verdict: ClauseVerdict;
  readonly column: Column;
}

/** The clauses whose ids begin with the same word. */
export interface Area {
  readonly name: string;
  readonly rows: readonly ClauseRow[];
}

/**
 * Every clause of the register by area, those of the stream that it does not have included; of a narrowed run what it is about,
 * of a campaign what was broken.
 */
export function clausesByArea(run: RunSoFar): readonly Area[] {
  const { header } = run;
  const shown = everyClause(run).filter(({ said, findings }) => {
    if (header?.campaign !== undefined) return findings.length > 0;
    return !isNarrowed(run) || said.length + findings.length > 0;
  });
  return [...grouped(shown, ({ id }) => areaOf(id))].map(([name, rows]) => ({ name, rows }));
}

/** The first word of the id of a clause. */
export function areaOf(id: string): string {
  return id.split('.')[0] ?? id;
}

/** Every clause of the register, then those of the stream that it does not have, and what a run has to say of each. */
export function everyClause(run: RunSoFar): readonly ClauseRow[] {
  const told = new Told(run);
  const registered = clauses.map(({ id, level, text, source, restates, untestable }): ClauseRow => ({
    ...told.of(id, restates),
    id,
    level,
    text,
    place: contractPlace(source),
    state: told.state(id, { level, untestable, restates }),
    restates,
    untestable,
  }));
  return [...registered, ...told.strangers()];
}

/** What a stream says, by clause. */
class Told {
  readonly #columns: ReadonlyMap<string, Column>;
  readonly #said: ReadonlyMap<string, readonly SaidByCheck[]>;
  readonly #findings = new Map<string, FindingEvent[]>();
  readonly #observations: ReadonlyMap<string, readonly ObservationEvent[]>;
  readonly #situations: Map<string, ClauseSituations>;

  constructor(run: RunSoFar) {
    this.#columns = clauseColumns(run);
    this.#said = grouped(
      run.checks.flatMap((check) =>
        check.clauses.map((verdict) => ({ check, verdict, column: columnOfClause(verdict, check) })),
      ),
      ({ verdict }) => verdict.clause,
    );
    this.#observations = grouped(run.observations, ({ clause }) => clause);
    this.#situations = new Map(run.footer?.coverage?.situations.map((each) => [each.clause, each]));
    for (const finding of run.findings) this.#find(finding);
  }

  of(id: string, restates?: string): Pick<ClauseRow, 'said' | 'findings' | 'observations' | 'situations'> {
    const decider = restates ?? id;
    return {
      said: this.#said.get(decider) ?? [],
      findings: this.#findings.get(decider) ?? [],
      observations: this.#observations.get(id) ?? [],
      situations: this.#situations.get(decider),
    };
  }

  /** What was found broken is broken, whatever this register thinks of it: the stream may be of another one. */
  state(
    id: string,
    { level, untestable, restates }: Pick<ClauseRow, 'level' | 'untestable' | 'restates'>,
  ): State {
    if (!this.#findings.has(restates ?? id)) {
      if (level === 'silent') return 'silent';
      if (untestable !== undefined) return 'untestable';
    }
    return this.#columns.get(restates ?? id) ?? 'inconclusive';
  }

  /** Clauses that only a newer or an older register has. */
  strangers(): readonly ClauseRow[] {
    const known = new Set<string>(clauses.map(({ id }) => id));
    const ids = new Set([...this.#said.keys(), ...this.#findings.keys()].filter((id) => !known.has(id)));
    return [...ids].map((id) => {
      const told = this.of(id);
      const own = told.findings.find(({ clause }) => clause === id);
      const broken = told.findings.flatMap(brokenClauses).find(({ clause }) => clause === id);
      const level = broken?.level ?? told.said[0]?.verdict.level ?? 'must';
      const facts = { level, restates: undefined, untestable: undefined };
      return {
        ...told,
        id,
        text: own?.text ?? '',
        place: own?.source ?? '',
        state: this.state(id, facts),
        ...facts,
      };
    });
  }

  #find(finding: FindingEvent): void {
    for (const { clause } of brokenClauses(finding)) push(this.#findings, clause, finding);
  }
}
