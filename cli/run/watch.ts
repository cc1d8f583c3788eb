import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../../harness/config/target.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { askedFor } from '../../harness/gate/asked.ts';
import { selectChecks } from '../../harness/gate/select-checks.ts';
import type { ResultEvent } from '../../harness/results/events.ts';
import { runChecks } from '../../harness/run/run-checks.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { compareRuns } from '../../reporters/compare/comparison.ts';
import type { ClauseDifference } from '../../reporters/compare/comparison.ts';
import { columnNames, columnOfCheck } from '../../harness/results/column.ts';
import { RunCollector } from '../../reporters/run-so-far.ts';
import { allChecks } from '../../suites/index.ts';
import { listenForInterruption } from '../shared/time/interruption.ts';
import { err, out, secrets } from '../shared/output.ts';
import { foundInWords, sourceOf, targetOf } from '../shared/target-options.ts';
import { nextChange } from './changes.ts';
import { failedChecks } from './failed-checks.ts';
import { printerOf, runOptionsOf } from './run-options.ts';
import type { RunCommandOptions, RunPrinter } from './run-options.ts';
import { selectedChecks } from './selection.ts';
import type { Selected } from './selection.ts';
import { ServerPresence } from './server-presence.ts';

/** Options that write something at the end of a run: a loop has none. */
const ofOneRun = ['out', 'report', 'history', 'writeBaseline', 'snapshot', 'trace'] as const;
/** A server that listens may still be starting: for so long, in ms, and so often it is tried again. */
const startingMs = 5_000;
const retryMs = 500;

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
  #last: RunCollector | undefined;
  #failed: readonly string[] = [];

  constructor(options: RunCommandOptions, selected: Selected, signal: AbortSignal) {
    this.#options = options;
    this.#selected = selected;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    for (;;) {
      const target = this.#target();
      const server = new ServerPresence(target.baseUrl);
      if (!(await server.isUp())) {
        out.say(`waiting for a server at ${target.baseUrl}\n`);
        await server.until(true, this.#signal);
      }
      const changed = new AbortController();
      const change = nextChange(this.#paths, server, this.#signal).finally(() => changed.abort());
      // It is asked for below; until then nobody hears of it.
      change.catch(() => {});
      await this.#round(target, AbortSignal.any([this.#signal, changed.signal]));
      this.#signal.throwIfAborted();
      if (!changed.signal.aborted) out.say('watching; Ctrl-C ends\n');
      out.say(`\n${await change}\n`);
    }
  }

  get #paths(): readonly string[] {
    const { watch } = this.#options;
    const source = sourceOf(this.#options, process.env);
    return [
      ...(watch === true || watch === undefined ? [] : watch),
      ...(source.from === 'file' ? [source.file] : []),
    ];
  }

  #target(): Target {
    const { target, warnings, source } = targetOf(this.#options, process.env);
    secrets.learn(secretsOf(target));
    if (this.#last !== undefined || this.#options.quiet === true) return target;
    for (const warning of warnings) err.say(`warning: ${warning}\n`);
    out.say(foundInWords(source) ?? '');
    return target;
  }

  /** What failed the last time alone, then all of it; a change ends it early. */
  async #round(target: Target, signal: AbortSignal): Promise<void> {
    const startedMs = performance.now();
    const within = { signal, untilMs: startedMs + startingMs };
    if (this.#failed.length > 0) {
      const given = { checks: this.#failed, clauses: [], areas: [] };
      const taken = selectChecks(allChecks, given);
      const asked = askedFor({ all: allChecks, taken }, given);
      const again = await this.#ran({ checks: taken, asked, selection: ['failed'] }, target, within);
      if (signal.aborted) return;
      out.say(againInWords(again, performance.now() - startedMs));
    }
    const { onEvent, onUnderWay } = printerOf(this.#options);
    const run = await this.#ran(this.#selected, target, within, {
      onUnderWay,
      onEvent: (event) => {
        // What a change cut short says nothing.
        if (event.type !== 'footer' || !signal.aborted || this.#signal.aborted) onEvent(event);
      },
    });
    if (signal.aborted || run.footer?.end !== 'complete') return;
    if (this.#last !== undefined) out.say(changesInWords(this.#last, run));
    this.#last = run;
    this.#failed = failedChecks(run);
  }

  /** One run; while a server may only just be starting, one that ends in preflight is made again, and not shown. */
  async #ran(
    selected: Selected,
    target: Target,
    { signal, untilMs }: { readonly signal: AbortSignal; readonly untilMs: number },
    { onEvent = () => {}, onUnderWay = () => {} }: Partial<RunPrinter> = {},
  ): Promise<RunCollector> {
    for (;;) {
      const run = new RunCollector();
      const isLast = performance.now() >= untilMs;
      const show = unlessInPreflight(onEvent, isLast);
      await runChecks(selected.checks, target, {
        ...runOptionsOf(this.#options, selected),
        signal,
        onUnderWay,
        onEvent: (event) => {
          run.add(event);
          show(event);
        },
      });
      if (run.preflight?.isOk !== false || isLast || signal.aborted) return run;
      await pause(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}

/** Shows the events of a run from preflight on; of one that ends there only the last. */
function unlessInPreflight(show: RunPrinter['onEvent'], isLast: boolean): RunPrinter['onEvent'] {
  const held: ResultEvent[] = [];
  let [isHeld, isOver] = [true, false];
  return (event) => {
    held.push(event);
    if (event.type === 'preflight') isOver = !event.isOk && !isLast;
    isHeld &&= event.type !== 'preflight' && event.type !== 'footer';
    if (!isHeld && !isOver) held.splice(0).forEach(show);
  };
}

function againInWords({ checks, findings, preflight }: RunCollector, durationMs: number): string {
  if (preflight?.isOk === false) return 'the server does not answer as it should yet\n';
  const lines = checks
    .filter(({ check }) => allChecks.some(({ id }) => id === check))
    .map((check) => {
      const column = columnOfCheck(check);
      const got = findings.find((finding) => finding.check === check.check)?.actual;
      if (column === 'passed') return `fixed          ${check.check}`;
      const isOpen = column === 'inconclusive' || column === 'notApplicable';
      const state = (isOpen ? columnNames[column] : 'still failing').padEnd(15);
      return `${state}${check.check}${got === undefined ? '' : `: ${got}`}`;
    });
  return `${lines.join('\n')}\nafter ${(durationMs / 1000).toFixed(1)} s; now the whole\n`;
}

function changesInWords(before: RunCollector, now: RunCollector): string {
  const { regressions, fixed } = compareRuns([
    { name: 'before', run: before },
    { name: 'now', run: now },
  ]);
  const names = (differences: readonly ClauseDifference[]): string =>
    differences.length === 0 ? 'nothing' : differences.map(({ subject }) => subject).join(', ');
  return `since the run before: fixed ${names(fixed)}; newly broken ${names(regressions)}\n`;
}
