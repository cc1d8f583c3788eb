import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { campaignFileOf, writeCampaign } from '../fuzz/campaign-file.ts';
import type { CampaignFile } from '../fuzz/campaign-file.ts';
import type { Finding, Shard } from '../fuzz/campaign.ts';
import {
  failureFileOf,
  fileNameOf,
  knownFailureOf,
  readFailures,
  writeFailure,
} from '../fuzz/failure-file.ts';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { familyNames } from '../fuzz/slot.ts';
import type { FamilyName } from '../fuzz/slot.ts';
import { exitCodes } from '../harness/engine/exit-code.ts';
import { InvalidTarget } from '../harness/errors.ts';
import { fuzzTarget } from './fuzz-target.ts';
import { liveLine } from './live-line.ts';
import { addTargetOptions, listOption, numberOption } from './target-options.ts';
import type { TargetOptions } from './target-options.ts';

interface FuzzCommandOptions extends TargetOptions {
  readonly time?: number;
  readonly cases?: number;
  readonly seed?: number;
  readonly shard: Shard;
  readonly only: readonly string[];
  readonly concurrency: number;
  readonly rate?: number;
  readonly corpus?: string;
  readonly failOn: string;
  readonly novelty: number;
  readonly strict?: boolean;
  readonly out?: string;
}

const defaultTimeMs = 60_000;

/** `conform fuzz`: a campaign of generated requests against a server, or the embedded reference. */
export function fuzzCommand(): Command {
  const command = new Command('fuzz')
    .description(
      'send a server what a table of checks does not think of, and see whether it keeps the contract',
    )
    .option('--time <duration>', 'how long: 30s, 10m, 2h; 60s without --cases', readDuration)
    .addOption(numberOption('--cases <count>', 'cases of the whole campaign, over all shards'))
    .addOption(numberOption('--seed <number>', 'makes the cases those of an earlier campaign'))
    .option('--shard <i/n>', 'part of the campaign to run, from 1/n to n/n', readShard, {
      index: 0,
      count: 1,
    })
    .addOption(listOption('--only <family...>', `families of cases: ${familyNames.join(', ')}`, 'all'))
    .addOption(numberOption('--concurrency <count>', 'cases in flight at once').default(32))
    .addOption(numberOption('--rate <count>', 'requests a second at most'))
    .option('--corpus <folder>', 'failures of earlier campaigns: tried first, new ones are added')
    .option(
      '--fail-on <which>',
      'new: failures that the corpus knows do not fail the run; any: all do',
      'any',
    )
    .addOption(
      numberOption('--novelty <percent>', 'share of cases built on what drew new kinds of answers').default(
        0,
      ),
    )
    .option('--strict', 'let broken inferred clauses fail, not warn')
    .option('--out <folder>', 'keep the result, and a file for each failure, here', 'fuzz-results');
  return addTargetOptions(command).action(async (options: FuzzCommandOptions) => {
    process.exitCode = await fuzz(options);
  });
}

async function fuzz(options: FuzzCommandOptions): Promise<number> {
  const { shard, corpus, out = 'fuzz-results', failOn } = options;
  if (failOn !== 'new' && failOn !== 'any') throw new InvalidTarget('--fail-on takes new or any');
  const only = options.only.map(familyOf);
  const seed = options.seed ?? randomInt(2 ** 31);
  const timeMs = options.time ?? (options.cases === undefined ? defaultTimeMs : undefined);
  const known = corpus === undefined ? [] : readFailures(corpus).map(knownFailureOf);
  const { target, close } = await fuzzTarget(options);
  const interrupted = new AbortController();
  const interrupt = (): void => {
    // A second Ctrl-C means it.
    if (interrupted.signal.aborted) process.exit(exitCodes.interrupted);
    interrupted.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
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
      signal: interrupted.signal,
      env: process.env,
      onLine: ({ severity, text }) => line.say(`${severity}: ${text}`),
      onStart: (progress) => line.follow(progress),
      onFinding: (finding) => line.say(describe(finding)),
    });
    line.end();
    const campaign = campaignFileOf(outcome, { seed, shard: `${shard.index + 1}/${shard.count}` });
    const findings = outcome.result?.findings ?? [];
    const files = writeCampaign(out, campaign, findings);
    if (corpus !== undefined)
      for (const each of findings) if (!each.isKnown) writeFailure(corpus, failureFileOf(each, seed));
    process.stdout.write(summaryOf(campaign, files, out));
    return exitCodeOf(campaign, { failOn, isStrict: options.strict === true });
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await close();
  }
}

