import { brokenClauses } from '../harness/results/broken-clauses.ts';
import type { BrokenClause, BrokenVerdict, FindingEvent } from '../harness/results/generated/events.ts';
import { clauses } from '../spec/index.ts';
import { countOf, formatCount } from './quantities.ts';

/** Every clause that a finding says is broken, the gravest first, and behind each those that say the same. */
export function shownClauses(finding: FindingEvent): readonly BrokenClause[] {
  const own = new Map(brokenClauses(finding).map((each) => [each.clause, each]));
  const restated = restatedBy(new Set(own.keys()));
  return [...own.values()].flatMap((each) => [
    each,
    ...restated
      .filter(({ restates }) => restates === each.clause)
      .map(({ id, level }) => ({ ...each, clause: id, level })),
  ]);
}

/** Clauses that findings say are broken, of one verdict or of both, each once; counted as a tally counts them. */
export function brokenIds(findings: readonly FindingEvent[], verdict?: BrokenVerdict): readonly string[] {
  const broken = findings.flatMap(shownClauses);
  const own = verdict === undefined ? broken : broken.filter((each) => each.verdict === verdict);
  return [...new Set(own.map(({ clause }) => clause))];
}

/**
 * `4 clauses in 2 findings`: what a heading says of those of a verdict, or of both, in numbers that a tally has; `, and 2 more under what
 * failed` where findings of another verdict have some.
 */
export function clausesInFindings(all: readonly FindingEvent[], verdict?: BrokenVerdict): string {
  const findings = verdict === undefined ? all : all.filter((finding) => finding.verdict === verdict);
  const { length: count } = brokenIds(findings, verdict);
  const of = findings.length === count ? '' : ` in ${countOf(findings.length, 'finding')}`;
  const under = brokenIds(all, verdict).length - count;
  const more = under === 0 ? '' : `, and ${formatCount(under)} more under what failed`;
  return `${countOf(count, 'clause')}${of}${more}`;
}

/** Clauses, and behind them those that say the same and share their verdict. */
export function withRestated(ids: readonly string[]): readonly string[] {
  return [...ids, ...restatedBy(new Set(ids)).map(({ id }) => id)];
}

/** The few clauses that say again what another says: reports ask for them of every finding. */
const restating = clauses.filter(
  ({ restates, untestable }) => restates !== undefined && untestable === undefined,
);

function restatedBy(own: ReadonlySet<string>): typeof clauses {
  return restating.filter(({ id, restates = '' }) => own.has(restates) && !own.has(id));
}
