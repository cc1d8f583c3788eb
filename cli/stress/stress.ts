import { randomInt } from 'node:crypto';
import type { Target } from '../../harness/config/target.ts';
import type { Scoring } from '../../harness/gate/scoring.ts';
import { JudgedChapters } from '../../harness/judging/judged-chapters.ts';
import { runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { JudgedWire, withForm } from '../../harness/traffic/judged-wire.ts';
import type { FindingEvent, FooterEvent } from '../../harness/results/generated/events.ts';
import { judgedEvents, judgedHeader } from '../../harness/run/judged-stream.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { writeHistory } from '../judge/history-file.ts';
import { countOf } from '../../reporters/quantities.ts';
import { countedIn } from '../../reporters/run-so-far.ts';
import { StressScreen } from './stress-screen.ts';
import { chapterMark, type Chapter } from '../../fuzz/stress/run/chapter.ts';
import { type Exercised, exercisedIn } from '../../fuzz/stress/run/exercised.ts';
import { runStress, type StressResult } from '../../fuzz/stress/run/run-stress.ts';
import { readKept } from '../../fuzz/stress/shrink/kept-file.ts';
import { shrinkFailure } from '../../fuzz/stress/shrink/shrink.ts';
import { openStage, type Stage } from '../../fuzz/stress/scene/stage.ts';
import { commandLine } from '../shared/command-line.ts';
import { out, secrets } from '../shared/output.ts';
import { judgedScoring, printerOf, Results } from '../shared/results.ts';
import { demandServer } from '../shared/target-options.ts';
import { withinTime } from '../shared/time/time-limit.ts';
import { keepShrunk } from './keep.ts';
import { replay } from './replay.ts';
import type { StressCommandOptions } from './stress-options.ts';
import { stressTarget } from './stress-target.ts';

/** What the run may take beside the time of its clients, in ms: last looks, judging and shrinking. */
const moreMs = 300_000;
/** How long simpler plans are tried once something failed, in ms. */
const shrinkMs = 25_000;

/** Runs concurrent clients as the options say; resolves to the exit code. */
export async function stress(options: StressCommandOptions): Promise<number> {
  if (options.replay !== undefined && options.data === undefined) demandServer('--replay', options);
  if (options.times !== undefined && options.replay === undefined)
    throw new InvalidTarget('--times is for --replay: name the kept plan that is to be run so often');
  const kept = options.replay === undefined ? undefined : readKept(options.replay);
  const scoring = await judgedScoring(options, 'server');
  const results = await Results.open(options, printerOf(options, { isLive: false }).onEvent);
  const { target, restart, close } = await stressTarget(options);
  const screen = new StressScreen(out);
  const isQuiet = options.quiet === true;
  const conclude = (line: string): void => screen.say(secrets.clean(line));
  const say = (...lines: readonly string[]): void => {
    if (!isQuiet) lines.forEach(conclude);
  };
  try {
    results.probe({
      folders: { '--keep': options.keep },
      files: { '--history': options.history },
      inputs: [options.data ?? '', options.replay ?? ''],
    });
    const run = new Run(target, { options, scoring, results, screen, say });
    const work = async (signal: AbortSignal): Promise<number> => {
      if (kept === undefined) run.begin();
      const stage = await openStage(target, { env: process.env, signal, secrets, restart });
      try {
        if (signal.aborted) return exitCodes.interrupted;
        run.notePreflight(stage);
        if (kept === undefined) return await run.go(stage);
        return await replay(stage, kept, { options, scoring, say, conclude });
      } finally {
        if ('close' in stage) await stage.close();
      }
    };
    const isSilent = isQuiet || (out.isTTY && kept === undefined);
    const limited = await withinTime('stress', target.budgetMs ?? options.time + moreMs, work, { isSilent });
    screen.stop();
    if (limited.end === 'done') return limited.value;
    const [reason, exitCode] =
      limited.end === 'interrupted'
        ? ['a signal', exitCodes.interrupted]
        : [`${limited.limitMs / 1000} s were not enough (--budget-ms)`, exitCodes.inconclusive];
    const isTold = kept !== undefined || run.hasEnded;
    if (isTold && limited.end === 'out-of-time') conclude(reason);
    return kept === undefined ? run.end({ reason, exitCode }).exitCode : exitCode;
  } finally {
    screen.stop();
    results.end();
    await close();
  }
}

interface RunParts {
  readonly options: StressCommandOptions;
  readonly scoring: Scoring;
  readonly results: Results;
  readonly screen: StressScreen;
  readonly say: (...lines: readonly string[]) => void;
}

/** A run of drawn plans, told as a stream of results. */
class Run {
  readonly #target: Target;
  readonly #parts: RunParts;
  readonly #seed: number;
  readonly #startedMs = performance.now();
  readonly #findings: FindingEvent[] = [];
  #soFar: Pick<StressResult, 'judged' | 'wire' | 'exercised' | 'trouble'>;
  #footer: FooterEvent | undefined;
  #preflightRequests = 0;

  constructor(target: Target, parts: RunParts) {
    this.#target = target;
    this.#parts = parts;
    this.#seed = parts.options.seed ?? randomInt(2 ** 31);
    this.#soFar = {
      judged: new JudgedChapters(),
      wire: new JudgedWire(target.names),
      exercised: exercisedIn([]),
      trouble: undefined,
    };
  }

  begin(): void {
    const { options, results, say } = this.#parts;
    const { clients, time: timeMs, strict } = options;
    const checks = runWideChecks.length;
    results.add(
      judgedHeader('stress', this.#target, { isStrict: strict === true, command: this.#command, checks }),
    );
    say(`${clients} clients at ${this.#target.baseUrl} for ${timeMs / 1000} s, seed ${this.#seed}`);
    this.#begin(countOf(clients, 'client'), timeMs);
  }

  notePreflight({ preflightRequests }: Pick<Stage, 'preflightRequests'>): void {
    this.#preflightRequests = preflightRequests;
  }

  async go(stage: Awaited<ReturnType<typeof openStage>>): Promise<number> {
    const { scoring, say } = this.#parts;
    const { clients, time: timeMs, restarts, history } = this.#parts.options;
    if ('why' in stage) return this.#endUnbegun(stage.why).exitCode;
    const { signal } = stage;
    const result = await runStress(stage, {
      seed: this.#seed,
      clients,
      timeMs,
      restarts,
      isExpected: (clause) => scoring.isKnown(clause),
      onChapter: (chapter, number, soFar) => {
        this.#soFar = soFar;
        if (!signal.aborted) say(chapterLine(chapter, number));
        if (history !== undefined) writeHistory(history, chapter.history);
      },
    });
    if (signal.aborted) return exitCodes.interrupted;
    this.#soFar = result;
    if (result.ended !== undefined)
      this.#parts.results.add({
        type: 'notice',
        severity: 'warning',
        text: `ended after ${(result.durationMs / 1000).toFixed(0)} s: ${result.ended}`,
      });
    const { exitCode } = this.end();
    await this.#shrink(result, stage);
    return exitCode;
  }

  get hasEnded(): boolean {
    return this.#footer !== undefined;
  }

  /** Tells of what was found, once. */
  end(cut?: { readonly reason: string; readonly exitCode: number }): FooterEvent {
    if (this.#footer !== undefined) return this.#footer;
    const { options, scoring, results, screen, say } = this.#parts;
    const { judged, wire, exercised, trouble } = this.#soFar;
    const chapters = withForm(judged, wire);
    const { baseUrl, roles: credentials, connection } = this.#target;
    const recorded = { runId: chapterMark, baseUrl, credentials, connection };
    const { requests, messages, bytesWritten } = exercised;
    screen.stop();
    say('', ...exercisedLines(exercised, options.restarts));
    const events = judgedEvents(
      { chapters, scoring, secrets, target: this.#target, recorded, trouble, ...(cut && { cut }) },
      {
        footprint: { requests: this.#preflightRequests + requests, messages, bytesWritten },
        durationMs: performance.now() - this.#startedMs,
      },
    );
    for (const event of events) {
      results.add(secrets.cleaned(event));
      if (event.type === 'finding') this.#findings.push(event);
    }
    this.#footer = events.at(-1) as FooterEvent;
    results.keep(this.#footer, { isWhole: true });
    return this.#footer;
  }

  /** Tells of nothing but why it could not begin: nothing was tried, and no line of a target would have changed that. */
  #endUnbegun(why: string): FooterEvent {
    const { scoring, results, screen } = this.#parts;
    screen.stop();
    const chapters = { checks: () => [], sighted: [] };
    const about = {
      footprint: { requests: this.#preflightRequests, messages: 0, bytesWritten: 0 },
      durationMs: performance.now() - this.#startedMs,
    };
    const [footer] = judgedEvents({ chapters, scoring, secrets, target: this.#target, trouble: why }, about);
    this.#footer = footer as FooterEvent;
    // Why it failed stands in the footer, and is told once.
    results.add({ type: 'preflight', isOk: false, lines: [] });
    results.add(secrets.cleaned(this.#footer));
    results.keep(this.#footer, { isWhole: true });
    return this.#footer;
  }

  get #command(): readonly string[] {
    return [...commandLine('stress', this.#parts.options), '--seed', `${this.#seed}`];
  }

  #begin(what: string, mostMs: number): void {
    if (this.#parts.options.quiet !== true) this.#parts.screen.begin(what, mostMs);
  }

  async #shrink(result: StressResult, stage: Stage): Promise<void> {
    const counted = countedIn({ findings: this.#findings, footer: this.#footer });
    const failed = counted.filter(({ verdict }) => verdict === 'failed');
    // What one answer shows needs no plan.
    const anomaly = failed
      .map(({ clause }) => result.judged.anomalyOf(clause))
      .find((each) => each !== undefined);
    if (anomaly === undefined) return;
    this.#begin('the least that shows it', shrinkMs);
    const { clients } = this.#parts.options;
    const shrunk = await shrinkFailure(result, anomaly, { stage, clients, mostMs: shrinkMs });
    if (shrunk === undefined) return;
    const origin = { seed: this.#seed, clients, command: this.#command, target: this.#target };
    this.#parts.say(...keepShrunk(this.#parts.options.keep, shrunk, origin));
  }
}

function chapterLine({ history, plans, judged, trouble }: Chapter, number: number): string {
  const { operations } = history;
  const [first, last] = [operations[0], operations.at(-1)];
  const seconds = ((last?.endedMs ?? 0) - (first?.startedMs ?? 0)) / 1000;
  const broken = new Set(judged.anomalies.map(({ clause }) => clause)).size;
  // What the form of the answers breaks is told at the end.
  const found = broken === 0 ? 'nothing broken in its history' : `${countOf(broken, 'clause')} broken`;
  const held = `${countOf(plans.length, 'plan')}, ${countOf(operations.length, 'operation')}`;
  const said = trouble === undefined ? found : `${trouble}${broken === 0 ? '' : `; ${found}`}`;
  return `chapter ${number}: ${held} in ${seconds.toFixed(1)} s, ${said}`;
}

/** What a run really put to the test, in lines; what never happened is said. */
function exercisedLines(exercised: Exercised, restartsAsked: number): readonly string[] {
  const { sends, naming, carrying, trespasses, reads, readsBesideSends, sendsBesideSends, polls } = exercised;
  const { repeatedKeys, keysAtOnce, unanswered, restarts, acrossRestarts } = exercised;
  const missing = [
    ...(sendsBesideSends === 0 ? ['two sends at once'] : []),
    ...(readsBesideSends === 0 ? ['reading beside sends'] : []),
    ...(polls === 0 ? ['polls that are held back'] : []),
    ...(repeatedKeys === 0 ? ['using a key again'] : []),
    ...(keysAtOnce === 0 ? ['two sends at once under one key'] : []),
    ...(unanswered === 0 ? ['sends without an answer'] : []),
    ...(naming === 0 ? ['sends that name targets'] : []),
    ...(carrying === 0 ? ['sends with a session, a host or a file'] : []),
    ...(trespasses === 0 ? ['agents without access'] : []),
    ...(restartsAsked > 0 && acrossRestarts === 0 ? ['anything across a restart'] : []),
  ];
  return [
    `${sends} sends (${sendsBesideSends} beside another), ${reads} reads (${readsBesideSends} beside sends), ${polls} polls held back`,
    `${repeatedKeys} sends under a key used before (${keysAtOnce} while that was on its way), ${unanswered} sends without an answer`,
    `${naming} sends that name targets, ${carrying} with a session, a host or a file, ${trespasses} requests without access`,
    ...(restarts === 0 ? [] : [`${restarts} restarts, crossed by ${acrossRestarts} operations`]),
    ...(missing.length === 0 ? [] : [`not put to the test: ${missing.join(', ')}`]),
  ];
}