/** What a campaign ends with, by the numbers of every command. */
export function exitCodeOf(
  { end, findings, judged, kept }: CampaignFile,
  { failOn, isStrict }: { readonly failOn: 'new' | 'any'; readonly isStrict: boolean },
): number {
  if (end === 'interrupted') return exitCodes.interrupted;
  const counting = findings.filter(({ isKnown }) => failOn === 'any' || !isKnown);
  const weights = new Set(counting.map(({ weight }) => weight));
  if (weights.has('failed') || (isStrict && weights.has('warned'))) return exitCodes.broken;
  // Nothing that was taken: then a refusal proves nothing either.
  const hasProved = end === 'complete' && judged > 0 && kept.accepted > 0;
  return hasProved ? exitCodes.conforms : exitCodes.inconclusive;
}

function describe({ weight, failure, label, repeats, isKnown, root, request }: Finding): string {
  const often =
    repeats.times === repeats.of
      ? `${repeats.times}/${repeats.of}`
      : `${repeats.times}/${repeats.of}, intermittent`;
  return [
    `${weight}${isKnown ? ' (known)' : ''}: ${failure.clause} by ${label} (${often})`,
    `  expected ${failure.expected}; ${failure.actual}`,
    `  ${request.method} ${request.path.slice(0, 120)}, kept in ${fileNameOf({ root, failure })}`,
  ].join('\n');
}

/** The outcome in lines for people. */
export function summaryOf(campaign: CampaignFile, files: readonly string[], out: string): string {
  const { cases, requests, durationMs, answers, readBack, findings, troubled, fixed, leftOut, end } =
    campaign;
  const kinds = Object.entries(answers)
    .slice(0, 8)
    .map(([kind, count]) => `${kind} ${count}`);
  const [failed, warned] = ['failed', 'warned'].map(
    (weight) => findings.filter((each) => each.weight === weight).length,
  );
  return [
    '',
    ...(end === 'server-gone' ? ['the server is gone: it no longer takes connections'] : []),
    ...(end === 'interrupted' ? ['interrupted: this is what ran'] : []),
    ...Object.entries(leftOut).map(([family, reason]) => `left out: ${family}: ${reason}`),
    `${cases} cases, ${requests} requests in ${(durationMs / 1000).toFixed(1)} s; ${troubled} undecided`,
    `answers: ${kinds.join(', ')}`,
    `${readBack.compared} messages read back, ${readBack.absent} refused ones proved absent, ${readBack.undecided} undecided`,
    ...fixed.map((name) => `fixed: ${name}`),
    `${failed} failed, ${warned} warned; results in ${out}`,
    ...files.map((file) => `  conform replay ${file}`),
    '',
  ].join('\n');
}

function familyOf(name: string): FamilyName {
  const family = familyNames.find((each) => each === name);
  if (family === undefined) throw new InvalidTarget(`--only takes ${familyNames.join(', ')}, not ${name}`);
  return family;
}

/** @throws InvalidTarget on anything but a number with `ms`, `s`, `m` or `h`; a number alone is seconds */
export function readDuration(text: string): number {
  const [, number, unit = 's'] = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidTarget('--time takes a duration as 30s, 10m or 2h');
  return Number(number) * ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 1000);
}

/** @throws InvalidTarget on anything but `i/n` with 1 ≤ i ≤ n */
export function readShard(text: string): Shard {
  const [, index, count] = /^([0-9]+)\/([0-9]+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw new InvalidTarget('--shard takes i/n, from 1/n to n/n');
  return { index: index - 1, count };
}
