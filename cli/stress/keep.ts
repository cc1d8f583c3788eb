import { join } from 'node:path';
import { findingLines } from '../../reporters/stress/finding-lines.ts';
import { countOf } from '../../reporters/quantities.ts';
import { timelineSvg } from '../../reporters/stress/timeline-svg.ts';
import type { History } from '../../history/operation.ts';
import type { Finding } from '../../stress/run/judged.ts';
import { stepsOf } from '../../stress/plan/plan.ts';
import type { StressResult } from '../../stress/run/run-stress.ts';
import { keptFailureOf, writeKept } from '../../stress/shrink/kept-file.ts';
import type { KeptFailure } from '../../stress/shrink/kept-file.ts';
import type { Shrunk } from '../../stress/shrink/shrink.ts';
import { stressReplayCommand } from '../shared/again-commands.ts';
import { secrets } from '../shared/output.ts';
import { writeCleanFile } from '../../harness/output/clean-file.ts';

/** Keeps a timeline of each finding of the chapter that failed; says where. */
export function keepFindings(folder: string, { failed }: StressResult): readonly string[] {
  if (failed === undefined) return [];
  return failed.judgement.findings.map((finding) => {
    const file = keepTimeline(folder, finding, failed.history);
    return `timeline of ${finding.name}: ${file}`;
  });
}

/** Keeps the least that shows a failure, with its timeline; says where, how often it repeats, and how to see it again. */
export function keepShrunk(
  folder: string,
  shrunk: Shrunk,
  { command, ...origin }: Pick<KeptFailure, 'seed' | 'clients'> & { readonly command: readonly string[] },
): readonly string[] {
  const { plan, chapter, finding, repeats } = shrunk;
  const file = writeKept(folder, keptFailureOf(shrunk, origin), secrets);
  const steps = `${countOf(stepsOf(plan), 'step')} in ${countOf(plan.rounds.length, 'round')}`;
  return [
    '',
    `shrunk to ${steps}; it repeats ${repeats.times} of ${repeats.of} times`,
    ...(repeats.times > 0 ? findingLines(finding) : []),
    `timeline: ${keepTimeline(folder, finding, chapter.history)}`,
    `again: ${stressReplayCommand(file, command)}`,
  ];
}

function keepTimeline(folder: string, finding: Finding, history: History): string {
  const file = join(folder, `${finding.name}.svg`);
  const picture = timelineSvg(history, finding.lead, `${finding.verdict}: ${finding.name}`);
  writeCleanFile(file, secrets.cleanInFormat(picture));
  return file;
}
