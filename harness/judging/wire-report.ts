import type { ClauseId } from '../../spec/index.ts';
import type { Target } from '../config/target.ts';
import type { CheckEvent } from '../results/generated/events.ts';
import { requestName, type Sighted } from '../verdict/findings.ts';
import { enabling } from '../verdict/inapplicable.ts';
import { runWideEvent, type Why } from '../verdict/run-wide-check.ts';
import type { ProvenError } from './repeated-errors.ts';
import { byCause } from '../wire/wire-causes.ts';
import { onlySeenBroken, wireChecks } from '../wire/wire-checks.ts';
import type { WireLedger, WireSighting } from '../wire/wire-ledger.ts';

/** What the report on the wire is made of. */
interface WireReport {
  /** What was tested, where it may lack what a clause needs. */
  readonly target?: Target;
  /** Only some checks ran, or none that writes: what they did not reach is nothing to tell of. */
  readonly isNarrowed: boolean;
  readonly wire: WireLedger;
  /** What ended later is held against nobody: something was lost. */
  readonly sureUntilMs?: number | undefined;
  /**
   * Server errors that came every time, or whenever several requests came at once, each with what checks saw broken by it.
   */
  readonly provenErrors: ReadonlyMap<ProvenError, readonly Sighted[]>;
  /** Clauses that a server error may have broken that nobody could repeat: the run was cut short. */
  readonly suspected?: ReadonlySet<ClauseId>;
  /** Ids of the checks that passed. */
  readonly passed: readonly string[];
}

/** What the checks that watch the wire have to say at the end of a run. */
interface WireResult {
  /** What was seen broken, by its causes. */
  readonly causes: readonly (readonly Sighted[])[];
  readonly checks: readonly CheckEvent[];
}

const wireClauses = wireChecks.flatMap(({ clauses }) => clauses);

/** Judges what all the others received: what is broken counts whoever met it, what is kept only in checks that passed. */
export function reportWire(report: WireReport): WireResult {
  const { target, isNarrowed, wire, sureUntilMs = Number.POSITIVE_INFINITY, provenErrors, passed } = report;
  const sightings = wire.sightings.filter(({ firstMs }) => firstMs <= sureUntilMs);
  const broken = new Set<ClauseId>([
    ...sightings.map(({ problem }) => problem.clause),
    ...[...provenErrors.keys()].map(({ clause }) => clause),
  ]);
  // Not held against the server, and not kept by it either.
  const unsure = new Set([
    ...wire.sightings.map(({ problem }) => problem.clause),
    ...(report.suspected ?? []),
  ]);
  const { times, unreached } = wire.exercisedBy(passed, wireClauses);
  const kept = new Map([...times].filter(([clause]) => broken.has(clause) || !unsure.has(clause)));
  const why = (clause: ClauseId): Why => ({
    reason: unsure.has(clause)
      ? 'an answer broke it, or may have, of which the end of this run leaves open whether it counts'
      : reasonOf((isNarrowed ? undefined : unreached.get(clause)) ?? []),
    ...(target === undefined ? {} : enabling(clause, target)),
  });
  return {
    causes: [
      ...[...provenErrors].map(([error, failures]) => [sightedError(error), ...failures]),
      ...byCause(sightings).map((group) => group.map((each) => sightedOf(each, wire))),
    ],
    checks: wireChecks.map((check) => runWideEvent(check, { broken, kept, why, elsewhere: onlySeenBroken })),
  };
}

function reasonOf(unreached: readonly string[]): string {
  return unreached.length === 0
    ? 'no answer in a passing check exercised it'
    : `not put to the test: no answer in a passing check showed ${unreached.join(', nor ')}`;
}

function sightedOf({ problem, exchange, metIn, send, ease, times }: WireSighting, wire: WireLedger): Sighted {
  const { clause, part, expected, actual, path } = problem;
  const of = Math.max(times, wire.exercisedTimes(clause));
  const isOthers = ease === 0;
  const cause = send === undefined ? { check: metIn } : { check: send.check, evidence: send.evidence() };
  return {
    clause,
    part,
    expected,
    actual,
    check: checkOf(clause),
    metIn,
    ...(isOthers ? {} : { cause }),
    ...(path === undefined ? {} : { path }),
    seen: { times, of },
    exchanges: [exchange],
    // What is wrong with the form of an answer has nothing to do with what else it shows; with its status it has.
    shownBy: {
      own: [],
      others: clause === 'mentions.error-statuses' ? [requestName(exchange)] : [],
    },
    watcher: 1,
  };
}

function sightedError({ call: _call, ...provenError }: ProvenError): Sighted {
  return {
    ...provenError,
    check: checkOf(provenError.clause),
    cause: { check: provenError.metIn },
    watcher: 1,
  };
}

function checkOf(clause: ClauseId): string {
  return wireChecks.find(({ clauses }) => clauses.includes(clause))?.id ?? 'wire';
}
