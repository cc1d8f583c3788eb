import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { repeatPlan } from '../../fuzz/stress/shrink/shrink.ts';
import type { Stage } from '../../fuzz/stress/scene/stage.ts';
import type { KeptFailure } from '../../fuzz/stress/shrink/kept-file.ts';
import { anomalyIn } from '../../fuzz/stress/run/chapter.ts';
import { runOf, shownLines } from './keep.ts';
import type { StressCommandOptions } from './stress-options.ts';

/** How often a plan is run again where nobody says it. */
const usualTimes = 20;

interface ReplayParts {
  readonly options: StressCommandOptions;
  readonly say: (...lines: readonly string[]) => void;
  /** Says what it comes to, also where all else is to be quiet. */
  readonly conclude: (line: string) => void;
}

/** Runs a kept plan again, as often as asked for, and says how often it showed the same; resolves to the exit code. */
export async function replay(
  stage: Stage | { readonly why: string },
  kept: KeptFailure,
  { options, say, conclude }: ReplayParts,
): Promise<number> {
  if ('why' in stage) {
    conclude(`nothing can be concluded: ${stage.why}`);
    return exitCodes.inconclusive;
  }
  let [shown, judged] = [0, 0];
  for (let number = 0; number < (options.times ?? usualTimes) && !stage.signal.aborted; number += 1) {
    const chapter = await repeatPlan(stage, kept.plan, kept.clients);
    const { trouble } = chapter;
    const anomaly = anomalyIn(chapter, kept);
    if (trouble !== undefined && anomaly === undefined) say(`run ${number + 1}: ${trouble}`);
    else judged += 1;
    if (anomaly === undefined) continue;
    if (shown === 0) say(...shownLines(runOf(chapter, stage.target, []), anomaly));
    shown += 1;
  }
  conclude(`${kept.name}: ${shown} of ${judged} times`);
  if (shown > 0 && (kept.verdict === 'failed' || options.strict === true)) return exitCodes.broken;
  return judged === 0 ? exitCodes.inconclusive : exitCodes.conforms;
}
