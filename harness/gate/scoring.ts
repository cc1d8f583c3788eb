import { historyChecks, runWideAreas } from '../judging/run-wide-checks.ts';
import { type ClauseId, clauses, type JudgedClauseId } from '../../spec/index.ts';
import { columnOfCheck } from '../results/column.ts';
import type {
  CallLatency,
  CheckEvent,
  FindingEvent,
  FooterEvent,
  LatencyGate,
  RequiredClause,
} from '../results/generated/events.ts';
import type { Baseline, RunScope } from './baseline.ts';
import { judgeLatencies, type LatencyLimit } from './latency-limits.ts';
import { exitCodeOf, exitCodes } from '../verdict/exit-code.ts';
import { columnsByClause, tallyChecks, tallyClauses } from '../verdict/tally.ts';

/** Checks that decide conformance to one version of the contract, fixed when that version shipped. */
export interface RequirementSet {
  readonly name: string;
  /** Ids; every other check runs, is shown and decides nothing. */
  readonly checks: ReadonlySet<string>;
}

/** What decides the exit code besides the verdicts themselves. */
export interface ScoringOptions {
  /** Failures that are known and decide nothing. */
  readonly baseline?: Pick<Baseline, 'reasonFor' | 'staleIn'>;
  /** Without one every check is scored. */
  readonly requirements?: RequirementSet;
  /** Clauses that must be decided. */
  readonly required?: readonly JudgedClauseId[];
  /** Calls that must not be slower. */
  readonly latencyLimits?: readonly LatencyLimit[];
}

/** How a run is to be taken, once it went to its end. */
export type Score = Pick<FooterEvent, 'exitCode' | 'requiredInconclusive' | 'staleBaseline' | 'latencyGates'>;

/** Says of each verdict whether it counts, and of all of them together what they come to. */
export class Scoring {
  readonly #options: ScoringOptions;
  readonly #isStrict: boolean;

  constructor(options: ScoringOptions, { isStrict }: { isStrict: boolean }) {
    this.#options = options;
    this.#isStrict = isStrict;
  }

  /** What a finding of this check about this clause is marked with. */
  labelsOf(check: string, clause: string): Pick<FindingEvent, 'known' | 'isScored'> {
    const known = this.#options.baseline?.reasonFor(check, clause);
    return { ...(known === undefined ? {} : { known }), ...this.#scoredMarker(check) };
  }

  /** Whether the judges of a history may find a clause broken, as the baseline has it. */
  isKnown(clause: ClauseId): boolean {
    const check = historyChecks.find(({ clauses: own }) => own.includes(clause))?.id ?? '';
    return this.#options.baseline?.reasonFor(check, clause) !== undefined;
  }

  /** The event with what is known and what is not scored marked. */
  labelled(event: CheckEvent): CheckEvent {
    const marked = event.clauses.map((each) => {
      const isBroken = each.verdict === 'failed' || each.verdict === 'warned';
      const known = isBroken ? this.#options.baseline?.reasonFor(event.check, each.clause) : undefined;
      return known === undefined ? each : { ...each, known };
    });
    return { ...event, ...this.#scoredMarker(event.check), clauses: marked };
  }

  /** How many checks failed that nobody expected to; a strict run counts what is warned. */
  countFailed(events: readonly CheckEvent[]): number {
    const columns = events.map(columnOfCheck);
    return columns.filter((column) => column === 'failed' || (this.#isStrict && column === 'warned')).length;
  }

  /**
   * What a whole run comes to, by what is `shown` of it: broken before stale or slow, these before inconclusive. What has no check with a
   * body was judged by its history alone.
   */
  scoreOf(
    events: readonly CheckEvent[],
    {
      shown = events,
      hasBodies = true,
      latencies = [],
      ...scope
    }: RunScope & {
      readonly shown?: readonly CheckEvent[];
      readonly hasBodies?: boolean;
      /** By call, how long its answers took. */
      readonly latencies?: readonly CallLatency[];
    },
  ): Score {
    const decided = new Set(columnsByClause(shown).keys());
    const [checks, { must, inferred }] = [tallyChecks(shown), tallyClauses(shown, decided)];
    const counts = {
      failed: checks.failed + must.failed + inferred.failed,
      warned: checks.warned + inferred.warned,
      hasProved: must.passed + inferred.passed > 0 && hasProved(events, hasBodies ? runWideAreas : formAreas),
    };
    const verdicts = exitCodeOf(counts, this.#isStrict);
    const staleBaseline = this.#options.baseline?.staleIn(events, scope) ?? [];
    const requiredInconclusive = this.#requiredInconclusive(events);
    const latencyGates = judgeLatencies(this.#options.latencyLimits ?? [], latencies);
    const hasGate = (verdict: LatencyGate['verdict']): boolean =>
      latencyGates.some((each) => each.verdict === verdict);
    return {
      exitCode: exitCodeWith(verdicts, {
        isOff: staleBaseline.length > 0 || hasGate('failed'),
        isOpen: requiredInconclusive.length > 0 || hasGate('inconclusive'),
      }),
      ...(staleBaseline.length === 0 ? {} : { staleBaseline }),
      ...(requiredInconclusive.length === 0 ? {} : { requiredInconclusive }),
      ...(latencyGates.length === 0 ? {} : { latencyGates }),
    };
  }

  #scoredMarker(check: string): Pick<CheckEvent, 'isScored'> {
    const { requirements } = this.#options;
    return requirements === undefined || requirements.checks.has(check) ? {} : { isScored: false };
  }

  #requiredInconclusive(events: readonly CheckEvent[]): readonly RequiredClause[] {
    const columns = columnsByClause(events);
    return (this.#options.required ?? []).flatMap((clause) => {
      const column = columns.get(clause) ?? 'inconclusive';
      if (column === 'notScored') return [{ clause, reason: 'only a check that is not scored decided it' }];
      return column === 'inconclusive' ? [{ clause, ...whyInconclusive(clause, events) }] : [];
    });
  }
}

/** Where no check asks for anything, what was asked has to have been read in what came of it. */
const formAreas: ReadonlySet<string> = new Set(['wire']);

/** Well-formed answers alone prove nothing: a check has to have seen what it asked for. */
function hasProved(events: readonly CheckEvent[], without: ReadonlySet<string>): boolean {
  return events.some(
    ({ area, clauses: verdicts }) =>
      !without.has(area) && verdicts.some(({ verdict }) => verdict === 'passed' || verdict === 'warned'),
  );
}

function exitCodeWith(verdicts: number, { isOff, isOpen }: { isOff: boolean; isOpen: boolean }): number {
  if (verdicts === exitCodes.broken || isOff) return exitCodes.broken;
  return isOpen ? exitCodes.inconclusive : verdicts;
}

function whyInconclusive(
  clause: JudgedClauseId,
  events: readonly CheckEvent[],
): Omit<RequiredClause, 'clause'> {
  const original = clauses.find(({ id }) => id === clause)?.restates ?? clause;
  // The judges of the history look at whatever there is: that it was nothing is no reason to name.
  const met = events
    .filter(({ area }) => area !== 'history')
    .flatMap((event) => event.clauses.filter((each) => each.clause === original))
    .filter(({ inapplicable }) => inapplicable === undefined);
  const { reason, enable } = met.find((each) => each.enable !== undefined) ?? met[0] ?? {};
  return { reason: reason ?? 'no check that ran decides it', ...(enable === undefined ? {} : { enable }) };
}
