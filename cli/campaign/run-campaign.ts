import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { removeEarlierFailures } from '../../fuzz/campaign/earlier-failures.ts';
import {
  failureFileOf,
  knownFailureOf,
  lackedBy,
  readFailures,
  showedEveryTime,
  writeFailure,
  writeIn,
  type FailureFile,
} from '../../fuzz/campaign/failure-file.ts';
import { failureFolder, streamFile } from '../../fuzz/merge/campaign-part.ts';
import type { Finding } from '../../fuzz/campaign/finding.ts';
import type { KnownOfWhole } from '../../fuzz/campaign/campaign-stream.ts';
import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import { untilAborted } from '../../harness/client/until-aborted.ts';
import { clauses } from '../../spec/index.ts';
import type { WholeInput } from './whole-thread.ts';
import { type FamilyName, familyNames } from '../../fuzz/cases/family.ts';
import { abilitiesOf } from '../../harness/config/capabilities.ts';
import type { Target } from '../../harness/config/target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { lostFiles } from '../../harness/output/clean-file.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { campaignReporter } from '../../reporters/run/campaign-reporter.ts';
import { verdictReporter } from '../../reporters/verdict-reporter.ts';
import { historyFile, type HistoryFile } from '../judge/history-file.ts';
import { againCommands } from '../shared/again-commands.ts';
import { commandLine } from '../shared/command-line.ts';
import { err, secrets, out as terminal } from '../shared/output.ts';
import { Results } from '../shared/results.ts';
import { baselineIn } from '../shared/scoring-options.ts';
import { inThread } from '../shared/time/in-thread.ts';
import { endSoon, listenForInterruption, sayNothing, sayWithoutLiveLine } from '../shared/time/time-limit.ts';
import { fuzzTarget } from './fuzz-target.ts';
import type { Shard } from '../../fuzz/campaign/draw-cases.ts';
import type { TargetOptions } from '../shared/target-options.ts';

const defaultTimeMs = 60_000;
/** A campaign that ends after a number of cases takes a day at most, in ms. */
const longestMs = 86_400_000;

/** Runs the campaign that the options describe; resolves to the exit code. */
export async function fuzz(options: FuzzCommandOptions): Promise<number> {
  const { shard, corpus, out = 'fuzz-results', failOn } = options;
  const only = options.only.map(familyOf);
  const seed = options.seed ?? randomInt(2 ** 31);
  const earlier = corpus === undefined ? [] : readFailures(corpus);
  const baseline = options.baseline === undefined ? undefined : baselineIn(options.baseline, process.cwd());
  const isQuiet = options.quiet === true;
  const report = isQuiet
    ? verdictReporter(terminal)
    : campaignReporter(terminal, { folder: out, ...againCommands });
  const wanted = { ...options, out: join(out, streamFile) };
  const results = await Results.open(wanted, report, { folder: out });
  const { target, close } = await fuzzTarget(options);
  // What a target lacks cannot show that a failure is gone.
  const known = earlier.map((file) => {
    const whyUntried = whyUntriedAt(target, file);
    return { ...knownFailureOf(file), ...(whyUntried !== undefined && { whyUntried }) };
  });
  const interruption = listenForInterruption();
  const failures = join(out, failureFolder);
  const written = new Set<string>();
  const keep = (finding: Finding): void => {
    const kept = failureFileOf(finding, { seed, had: abilitiesOf(target) });
    written.add(writeFailure(failures, kept, secrets));
    // One that surely shows stands in for an earlier one that does not show, or could not be tried.
    const isKept = finding.isKnown && (finding.family === 'corpus' || !showedEveryTime(kept));
    if (corpus !== undefined && !isKept) writeFailure(corpus, kept, secrets);
  };
  let history: HistoryFile | undefined;
  let whyNotWhole: string | undefined;
  // Later the campaign itself says how far it is.
  const meanwhile = isQuiet
    ? sayNothing
    : sayWithoutLiveLine('fuzz', () => 'finding out what the server takes');
  try {
    results.probe({
      folders: { '--out': out, '--corpus': corpus },
      files: { '--history': options.history },
    });
    history = options.history === undefined ? undefined : historyFile(options.history);
    const { footer, result } = await runFuzz(target, {
      seed,
      shard,
      only,
      command: [...commandLine('fuzz', options), '--seed', `${seed}`],
      timeMs: timeOf(options, target),
      corpus: known,
      maxCases: options.cases,
      mustFinish: !isTimeWanted(options, target),
      concurrency: options.concurrency,
      signal: interruption.signal,
      env: process.env,
      secrets,
      ...(history === undefined ? {} : { onHistoryLines: history.write }),
      failOn,
      isStrict: options.strict === true,
      baseline,
      async judgeWhole(known) {
        const { signal } = interruption.signal.aborted ? new AbortController() : interruption;
        const judged = history === undefined ? [] : await judgedWhole(history, options, known, signal);
        if (typeof judged !== 'string') return judged;
        whyNotWhole = judged;
        return [];
      },
      onEvent(event) {
        if (event.type === 'progress') meanwhile.stop();
        results.add(event);
      },
      onFinding: keep,
    });
    // What a last look showed is known only now.
    for (const finding of result?.findings ?? []) if (finding.again !== undefined) keep(finding);
    // Whatever is still under way is nobody's concern any more; what follows is written at once.
    const isCut = footer.exitCode === exitCodes.conforms && interruption.signal.aborted;
    process.exitCode = isCut ? exitCodes.interrupted : footer.exitCode;
    endSoon(process.exitCode);
    results.keep(footer, { isWhole: true });
    // One that tried nothing, or was cut short, takes the place of none.
    const hasTried = result?.end === 'complete' && result.judged > 0;
    const whyLeft = hasTried ? removeEarlierFailures(failures, { written, corpus }) : undefined;
    if (whyLeft !== undefined) err.say(`conform: ${whyLeft}\n`);
    if (whyNotWhole !== undefined) err.say(`conform: not judged as a whole: ${whyNotWhole}\n`);
    return process.exitCode;
  } finally {
    meanwhile.stop();
    results.end();
    if (interruption.signal.aborted) endSoon(exitCodes.interrupted);
    interruption.release();
    history?.end();
    await close();
  }
}

