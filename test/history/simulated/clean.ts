import type { ClauseId } from '../../../spec/index.ts';
import { judgedOnce, simulateConforming } from './judged.ts';

/** What the judges say of conforming services. */
interface CleanRun {
  /** Whatever is said, but for what the choices of the service allow. */
  readonly alarms: readonly string[];
  readonly opportunities: ReadonlyMap<ClauseId, number>;
}

/** Judges one history of a conforming service for each seed. */
export async function judgeClean(seeds: readonly number[]): Promise<CleanRun> {
  const alarms: string[] = [];
  const opportunities = new Map<ClauseId, number>();
  for (const seed of seeds) {
    const { history, mayWarn } = await simulateConforming(seed);
    const judged = judgedOnce(history);
    for (const [clause, count] of judged.opportunities)
      opportunities.set(clause, (opportunities.get(clause) ?? 0) + count);
    for (const { name, clause, actual } of judged.anomalies)
      if (!mayWarn.includes(clause)) alarms.push(`seed ${seed}: ${name} (${clause}): ${actual}`);
  }
  return { alarms, opportunities };
}
