import { judgeHistory } from '../../history/judges/index.ts';
import { partOf, rootsOf } from '../../history/anomalies/roots.ts';
import type { Anomaly, Judged } from '../../history/judges/judge.ts';
import type { History, Operation } from '../../history/operation.ts';
import { declaredPairs, unreachedIn } from '../../history/situations/tally.ts';
import type { ClauseId } from '../../spec/index.ts';
import { isSameFamily } from '../judging/same-family.ts';
import { historyChecks } from '../judging/history-checks.ts';
import type { KeptExchanges } from '../record/kept-exchanges.ts';
import type { Target } from '../config/target.ts';
import type { CheckEvent } from '../results/events.ts';
import type { Sighted } from '../verdict/findings.ts';
import { enabling } from '../verdict/enabling.ts';
import { runWideEvent, type Why } from '../verdict/run-wide-check.ts';

/** What the report on a run's history is made of. */
interface HistoryReport {
  readonly target: Target;
  /** Only some checks ran, or none that writes: what they did not reach is nothing to tell of. */
  readonly isNarrowed: boolean;
  readonly history: History;
  readonly exchanges: KeptExchanges;
  /** Clauses that were found broken before. */
  readonly found: ReadonlySet<ClauseId>;
  /** Clauses that checks with a body are about. */
  readonly decided: ReadonlySet<string>;
  /** Ids of all checks that ran, and of those that passed. */
  readonly checks: ReadonlySet<string>;
  readonly passed: ReadonlySet<string>;
}

/** What the judges of a history have to say at the end of a run. */
interface HistoryResult {
  /** What was seen broken, by its roots. */
  readonly causes: readonly (readonly Sighted[])[];
  readonly checks: readonly CheckEvent[];
  /** Clauses broken in ways that may be no more than another side of what was found already. */
  readonly left: readonly ClauseId[];
}

/** The client of what no check asked for: the way to the end of a channel, before any clock. */
export const preparation = 'preparation';

const nothing = 'nothing in checks that passed put it to the test';

/**
 * Holds everything that a run sent and read against everything that is known. What is broken counts whichever check met it; what is kept
 * counts only in checks that passed, so that a server which answers by rote proves nothing.
 */
export function reportHistory(report: HistoryReport): HistoryResult {
  const judged = judgeHistory(report.history);
  const told = new Set(judged.anomalies.filter((each) => isTold(each, report.found)));
  const roots = rootsOf([...told]);
  const left = rootsOf(judged.anomalies.filter((each) => !told.has(each)));
  const broken = new Set(roots.flatMap(({ all }) => all.map(({ clause }) => clause)));
  const { opportunities, unreached } = keptBy(report, judged);
  // Of what follows from another breach nothing is known.
  const kept = new Map(
    [...opportunities].filter(([clause]) => !isSeen(judged, clause) && !unreached.has(clause)),
  );
  const why = (clause: ClauseId): Why => ({
    reason: unreached.has(clause) && !report.isNarrowed ? reasonOf(clause) : nothing,
    ...enabling(clause, report.target),
  });
  return {
    left: [...new Set(left.map(({ lead }) => lead.clause))],
    causes: roots.map(({ all }) => oneOfEachClause(all).map((anomaly) => sightedOf(anomaly, judged, report))),
    checks: historyChecks.map((check) =>
      runWideEvent(check, { broken, kept, why, elsewhere: report.decided }),
    ),
  };
}

/** A clause that was found is found again; another of its family may be no more than another side of it. */
function isTold({ clause }: Anomaly, found: ReadonlySet<ClauseId>): boolean {
  return found.has(clause) || ![...found].some((each) => isSameFamily(clause, each));
}

function isSeen({ anomalies }: Judged, clause: ClauseId): boolean {
  return anomalies.some((each) => each.clause === clause);
}

function reasonOf(clause: ClauseId): string {
  const { missing: [one = ''] = [] } = declaredPairs().find((each) => each.clause === clause) ?? {};
  return `not put to the test: none of the situations that it declares arose, such as ${one}`;
}

/** What passing checks put to the test. */
interface Kept {
  /** How often each clause. */
  readonly opportunities: ReadonlyMap<ClauseId, number>;
  /** Those among them for which no situation arose in which they could be broken. */
  readonly unreached: ReadonlySet<ClauseId>;
}

function keptBy({ history, passed }: HistoryReport, judged: Judged): Kept {
  const clients = new Set(
    history.operations.flatMap(({ kind, client }) => (kind === 'change' ? [] : client)),
  );
  clients.delete(preparation);
  const isWhole = clients.size > 0 && [...clients].every((client) => passed.has(client));
  const isKept = ({ kind, client }: Operation): boolean => kind === 'change' || passed.has(client);
  const part = isWhole ? history : partOf(history, isKept);
  const { opportunities } = isWhole ? judged : judgeHistory(part);
  const clauses = [...opportunities].flatMap(([clause, count]) => (count > 0 ? [clause] : []));
  return { opportunities, unreached: unreachedIn(part, clauses) };
}

function oneOfEachClause(anomalies: readonly Anomaly[]): readonly Anomaly[] {
  const first = new Map<ClauseId, Anomaly>();
  for (const anomaly of anomalies) if (!first.has(anomaly.clause)) first.set(anomaly.clause, anomaly);
  return [...first.values()];
}

function sightedOf(
  { clause, expected, actual, witness }: Anomaly,
  { anomalies, opportunities }: Judged,
  { exchanges, checks }: HistoryReport,
): Sighted {
  const times = anomalies.filter((each) => each.clause === clause).length;
  const [cause] = witness;
  const metIn = witness.findLast(({ client }) => checks.has(client))?.client;
  const shown = exchanges.of(witness);
  const isCauseShown = cause !== undefined && checks.has(cause.client) && exchanges.of([cause]).length > 0;
  return {
    clause,
    check: historyChecks.find(({ clauses }) => clauses.includes(clause))?.id ?? 'history',
    ...(metIn === undefined ? {} : { metIn }),
    ...(isCauseShown ? { cause: { check: cause.client } } : {}),
    expected,
    actual,
    seen: { times, of: Math.max(times, opportunities.get(clause) ?? 0) },
    exchanges: shown,
  };
}
