import { brokenClauses } from '../harness/results/broken-clauses.ts';
import type { BrokenVerdict, FindingEvent } from '../harness/results/events.ts';
import { clauses } from '../spec/index.ts';

/** Clauses that findings say are broken, of one verdict or of both, each once; counted as a tally counts them. */
export function brokenIds(findings: readonly FindingEvent[], verdict?: BrokenVerdict): readonly string[] {
  const broken = findings.flatMap(brokenClauses);
  const own = verdict === undefined ? broken : broken.filter((each) => each.verdict === verdict);
  return withRestated([...new Set(own.map(({ clause }) => clause))]);
}

/** Clauses, and behind them those that say the same and share their verdict. */
export function withRestated(ids: readonly string[]): readonly string[] {
  const own = new Set(ids);
  const restated = clauses.filter(
    ({ id, restates, untestable }) =>
      restates !== undefined && own.has(restates) && !own.has(id) && untestable === undefined,
  );
  return [...ids, ...restated.map(({ id }) => id)];
}
