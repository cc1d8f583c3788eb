import { clauseOf } from '../../spec/index.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import { operationsAround } from '../../history/anomalies/around.ts';
import { rootsOf } from '../../history/anomalies/roots.ts';
import type { Anomaly, Judged } from '../../history/judges/judge.ts';
import type { History, Operation } from '../../history/operation.ts';

/** What went wrong at one root. */
export interface Finding {
  /** That of the anomaly that explains the others. */
  readonly name: string;
  /** `failed` where a clause is broken that the contract states, else `warned`. */
  readonly verdict: 'failed' | 'warned';
  readonly lead: Anomaly;
  /** All of the root, the lead first. */
  readonly anomalies: readonly Anomaly[];
  /** What the lead shows, and what clients did around it. */
  readonly around: readonly Operation[];
  /** How many roots show the same name. */
  readonly times: number;
}

/** What the judges say of a chapter. */
export interface Judgement extends Pick<Judged, 'opportunities'> {
  /** One for each name, with its first root; those that fail come first. */
  readonly findings: readonly Finding[];
}

/** Has every judge look at a history; what has one root is one finding, and of those with one name the first is shown. */
export function judgementOf(history: History): Judgement {
  const { anomalies, opportunities } = judgeHistory(history);
  const byName = new Map<string, Finding>();
  for (const { all } of rootsOf(anomalies)) {
    const finding = findingOf(all);
    if (finding === undefined) continue;
    const key = `${finding.verdict} ${finding.name}`;
    const known = byName.get(key);
    if (known !== undefined) byName.set(key, together(known, finding));
    else
      byName.set(key, {
        ...finding,
        around: operationsAround(history.operations, finding.lead.witness),
      });
  }
  const findings = [...byName.values()];
  return {
    opportunities,
    findings: [...findings.filter(isFailed), ...findings.filter((finding) => !isFailed(finding))],
  };
}

/** The first of a name is shown; a clause that only another broke is broken all the same. */
function together(first: Finding, { anomalies }: Pick<Finding, 'anomalies'>): Finding {
  const known = new Set(first.anomalies.map(({ clause }) => clause));
  const others = anomalies.filter(({ clause }) => !known.has(clause));
  return { ...first, anomalies: [...first.anomalies, ...others], times: first.times + 1 };
}

/** Whether a finding breaks a clause that the contract states. */
export function isFailed({ verdict }: Pick<Finding, 'verdict'>): boolean {
  return verdict === 'failed';
}

function findingOf(all: readonly Anomaly[]): Omit<Finding, 'around'> | undefined {
  const judged = all.filter(({ clause }) => clauseOf(clause).level !== 'silent');
  const failing = judged.find(({ clause }) => clauseOf(clause).level === 'must');
  const lead = failing ?? judged[0];
  if (lead === undefined) return undefined;
  return {
    name: lead.name,
    verdict: failing === undefined ? 'warned' : 'failed',
    lead,
    anomalies: [lead, ...judged.filter((each) => each !== lead)],
    times: 1,
  };
}
