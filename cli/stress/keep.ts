import { join } from 'node:path';
import { writtenIn } from '../../harness/totals/footprint.ts';
import type { Target } from '../../harness/config/target.ts';
import { Scoring } from '../../harness/gate/scoring.ts';
import { JudgedChapters } from '../../harness/judging/judged-chapters.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import { judgedEvents, judgedHeader } from '../../harness/run/judged-stream.ts';
import type { Anomaly } from '../../history/anomalies/judge.ts';
import { countOf } from '../../reporters/quantities.ts';
import { RunCollector, type RunSoFar } from '../../reporters/run-so-far.ts';
import { storyOf } from '../../reporters/story/story.ts';
import { stepsOf } from '../../fuzz/stress/scene/plan.ts';
import type { Chapter } from '../../fuzz/stress/run/chapter.ts';
import { type KeptFailure, keptFailureOf, writeKept } from '../../fuzz/stress/shrink/kept-file.ts';
import type { Shrunk } from '../../fuzz/stress/shrink/shrink.ts';
import { againCommands, stressReplayCommand } from '../shared/again-commands.ts';
import { secrets } from '../shared/output.ts';
import { formatOf, reportOn, writeReport } from '../shared/reports.ts';

/** Where a failure is from, and how to see it again. */
interface Origin extends Pick<KeptFailure, 'seed' | 'clients'> {
  readonly command: readonly string[];
  readonly target: Target;
}

/** Keeps the least that shows a failure, with a page of it; says where, how often it repeats, and how to see it again. */
export function keepShrunk(folder: string, shrunk: Shrunk, { command, target, ...origin }: Origin): string[] {
  const { plan, chapter, anomaly, repeats } = shrunk;
  const file = writeKept(folder, keptFailureOf(shrunk, origin), secrets);
  const steps = `${countOf(stepsOf(plan), 'step')} in ${countOf(plan.rounds.length, 'round')}`;
  const run = runOf(chapter, target, command);
  const page = join(folder, `${anomaly.name}.html`);
  writeReport(page, reportOn([run], formatOf('html'), { ...againCommands, secrets }));
  return [
    '',
    `shrunk to ${steps}; it repeats ${repeats.times} of ${repeats.of} times`,
    ...(repeats.times > 0 ? shownLines(run, anomaly) : []),
    `page: ${page}`,
    `again: ${stressReplayCommand(file, command)}`,
  ];
}

/** The results of one chapter, as if the run had been no more. */
export function runOf(
  { history, judged, health }: Chapter,
  target: Target,
  command: readonly string[],
): RunCollector {
  const chapters = new JudgedChapters();
  chapters.note(history, judged);
  const scoring = new Scoring({}, { isStrict: false });
  const about = {
    footprint: { requests: history.operations.length, ...writtenIn(history.operations) },
    durationMs: 0,
  };
  const run = new RunCollector();
  run.add(judgedHeader('stress', target, { isStrict: false, command }));
  for (const event of judgedEvents({ chapters, scoring, secrets, target, trouble: health.trouble }, about))
    run.add(event);
  return run;
}

/** What of some findings shows an anomaly, in lines. */
export function shownLines(run: RunSoFar, { clause }: Anomaly): readonly string[] {
  const shown = run.findings.find((each) => brokenClauses(each).some((one) => one.clause === clause));
  if (shown === undefined) return [];
  const { why, timeline } = storyOf(shown, run, againCommands);
  return [`${shown.clause}  ${shown.level}  ${shown.text}`, why, ...timeline].map((line) => `  ${line}`);
}
