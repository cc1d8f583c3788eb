import { judgeHistory } from '../../history/judges/index.ts';
import { partOf, rootsOf } from '../../history/judges/roots.ts';
import type { Anomaly, Judged } from '../../history/judges/judge.ts';
import type { History, Operation } from '../../history/operation.ts';
import type { ClauseId } from '../../spec/index.ts';
import { isSameFamily } from '../judging/same-family.ts';
import { historyChecks } from '../judging/history-checks.ts';
import type { KeptExchanges } from '../record/kept-exchanges.ts';
import type { Target } from '../config/target.ts';
import type { CheckEvent } from '../results/events.ts';
import type { Sighted } from '../verdict/findings.ts';
import { enabling } from '../verdict/enabling.ts';
import { runWideEvent } from '../verdict/run-wide-check.ts';

/** What the report on a run's history is made of. */
interface HistoryReport {
  readonly target: Target;
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

const reason = 'nothing in checks that passed put it to the test';

/**
 * Holds everything that a run sent and read against everything that is known. What is broken counts whichever check met it; what is kept
 * counts only in checks that passed, so that a server which answers by rote proves nothing.
 */
export function reportHistory(report: HistoryReport): HistoryResult {
  const judged = judgeHistory(report.history);
  const roots = rootsOf(judged.anomalies.filter((each) => isTold(each, report.found)));
  const left = rootsOf(judged.anomalies.filter((each) => !isTold(each, report.found)));
  const broken = new Set(roots.flatMap(({ all }) => all.map(({ clause }) => clause)));
  // Of what follows from another breach nothing is known.
  const kept = new Map([...keptBy(report, judged)].filter(([clause]) => !isSeen(judged, clause)));
  return {
    left: [...new Set(left.map(({ lead }) => lead.clause))],
    causes: roots.map(({ all }) => oneOfEachClause(all).map((anomaly) => sightedOf(anomaly, judged, report))),
    checks: historyChecks.map((check) =>
      runWideEvent(check, {
        broken,
        kept,
        why: (clause) => ({ reason, ...enabling(clause, report.target) }),
        elsewhere: report.decided,
      }),
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

/** How often what passing checks did put each clause to the test. */
function keptBy({ history, passed }: HistoryReport, judged: Judged): ReadonlyMap<ClauseId, number> {
  const clients = new Set(
    history.operations.flatMap(({ kind, client }) => (kind === 'change' ? [] : client)),
  );
  clients.delete(preparation);
  if (clients.size > 0 && [...clients].every((client) => passed.has(client))) return judged.opportunities;
  const isKept = ({ kind, client }: Operation): boolean => kind === 'change' || passed.has(client);
  return judgeHistory(partOf(history, isKept)).opportunities;
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
