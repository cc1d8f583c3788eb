import { isEnabled } from '../../harness/config/capabilities.ts';
import type { Target } from '../../harness/config/target.ts';
import { namesMeant } from '../../harness/gate/names-meant.ts';
import type { EvidenceExchange, ResultEvent } from '../../harness/results/generated/events.ts';
import { runChecks } from '../../harness/run/run-checks.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { checksAllowedBy, coverageGained, testableInWords } from '../doctor/gains.ts';
import { historyFile } from '../judge/history-file.ts';
import type { Trace } from '../../reporters/run/exchange-lines.ts';
import { declaredCells } from '../../suites/arrange/auth/access-matrix.ts';
import { allChecks } from '../../suites/index.ts';
import type { StartedTarget } from '../shared/open-target.ts';
import { out } from '../shared/output.ts';
import { printerOf, Results } from '../shared/results.ts';
import { demandServer } from '../shared/target-options.ts';
import { endSoon, listenForInterruption, sayNothing, sayWithoutLiveLine } from '../shared/time/time-limit.ts';
import { ChecksEnded } from './checks-ended.ts';
import { type RunCommandOptions, runOptionsOf } from './run-options.ts';
import { selectedChecks } from './selection.ts';

/** Exchanges of a check that are kept; the history of a run (`--history`) has all. */
const mostKept = 200;

/** Keeps every exchange of some checks, whatever these come to, for the report. */
class TracedChecks {
  readonly #exchanges: ReadonlyMap<string, EvidenceExchange[]>;

  /** @throws InvalidTarget when a name is unknown, or a pattern matches nothing */
  constructor(names: readonly string[]) {
    const known = allChecks.map(({ id }) => id);
    this.#exchanges = new Map(
      (names.length === 0 ? [] : namesMeant('check', names, known)).map((id) => [id, []]),
    );
  }

  add(check: string, evidence: () => EvidenceExchange): void {
    const kept = this.#exchanges.get(check);
    if (kept !== undefined && kept.length < mostKept) kept.push(evidence());
  }

  get traces(): readonly Trace[] {
    return [...this.#exchanges].map(([check, exchanges]) => ({ check, exchanges, mostKept }));
  }
}

/** What a run can decide with what the target has: the beginning of a report, as the doctor ends. */
function testableAt(target: Target): string {
  const checks = checksAllowedBy(allChecks, target);
  const coverage = coverageGained(checks, (need) => isEnabled(target, need));
  return `this target makes ${testableInWords(coverage, target)} testable\n`;
}

/**
 * Runs the checks that the options select against a target that is being opened, and reports; returns the exit code.
 * @throws InvalidTarget on options that name nothing, or a target that cannot be read
 */
export async function judgeServer(
  options: RunCommandOptions,
  opening: Pick<StartedTarget, 'target'>,
): Promise<number> {
  if (options.failed !== undefined) demandServer('--failed', options);
  if (options.baseline !== undefined) demandServer('--baseline', options);
  const selected = selectedChecks(options);
  if (selected === undefined) {
    out.say(`nothing failed in ${String(options.failed)}: nothing to run again (exit 3)\n`);
    return exitCodes.inconclusive;
  }
  const { checks, selection } = selected;
  const traced = new TracedChecks(options.trace);
  const runOptions = runOptionsOf(options, selected);
  const printer = printerOf(options, { isLive: out.isTTY, traces: () => traced.traces });
  const results = await Results.open(options, printer.onEvent);
  const target = await opening.target();
  if (options.quiet !== true && selection.length === 0) out.say(testableAt(target));
  results.probe({
    files: { '--history': options.history },
    inputs: options.failed === undefined ? [] : [options.failed],
  });
  const history = options.history === undefined ? undefined : historyFile(options.history);
  const interruption = listenForInterruption();
  const ended = new ChecksEnded();
  const onEvent = (event: ResultEvent): void => {
    results.add(event);
    ended.add(event);
  };
  const meanwhile = options.quiet === true ? sayNothing : sayWithoutLiveLine('run', () => ended.inWords);
  try {
    const footer = await runChecks(checks, target, {
      ...runOptions,
      isTyped: true,
      onEvent,
      onUnderWay: printer.onUnderWay,
      onExchange: (check, _exchange, evidence) => traced.add(check, evidence),
      signal: interruption.signal,
      // Only what is kept shows it, and counting takes a moment.
      ...(results.isKept ? { situations: declaredCells() } : {}),
      ...(history === undefined ? {} : { onHistoryLines: history.write }),
      ...(results.kept.snapshot === undefined ? {} : { snapshot: results.kept.snapshot }),
    });
    results.keep(footer, { isWhole: selection.length === 0 && !target.limits.isReadOnly });
    // Whatever is still under way is nobody's concern any more.
    endSoon(footer.exitCode);
    return footer.exitCode;
  } finally {
    meanwhile.stop();
    results.end();
    interruption.release();
    history?.end();
  }
}