/** How long a campaign takes at most, in ms: `--time` and the budget both hold. */
function timeOf({ time, cases }: FuzzCommandOptions, { budgetMs = longestMs }: Target): number {
  return Math.min(time ?? (cases === undefined ? defaultTimeMs : longestMs), budgetMs);
}

function whyUntriedAt(target: Target, file: FailureFile): string | undefined {
  if (target.limits.isReadOnly && writeIn(file) !== undefined) return 'a read-only campaign sends nothing';
  const lacked = lackedBy(target, file);
  return lacked && `it was found with ${lacked}, which this target lacks`;
}

/** Whether a campaign may be over before its cases: where its time was asked for, and not cut by the budget. */
function isTimeWanted({ time }: FuzzCommandOptions, { budgetMs = longestMs }: Target): boolean {
  return time !== undefined && time <= budgetMs;
}

/** What all that was asked and answered shows together, or why that is not judged: what was found chapter by chapter stands. */
async function judgedWhole(
  file: HistoryFile,
  { history: path = '', strict }: FuzzCommandOptions,
  known: KnownOfWhole,
  signal: AbortSignal,
): Promise<readonly ResultEvent[] | string> {
  file.end();
  if (lostFiles.has(path)) return [];
  const reasons = clauses.flatMap(({ id }): [string, string][] => {
    const reason = known.reasonFor('', id);
    return reason === undefined ? [] : [[id, reason]];
  });
  const input: WholeInput = { path, isStrict: strict === true, reasons: new Map(reasons) };
  const thread = new URL('./whole-thread.js', import.meta.url);
  try {
    const judged = inThread<readonly ResultEvent[]>(thread, input, signal);
    return (await untilAborted(judged, signal)) ?? 'that was interrupted';
  } catch (error) {
    if (!(error instanceof InvalidTarget)) throw error;
    return error.message;
  }
}

function familyOf(name: string): FamilyName {
  const family = familyNames.find((each) => each === name);
  if (family === undefined) throw new InvalidTarget(`--only takes ${familyNames.join(', ')}, not ${name}`);
  return family;
}

/** Options of `conform fuzz`, as commander parses them. */
export interface FuzzCommandOptions extends TargetOptions {
  readonly time?: number;
  readonly cases?: number;
  readonly seed?: number;
  readonly shard: Shard;
  readonly only: readonly string[];
  readonly concurrency: number;
  readonly rate?: number;
  readonly corpus?: string;
  readonly failOn: 'new' | 'any';
  readonly strict?: boolean;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly out?: string;
  readonly report: readonly string[];
  readonly history?: string;
}
