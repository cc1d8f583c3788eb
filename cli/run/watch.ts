import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { TargetSource } from '../../harness/config/reading/target-source.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import type { Target } from '../../harness/config/target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { askedFor } from '../../harness/gate/asked.ts';
import { selectChecks } from '../../harness/gate/select-checks.ts';
import { columnNames, columnOfCheck } from '../../harness/results/column.ts';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { runChecks } from '../../harness/run/run-checks.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { type ClauseDifference, compareRuns, isFailing } from '../../reporters/compare/comparison.ts';
import { RunCollector } from '../../reporters/run-so-far.ts';
import { allChecks } from '../../suites/index.ts';
import { err, out, secrets } from '../shared/output.ts';
import { writtenFiles } from '../shared/report-options.ts';
import { foundInWords, sourceOf } from '../shared/target-options.ts';
import { targetOf } from '../shared/target-of.ts';
import { listenForInterruption } from '../shared/time/time-limit.ts';
import { type Change, Changes } from './changes.ts';
import { failedChecks, type Selected, selectedChecks } from './selection.ts';
import { FileChanges } from './file-changes.ts';
import { printerOf, type ResultPrinter } from '../shared/results.ts';
import { type RunCommandOptions, runOptionsOf } from './run-options.ts';
import { proxiesFor } from '../../harness/client/dispatcher.ts';
import { ServerPresence } from '../../harness/watch/server-presence.ts';

/** Options that write something at the end of a run: a loop has none. */
const ofOneRun = [...writtenFiles, 'history', 'snapshot', 'trace'] as const;
/** A server that listens may still be starting: for so long, in ms, and so often it is tried again. */
const startingMs = 5_000;
const retryMs = 500;
const longestRetryMs = 30_000;

/**
 * Runs again whenever the server was restarted or a file has changed, what failed the last time first, and says what is fixed and what is
 * new. Ends with Ctrl-C.
 * @throws InvalidTarget without a server, or with options that are for one run
 */
export async function watchServer(options: RunCommandOptions): Promise<number> {
  refuseOtherOptions(options);
  const selected = selectedChecks(options);
  if (selected === undefined)
    throw new InvalidTarget(`nothing failed in ${String(options.failed)}: nothing to watch`);
  const interruption = listenForInterruption();
  const { signal } = interruption;
  try {
    await new Watching(options, selected, signal).run();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    interruption.release();
  }
  return exitCodes.interrupted;
}

