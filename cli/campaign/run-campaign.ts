import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import {
  failureFileOf,
  knownFailureOf,
  readFailures,
  writeFailure,
} from '../../fuzz/campaign/failure-file.ts';
import { failureFolder, streamFile } from '../../fuzz/campaign/merge-campaigns.ts';
import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import { familyNames } from '../../fuzz/cases/family.ts';
import type { FamilyName } from '../../fuzz/cases/family.ts';
import type { Target } from '../../harness/config/target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import type { FooterEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import type { Baseline } from '../../harness/gate/baseline.ts';
import { Scoring } from '../../harness/gate/scoring.ts';
import { lostFiles } from '../../harness/output/clean-file.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { campaignReporter } from '../../reporters/run/campaign-reporter.ts';
import { verdictReporter } from '../../reporters/verdict-reporter.ts';
import { historyFile } from '../judge/history-file.ts';
import type { HistoryFile } from '../judge/history-file.ts';
import { judgedFiles } from '../judge/judge-file.ts';
import { againCommands } from '../shared/again-commands.ts';
import { commandLine } from '../shared/command-line.ts';
import { err, secrets, out as terminal } from '../shared/output.ts';
import { printerOf, Results } from '../shared/results.ts';
import { baselineIn } from '../shared/scoring-options.ts';
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
  const known = corpus === undefined ? [] : readFailures(corpus).map(knownFailureOf);
  const baseline = options.baseline === undefined ? undefined : baselineIn(options.baseline, process.cwd());
  const isQuiet = options.quiet === true;
  const report = isQuiet
    ? verdictReporter(terminal)
    : campaignReporter(terminal, { folder: out, ...againCommands });
  const wanted = { ...options, out: join(out, streamFile) };
  const results = await Results.open(wanted, report, { folder: out });
  const { target, close } = await fuzzTarget(options);
  const interruption = listenForInterruption();
  const failures = join(out, failureFolder);
  let history: HistoryFile | undefined;
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
    const { footer } = await runFuzz(target, {
      seed,
      shard,
      only,
      command: [...commandLine('fuzz', options), '--seed', `${seed}`],
      timeMs: timeOf(options, target),
      corpus: known,
      maxCases: options.cases,
      concurrency: options.concurrency,
      signal: interruption.signal,
      env: process.env,
      secrets,
      ...(history === undefined ? {} : { onHistoryLines: history.write }),
      failOn,
      isStrict: options.strict === true,
      baseline,
      onEvent(event) {
        if (event.type === 'progress') meanwhile.stop();
        results.add(event);
      },
      onFinding(finding) {
        const kept = failureFileOf(finding, seed);
        writeFailure(failures, kept, secrets);
        if (corpus !== undefined && !finding.isKnown) writeFailure(corpus, kept, secrets);
      },
    });
    // Whatever is still under way is nobody's concern any more; what follows is written at once.
    process.exitCode = footer.exitCode;
    endSoon(footer.exitCode);
    results.keep(footer, { isWhole: true });
    return await withHistory(options, { file: history, footer, baseline });
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

/** What a campaign came to, before all that it asked and was answered is judged as a whole. */
interface Ended {
  readonly file: HistoryFile | undefined;
  readonly footer: FooterEvent;
  readonly baseline: Baseline | undefined;
}

/**
 * What a campaign ends with once its history, if it has one, is judged too (1 if either failed, unless it was interrupted). Of a file that is too
 * large to be judged it says so: what was found chapter by chapter stands.
 */
async function withHistory(
  { history: path, quiet, strict }: FuzzCommandOptions,
  { file, footer, baseline }: Ended,
): Promise<number> {
  file?.end();
  if (path === undefined || lostFiles.has(path)) return footer.exitCode;
  const isStrict = strict === true;
  const events = eventsOf(
    path,
    new Scoring({ baseline: knownToBoth(footer, baseline) }, { isStrict }),
    isStrict,
  );
  const isBroken = events.findLast((event) => event.type === 'footer')?.exitCode === exitCodes.broken;
  if (quiet !== true || isBroken)
    events.forEach(printerOf({ quiet: quiet === true }, { isLive: false }).onEvent);
  return isBroken && footer.exitCode !== exitCodes.interrupted ? exitCodes.broken : footer.exitCode;
}

/** What the baseline of a campaign excuses in its history: clauses that it names, and those of findings that it knows. Whether an entry still holds the campaign says. */
function knownToBoth(
  { campaign }: FooterEvent,
  baseline: Baseline | undefined,
): Pick<Baseline, 'reasonFor' | 'staleIn'> {
  const reasons = Object.values(campaign?.seen ?? {}).flatMap(({ clauses, known }) =>
    known === undefined ? [] : clauses.map((clause): [string, string] => [clause, known]),
  );
  const ofFindings = new Map(reasons);
  return {
    reasonFor: (_check, clause) =>
      baseline?.reasonForRoot({ root: clause, clauses: [clause] }) ?? ofFindings.get(clause),
    staleIn: () => [],
  };
}

function eventsOf(path: string, scoring: Scoring, isStrict: boolean): readonly ResultEvent[] {
  try {
    return judgedFiles([path], { scoring, isStrict });
  } catch (error) {
    if (!(error instanceof InvalidTarget)) throw error;
    err.say(`conform: not judged as a whole: ${error.message}\n`);
    return [];
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
