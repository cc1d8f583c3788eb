import type { Anomaly } from '../../history/anomalies/judge.ts';
import { runChapter } from '../run/chapter.ts';
import type { Chapter } from '../run/chapter.ts';
import type { Plan } from '../plan/plan.ts';
import type { Restarter } from '../run/restarter.ts';
import type { Stage } from '../scene/stage.ts';
import { shapeFor } from '../run/run-stress.ts';
import type { StressResult } from '../run/run-stress.ts';
import { shrink } from './shrink.ts';
import type { Shrunk } from './shrink.ts';

/** What plans are run again with. */
export interface Repeating {
  readonly clients: number;
  readonly restarter: Restarter;
}

/** Runs one plan in a chapter of its own. */
export function repeatPlan(stage: Stage, plan: Plan, { clients, restarter }: Repeating): Promise<Chapter> {
  return runChapter(stage, {
    clients,
    plans: [plan],
    restart: restarter.restart,
    isDurable: restarter.isDurable,
  });
}

/** Cuts a failure of a run down, for so long at most; `undefined` where there was no chapter that failed. */
export async function shrinkFailure(
  { failed, stage }: StressResult,
  anomaly: Anomaly,
  { mostMs, ...repeating }: Repeating & { readonly mostMs: number },
): Promise<Shrunk | undefined> {
  if (failed === undefined || stage === undefined) return undefined;
  const endMs = performance.now() + mostMs;
  const leftMs = (): number => endMs - performance.now();
  return shrink(failed, anomaly, {
    run: (plan) => repeatPlan(stage, plan, repeating),
    shape: shapeFor(stage, repeating.clients),
    leftMs,
    isAborted: () => stage.signal.aborted,
  });
}
