import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../../harness/config/target.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { selectChecks } from '../../harness/gate/select-checks.ts';
import type { ResultEvent } from '../../harness/results/events.ts';
import { runChecks } from '../../harness/run/run-checks.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { compareRuns } from '../../reporters/compare/comparison.ts';
import type { ClauseDifference } from '../../reporters/compare/comparison.ts';
import { columnOfCheck } from '../../harness/results/column.ts';
import { terminalReporter } from '../../reporters/run/terminal-reporter.ts';
import { RunCollector } from '../../reporters/run-so-far.ts';
import { allChecks } from '../../suites/index.ts';
import { listenForInterruption } from '../shared/time/interruption.ts';
import { err, out, secrets } from '../shared/output.ts';
import { rerunCommand } from '../shared/rerun-command.ts';
import { namesServer, targetOf } from '../shared/target-options.ts';
import { nextChange } from './changes.ts';
import { failedChecks } from './failed-checks.ts';
import type { RunCommandOptions } from './judge-server.ts';
import { scoringOf } from '../shared/scoring-options.ts';
import { selectedChecks } from './selection.ts';
import type { Selected } from './selection.ts';
import { ServerPresence } from './server-presence.ts';

/** Options that write something at the end of a run: a loop has none. */
const ofOneRun = ['out', 'report', 'history', 'writeBaseline', 'snapshot', 'trace'] as const;
/** A server that listens may still be starting. */
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
  if (!namesServer(options, process.env))
    throw new InvalidTarget('--watch needs a server of yours: name one with --target or --base-url');
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
    const { watch, target } = this.#options;
    return [
      ...(watch === true || watch === undefined ? [] : watch),
      ...(target === undefined ? [] : [target]),
    ];
  }

  #target(): Target {
    const { target, warnings } = targetOf(this.#options, process.env);
    secrets.learn(secretsOf(target));
    if (this.#last === undefined) for (const warning of warnings) err.say(`warning: ${warning}\n`);
    return target;
  }

  /** What failed the last time alone, then all of it; a change ends it early. */
  async #round(target: Target, signal: AbortSignal): Promise<void> {
    if (this.#failed.length > 0) {
      const startedMs = performance.now();
      const checks = selectChecks(allChecks, { checks: this.#failed, clauses: [], areas: [] });
      const again = await this.#ran({ checks, selection: ['failed'] }, target, signal);
      if (signal.aborted) return;
      out.say(againInWords(again, performance.now() - startedMs));
    }
    const terminal = this.#reporter();
    const run = await this.#ran(this.#selected, target, signal, (event) => {
      // What a change cut short says nothing.
      if (event.type !== 'footer' || !signal.aborted || this.#signal.aborted) terminal.event(event);
    });
    if (signal.aborted || run.footer?.end !== 'complete') return;
    if (this.#last !== undefined) out.say(changesInWords(this.#last, run));
    this.#last = run;
    this.#failed = failedChecks(run);
  }

  /** One run; a server that is only just starting gets another one. */
  async #ran(
    { checks, selection }: Selected,
    target: Target,
    signal: AbortSignal,
    listen: (event: ResultEvent) => void = () => {},
  ): Promise<RunCollector> {
    const { strict, timeout, concurrency } = this.#options;
    const run = new RunCollector();
    await runChecks(checks, target, {
      onEvent: (event) => {
        run.add(event);
        listen(event);
      },
      signal,
      env: process.env,
      secrets,
      profile: { strict: strict === true, selection },
      ...scoringOf(this.#options, process.cwd()),
      ...(timeout === undefined ? {} : { checkTimeoutMs: timeout }),
      ...(concurrency === undefined ? {} : { concurrency }),
    });
    if (run.preflight?.isOk === false && !signal.aborted) await pause(retryMs);
    return run;
  }

  #reporter(): ReturnType<typeof terminalReporter> {
    return terminalReporter(out, {
      color: out.hasColor,
      live: out.isTTY,
      rerunCommand: (checks) => rerunCommand(process.argv.slice(2), checks),
      strict: this.#options.strict === true,
      verbose: this.#options.verbose === true,
    });
  }
}

function againInWords({ checks, findings, preflight }: RunCollector, durationMs: number): string {
  if (preflight?.isOk === false) return 'the server does not answer as it should yet\n';
  const lines = checks
    .filter(({ check }) => allChecks.some(({ id }) => id === check))
    .map((check) => {
      const column = columnOfCheck(check);
      const got = findings.find((finding) => finding.check === check.check)?.actual;
      if (column === 'passed') return `fixed          ${check.check}`;
      return `${column === 'inconclusive' ? 'inconclusive   ' : 'still failing  '}${check.check}${got === undefined ? '' : `: ${got}`}`;
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
