import { catalogue } from '../../history/anomalies/catalogue.ts';
import type { AnomalyName } from '../../history/anomalies/catalogue.ts';
import { partOf } from '../../history/anomalies/roots.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import type { Anomaly, Judged } from '../../history/judges/judge.ts';
import type { History, Operation } from '../../history/operation.ts';
import { declaredPairs, unreachedIn } from '../../history/situations/tally.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Target } from '../config/target.ts';
import { SuiteBug } from '../errors.ts';
import { historyChecks } from '../judging/history-checks.ts';
import type { KeptExchanges } from '../record/kept-exchanges.ts';
import type { CheckEvent } from '../results/generated/events.ts';
import type { Sighted } from '../verdict/findings.ts';
import { enabling } from '../verdict/inapplicable.ts';
import { runWideEvent } from '../verdict/run-wide-check.ts';
import type { Why } from '../verdict/run-wide-check.ts';

/** What the report on a run's history is made of. */
interface HistoryReport {
  readonly target: Target;
  /** Only some checks ran, or none that writes: what they did not reach is nothing to tell of. */
  readonly isNarrowed: boolean;
  readonly history: History;
  readonly exchanges: KeptExchanges;
  /** Clauses that checks with a body are about. */
  readonly decided: ReadonlySet<string>;
  /** Ids of all checks that ran, and of those that passed. */
  readonly checks: ReadonlySet<string>;
  readonly passed: ReadonlySet<string>;
  /** Whether a check says that it brings about what a clause is judged by. */
  readonly arranges: (check: string, clause: ClauseId) => boolean;
}

/** What the judges of a history have to say at the end of a run. */
interface HistoryResult {
  readonly judged: Judged;
  /** Each clause that was seen broken, by what shows it best. */
  readonly sighted: readonly Sighted[];
  readonly checks: readonly CheckEvent[];
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
  const broken = new Set(judged.anomalies.map(({ clause }) => clause));
  const { opportunities, unreached } = keptBy(report, judged);
  const kept = new Map(
    [...opportunities].filter(([clause]) => !broken.has(clause) && !unreached.has(clause)),
  );
  const why = (clause: ClauseId): Why => ({
    reason: unreached.has(clause) && !report.isNarrowed ? reasonOf(clause) : nothing,
    ...enabling(clause, report.target),
  });
  return {
    judged,
    sighted: [...broken].map((clause) => sightedOf(clause, judged, report)),
    checks: historyChecks.map((check) =>
      runWideEvent(check, { broken, kept, why, elsewhere: report.decided }),
    ),
  };
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

/** A clause with the anomaly that shows it best, and all pages and messages that any of them has to do with. */
function sightedOf(clause: ClauseId, judged: Judged, report: HistoryReport): Sighted {
  const all = judged.anomalies.filter((each) => each.clause === clause);
  const shown = all.map((anomaly) => shownIn(anomaly, report));
  const [best = shown[0]] = shown.toSorted(
    (one, other) =>
      one.rank - other.rank ||
      one.anomaly.witness.length - other.anomaly.witness.length ||
      (one.metIn ?? '').localeCompare(other.metIn ?? ''),
  );
  if (best === undefined) throw new SuiteBug(`no anomaly breaks ${clause}`);
  const { anomaly, metIn, cause, exchanges } = best;
  const own = all.flatMap(({ root, breaks }) => [root, ...breaks]);
  return {
    clause,
    check: historyChecks.find(({ clauses }) => clauses.includes(clause))?.id ?? 'history',
    ...(metIn === undefined ? {} : { metIn }),
    ...(cause === undefined ? {} : { cause: { check: cause } }),
    expected: anomaly.expected,
    actual: anomaly.actual,
    // How many situations could have shown it nobody knows: a rule is put to the test more often than a fault can break it.
    seen: { times: judged.breaches.get(clause) ?? all.length },
    exchanges,
    shownBy: {
      own,
      others: [...own, ...all.flatMap(({ dependsOn }) => dependsOn)],
      isConsequence: all.every(({ explainedBy }) => explainedBy !== undefined),
    },
    watcher: 2 + names.indexOf(anomaly.name) / names.length,
  };
}

/** What judges call anomalies, causes before what follows from them. */
const names: readonly AnomalyName[] = Object.keys(catalogue) as AnomalyName[];

/** An anomaly, and by which checks it came about. */
interface ShownIn {
  readonly anomaly: Anomaly;
  readonly metIn: string | undefined;
  readonly cause: string | undefined;
  /** The cause first, then what followed, by time. */
  readonly exchanges: readonly Exchange[];
  /** Lower for what is no consequence, for checks of the clause's area, and for those that arrange it. */
  readonly rank: number;
}

function shownIn(anomaly: Anomaly, { exchanges, checks, arranges }: HistoryReport): ShownIn {
  const { clause, witness, explainedBy } = anomaly;
  const [first, ...rest] = witness;
  const metIn = witness.findLast(({ client }) => checks.has(client))?.client;
  const isCauseShown = first !== undefined && checks.has(first.client) && exchanges.of([first]).length > 0;
  const ordered = [...(first === undefined ? [] : [first]), ...rest.toSorted(byTime)];
  const isOwn = metIn?.startsWith(clause.slice(0, clause.indexOf('.') + 1)) === true;
  const isArranged = metIn !== undefined && arranges(metIn, clause);
  return {
    anomaly,
    metIn,
    cause: isCauseShown ? first.client : undefined,
    exchanges: exchanges.of(ordered),
    rank: (explainedBy === undefined ? 0 : 8) + (isCauseShown ? 0 : 4) + (isOwn ? 0 : isArranged ? 1 : 2),
  };
}

function byTime(one: Operation, other: Operation): number {
  return one.startedMs - other.startedMs;
}