function refuseOtherOptions(options: RunCommandOptions): void {
  if (sourceOf(options, process.env).from === 'nothing')
    throw new InvalidTarget(
      '--watch needs a server of yours: a conform.yaml in this folder, or --target or --base-url',
    );
  const paths = options.watch === true ? [] : (options.watch ?? []);
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new InvalidTarget(`--watch ${missing}: there is no such file or folder`);
  for (const name of ofOneRun) {
    const value = options[name];
    if (value !== undefined && value.length > 0)
      throw new InvalidTarget(
        `--watch runs without end; leave out --${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      );
  }
}

class Watching {
  readonly #options: RunCommandOptions;
  readonly #selected: Selected;
  readonly #signal: AbortSignal;
  /** Pinned: a target file that was found is the one also while somebody writes it again. */
  readonly #source: TargetSource;
  readonly #changes: Changes;
  readonly #restarting = new Set<string>();
  #isRunning = false;
  #hasRead = false;
  #last: RunCollector | undefined;
  #failed: readonly string[] = [];

  constructor(options: RunCommandOptions, selected: Selected, signal: AbortSignal) {
    this.#source = sourceOf(options, process.env);
    const file = this.#source.from === 'file' ? [this.#source.file] : [];
    this.#options = { ...options, ...(file[0] === undefined ? {} : { target: file[0] }) };
    this.#selected = selected;
    this.#signal = signal;
    const { watch } = options;
    this.#changes = new Changes({
      files: new FileChanges([...(watch === true || watch === undefined ? [] : watch), ...file]),
      atWork: () => ({ isRunning: this.#isRunning, isRestarting: this.#restarting.size > 0 }),
      say,
      signal,
    });
  }

  async run(): Promise<void> {
    let waitedAt: string | undefined;
    for (;;) {
      const target = await this.#target();
      const server = new ServerPresence(target.baseUrl, {
        isProxied: proxiesFor(new URL(target.baseUrl), process.env, target.connection) !== undefined,
      });
      if (!(await server.isUp())) {
        const files = this.#source.from === 'file' ? `, or a change of ${this.#source.file}` : '';
        if (waitedAt !== target.baseUrl) say(`waiting for a server at ${target.baseUrl}${files}`);
        waitedAt = target.baseUrl;
        if (!(await this.#changes.untilUp(server))) continue;
        if (this.#last !== undefined) say('the server is back');
      }
      waitedAt = undefined;
      const changed = new AbortController();
      const change = this.#changes.next(server).finally(() => changed.abort());
      // It is asked for below; until then nobody hears of it.
      change.catch(() => {});
      this.#isRunning = true;
      await this.#round(target, AbortSignal.any([this.#signal, changed.signal]));
      this.#isRunning = false;
      this.#restarting.clear();
      this.#signal.throwIfAborted();
      if (!changed.signal.aborted) say('watching; Ctrl-C ends');
      const what = await change;
      say(`\n${changeInWords(what)}`);
      if (what !== 'gone') await this.#changes.reacted(server);
    }
  }

  /** The target as it is described now; what is wrong with it is said, and waited for, once there was one. */
  async #target(): Promise<Target> {
    for (;;) {
      try {
        const { target, warnings } = targetOf(this.#options, process.env);
        secrets.learn(secretsOf(target));
        if (!this.#hasRead && this.#options.quiet !== true) {
          for (const warning of warnings) err.say(`warning: ${warning}\n`);
          out.say(foundInWords(this.#source) ?? '');
        }
        this.#hasRead = true;
        return target;
      } catch (error) {
        if (!this.#hasRead || !(error instanceof InvalidTarget)) throw error;
        say(`${error.message}\nwaiting for a change of it`);
        await this.#changes.untilSaved();
      }
    }
  }

  /** What failed the last time alone, then all of it; a change ends it early. */
  async #round(target: Target, signal: AbortSignal): Promise<void> {
    const startedMs = performance.now();
    const untilMs = startedMs + startingMs;
    if (this.#failed.length > 0) {
      const given = { checks: this.#failed, clauses: [], areas: [] };
      const taken = selectChecks(allChecks, given);
      const asked = askedFor({ all: allChecks, taken }, given);
      const failed = { checks: taken, asked, selection: ['failed'] };
      const again = await this.#ran(failed, target, { signal, untilMs });
      if (signal.aborted) return;
      out.say(againInWords(again, performance.now() - startedMs));
    }
    const run = await this.#ran(this.#selected, target, { signal, untilMs, isShown: true });
    if (signal.aborted || run.footer?.end !== 'complete') return;
    this.#changes.verdict();
    if (this.#last !== undefined) out.say(changesInWords(this.#last, run));
    this.#last = run;
    this.#failed = failedChecks(run);
  }

  /**
   * One run. While a server may only just be starting, one that ends in preflight is made again and not shown; later one that is to be
   * shown is, and made again more and more rarely until preflight goes well.
   */
  async #ran(
    selected: Selected,
    target: Target,
    { signal, untilMs, isShown = false }: { signal: AbortSignal; untilMs: number; isShown?: boolean },
  ): Promise<RunCollector> {
    let waitMs = retryMs;
    for (let isTold = false; ;) {
      const run = new RunCollector();
      const isLast: boolean = !isTold && performance.now() >= untilMs;
      const printer = isShown ? printerOf(this.#options, { isLive: out.isTTY }) : silent;
      const show = unlessInPreflight(printer.onEvent, isLast);
      await runChecks(selected.checks, target, {
        ...runOptionsOf(this.#options, selected),
        signal,
        onUnderWay: (check, isUnderWay) => {
          this.#noteRestart(check, isUnderWay);
          printer.onUnderWay(check, isUnderWay);
        },
        onEvent: (event) => {
          run.add(event);
          // What a change cut short says nothing.
          if (event.type !== 'footer' || !signal.aborted || this.#signal.aborted) show(event);
          else printer.leave();
        },
      });
      if (run.preflight?.isOk !== false || signal.aborted || (isLast && !isShown)) return run;
      if (isLast) say('trying again until it answers as it should; Ctrl-C ends');
      isTold ||= isLast;
      if (isTold) waitMs = Math.min(2 * waitMs, longestRetryMs);
      await pause(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  #noteRestart(check: string, isUnderWay: boolean): void {
    if (!restartingChecks.has(check)) return;
    if (isUnderWay) this.#restarting.add(check);
    else this.#restarting.delete(check);
  }
}

/** The server goes away and comes back while they are under way, by its own hook. */
const restartingChecks = new Set(
  allChecks.filter(({ needs }) => needs.includes('restart-hook')).map(({ id }) => id),
);

const silent: ResultPrinter = { onEvent: () => {}, onUnderWay: () => {}, leave: () => {} };

function say(line: string): void {
  out.say(`${line}\n`);
}

const mostChangesNamed = 3;

function changeInWords(change: Change): string {
  if (change === 'gone') return 'the server went away';
  const names = change.files.map((file) => basename(file));
  const more = names.length - mostChangesNamed;
  const have = names.length === 1 ? 'has' : 'have';
  return `${names.slice(0, mostChangesNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''} ${have} changed`;
}

/** Shows the events of a run from preflight on; of one that ends there only the last. */
function unlessInPreflight(show: ResultPrinter['onEvent'], isLast: boolean): ResultPrinter['onEvent'] {
  const held: ResultEvent[] = [];
  let [isHeld, isOver] = [true, false];
  return (event) => {
    held.push(event);
    if (event.type === 'preflight') isOver = !event.isOk && !isLast;
    isHeld &&= event.type !== 'preflight' && event.type !== 'footer';
    if (!isHeld && !isOver) held.splice(0).forEach(show);
  };
}

function againInWords(run: RunCollector, durationMs: number): string {
  const { checks, findings, preflight } = run;
  if (preflight?.isOk === false) return 'the server does not answer as it should yet\n';
  const lines = checks
    .filter(({ check }) => allChecks.some(({ id }) => id === check))
    .map((check) => {
      const column = columnOfCheck(check);
      const got = findings.find((finding) => finding.check === check.check)?.actual;
      if (column === 'passed') return `fixed          ${check.check}`;
      const isFailed = isFailing(column, { name: '', run });
      const state = (isFailed ? 'still failing' : columnNames[column]).padEnd(15);
      return `${state}${check.check}${got === undefined ? '' : `: ${got}`}`;
    });
  return `${lines.join('\n')}\nafter ${(durationMs / 1000).toFixed(1)} s; now the whole\n`;
}

/** What became of clauses since the run before: what fails now and did not, be it that nothing had decided it, has failed newly. */
export function changesInWords(before: RunCollector, now: RunCollector): string {
  const runs = [
    { name: 'before', run: before },
    { name: 'now', run: now },
  ] as const;
  const { regressions, fixed, otherwise } = compareRuns(runs);
  const otherwiseFailed = otherwise.filter(
    ({ values: [was, is] }) => isFailing(is, runs[1]) && !isFailing(was, runs[0]),
  );
  const names = (differences: readonly ClauseDifference[]): string => {
    // One line has no room for clauses that say the same.
    const own = differences.filter(({ restates }) => restates === undefined);
    return own.length === 0 ? 'nothing' : own.map(({ subject }) => subject).join(', ');
  };
  return `since the run before: fixed ${names(fixed)}; newly failed ${names([...regressions, ...otherwiseFailed])}\n`;
}
