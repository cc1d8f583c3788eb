import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { repeatPlan } from '../../fuzz/stress/shrink/shrink.ts';
import type { Stage } from '../../fuzz/stress/scene/stage.ts';
import type { KeptFailure } from '../../fuzz/stress/shrink/kept-file.ts';
import { anomalyIn } from '../../fuzz/stress/run/chapter.ts';
import { isStated } from '../../history/anomalies/roots.ts';
import { JudgedWire } from '../../harness/traffic/judged-wire.ts';
import type { WireProblem } from '../../harness/wire/wire-judgement.ts';
import { clauseOf } from '../../spec/index.ts';
import type { Scoring } from '../../harness/gate/scoring.ts';
import { countOf } from '../../reporters/quantities.ts';
import { runOf, shownLines } from './keep.ts';
import type { StressCommandOptions } from './stress-options.ts';

/** How often a plan is run again where nobody says it. */
const usualTimes = 20;

interface ReplayParts {
  readonly options: StressCommandOptions;
  readonly scoring: Scoring;
  readonly say: (...lines: readonly string[]) => void;
  /** Says what it comes to, also where all else is to be quiet. */
  readonly conclude: (line: string) => void;
}

/** Runs a kept plan again, as often as asked for, and says how often it showed the same; resolves to the exit code. */
export async function replay(
  stage: Stage | { readonly why: string },
  kept: KeptFailure,
  { options, scoring, say, conclude }: ReplayParts,
): Promise<number> {
  const why = whyNot(stage, kept);
  if (why !== undefined || 'why' in stage) {
    conclude(`nothing can be concluded: ${why}`);
    return exitCodes.inconclusive;
  }
  let [shown, judged] = [0, 0];
  const others = new Set<string>();
  const wire = new JudgedWire(stage.target.names, { areActorsKnown: true });
  for (let number = 0; number < (options.times ?? usualTimes) && !stage.signal.aborted; number += 1) {
    const chapter = await repeatPlan(stage, kept.plan, kept.clients, (each) => wire.add(each));
    const { trouble } = chapter;
    const anomaly = anomalyIn(chapter, kept);
    if (trouble !== undefined && anomaly === undefined) say(`run ${number + 1}: ${trouble}`);
    else judged += 1;
    const counting = chapter.judged.anomalies.filter(
      (each) =>
        isStated(each) &&
        each.name !== kept.name &&
        each.explainedBy !== kept.name &&
        !scoring.isKnown(each.clause),
    );
    for (const other of counting) {
      if (!others.has(other.name)) say(...shownLines(runOf(chapter, stage.target, []), other));
      others.add(other.name);
    }
    if (anomaly === undefined) continue;
    if (shown === 0) say(...shownLines(runOf(chapter, stage.target, []), anomaly));
    shown += 1;
  }
  for (const { clause, expected, actual } of formBrokenIn(wire, scoring)) {
    if (!others.has(clause)) say(`  ${clause}: ${actual}; expected: ${expected}`);
    others.add(clause);
  }
  // What came and went may come again.
  const { times, of } = kept.repeats;
  const isUnsure = shown === 0 && judged > 0 && (times < of || of === 0);
  const doubt = isUnsure
    ? `; it came ${times} of ${of} times when it was kept: this does not show it gone`
    : '';
  conclude(`${kept.name}: ${shown} of ${judged} times${doubt}`);
  if (others.size > 0) conclude(`also shown: ${[...others].join(', ')}`);
  const isBroken = shown > 0 && (kept.verdict === 'failed' || options.strict === true);
  if (isBroken || others.size > 0) return exitCodes.broken;
  return judged === 0 || isUnsure ? exitCodes.inconclusive : exitCodes.conforms;
}

/** What the form of single answers breaks that the contract states and nobody knows of. */
function formBrokenIn({ sightings }: JudgedWire, scoring: Scoring): readonly WireProblem[] {
  return sightings
    .map(({ problem }) => problem)
    .filter(({ clause }) => clauseOf(clause).level === 'must' && !scoring.isKnown(clause));
}

/** Why a plan cannot be run at a target as it was drawn. */
function whyNot(stage: Stage | { readonly why: string }, { plan }: KeptFailure): string | undefined {
  if ('why' in stage) return stage.why;
  const { agents, channels } = stage;
  if (channels.length >= plan.channels && agents.length >= plan.agents) return undefined;
  const needed = `${countOf(plan.channels, 'channel')} and ${countOf(plan.agents, 'agent')}`;
  return `the plan is of ${needed}, the target has ${channels.length} and ${agents.length}`;
}
