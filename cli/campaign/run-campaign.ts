import { randomInt } from 'node:crypto';
import { campaignFileOf, writeCampaign } from '../../fuzz/campaign/campaign-file.ts';
import {
  failureFileOf,
  knownFailureOf,
  readFailures,
  writeFailure,
} from '../../fuzz/campaign/failure-file.ts';
import { familyNames } from '../../fuzz/cases/family.ts';
import type { FamilyName } from '../../fuzz/cases/family.ts';
import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { exitCodeOf, summaryOf } from '../../reporters/campaign/campaign-summary.ts';
import { fuzzTarget } from './fuzz-target.ts';
import { findingText } from '../../reporters/campaign/finding-text.ts';
import type { FuzzCommandOptions } from './fuzz-options.ts';
import { listenForInterruption } from '../shared/interruption.ts';
import { KnownFindings } from './known-findings.ts';
import { liveLine } from '../../reporters/campaign/live-line.ts';
import { endSoon } from '../shared/time-limit.ts';

const defaultTimeMs = 60_000;

/** Runs the campaign that the options describe; resolves to the exit code. */
export async function fuzz(options: FuzzCommandOptions): Promise<number> {
  const { shard, corpus, out = 'fuzz-results', failOn } = options;
  if (failOn !== 'new' && failOn !== 'any') throw new InvalidTarget('--fail-on takes new or any');
  const only = options.only.map(familyOf);
  const seed = options.seed ?? randomInt(2 ** 31);
  const timeMs = options.time ?? (options.cases === undefined ? defaultTimeMs : undefined);
  const known = corpus === undefined ? [] : readFailures(corpus).map(knownFailureOf);
  const expected = new KnownFindings(options, process.cwd());
  const { target, close } = await fuzzTarget(options);
  const interruption = listenForInterruption();
  const line = liveLine(process.stdout);
  line.say(`seed ${seed}, shard ${shard.index + 1}/${shard.count}`);
  try {
    const outcome = await runFuzz(target, {
      seed,
      shard,
      only,
      timeMs,
      corpus: known,
      maxCases: options.cases,
      concurrency: options.concurrency,
      noveltyShare: Math.min(options.novelty, 90) / 100,
      signal: interruption.signal,
      env: process.env,
      onLine: ({ severity, text }) => line.say(`${severity}: ${text}`),
      onStart: (progress) => line.follow(progress),
      onFinding: (finding) => line.say(findingText(finding)),
    });
    line.end();
    const campaign = campaignFileOf(outcome, {
      seed,
      shard: `${shard.index + 1}/${shard.count}`,
      reasonFor: expected.reasonFor,
      staleBaseline: expected.staleBy(outcome.result),
    });
    const findings = outcome.result?.findings ?? [];
    const files = writeCampaign(out, campaign, findings);
    if (corpus !== undefined)
      for (const each of findings) if (!each.isKnown) writeFailure(corpus, failureFileOf(each, seed));
    process.stdout.write(summaryOf(campaign, files, out));
    const notes = [
      ...expected.unseenIn(outcome.result),
      ...expected.write(campaign.findings, outcome.result?.end),
    ];
    for (const note of notes) process.stdout.write(`${note}\n`);
    return exitCodeOf(campaign, { failOn, isStrict: options.strict === true });
  } finally {
    if (interruption.signal.aborted) endSoon(exitCodes.interrupted);
    interruption.release();
    await close();
  }
}

function familyOf(name: string): FamilyName {
  const family = familyNames.find((each) => each === name);
  if (family === undefined) throw new InvalidTarget(`--only takes ${familyNames.join(', ')}, not ${name}`);
  return family;
}
