import { styleText } from 'node:util';
import { Command } from 'commander';
import { runChecks } from '../harness/run/run-checks.ts';
import { selectChecks } from '../harness/gate/select-checks.ts';
import type { ResultEvent } from '../harness/results/events.ts';
import { ndjsonReporter } from '../reporters/ndjson.ts';
import { terminalReporter } from '../reporters/run/terminal-reporter.ts';
import { allChecks } from '../suites/index.ts';
import { listenForInterruption } from './shared/interruption.ts';
import { KeptFiles } from './shared/kept-files.ts';
import type { KeptFileFlags } from './shared/kept-files.ts';
import { openTarget } from './shared/open-target.ts';
import { rerunCommand } from './shared/rerun-command.ts';
import { scoringOf } from './shared/scoring-options.ts';
import type { ScoringFlags } from './shared/scoring-options.ts';
import { addTargetOptions, listOption, numberOption } from './shared/target-options.ts';
import type { TargetOptions } from './shared/target-options.ts';

interface RunCommandOptions extends TargetOptions, ScoringFlags, KeptFileFlags {
  readonly check: readonly string[];
  readonly clause: readonly string[];
  readonly only: readonly string[];
  readonly besideOthers?: boolean;
  readonly strict?: boolean;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly out?: string;
  readonly verbose?: boolean;
}

/** `conform run`: judges a server, or the embedded reference when none is named. */
export function runCommand(): Command {
  const command = new Command('run')
    .description('judge a server clause by clause; without one, the embedded reference')
    .addOption(listOption('--check <id...>', 'run these checks only; `*` stands for any characters', 'all'))
    .addOption(
      listOption('--clause <id...>', 'run the checks that decide these clauses; `*` as above', 'all'),
    )
    .addOption(listOption('--only <area...>', 'run the checks of these areas', 'all'))
    .option('--beside-others', 'leave out the checks that need the server to themselves')
    .option('--strict', 'let broken inferred clauses fail, not warn')
    .addOption(
      listOption(
        '--require <id...>',
        'clauses that have to be decided; must for all that are stated; @FILE with one a line',
        'none',
      ),
    )
    .option(
      '--requirements <version>',
      'checks that decide, fixed per version of the contract; none scores all',
    )
    .option('--baseline <file>', 'known failures (YAML), which decide nothing')
    .option('--write-baseline <file>', 'write what fails as a baseline, reasons to be filled in')
    .option('--lock <file>', 'keep what is observed, or say what has changed since it was kept')
    .addOption(
      numberOption(
        '--timeout <ms>',
        'longest that one attempt at a check may take; 0 lifts every time limit',
      ),
    )
    .addOption(numberOption('--concurrency <count>', 'checks in flight at once', { mayBeZero: false }))
    .option('--out <file>', 'keep the result stream (NDJSON)')
    .option('--verbose', 'show the observations too');
  return addTargetOptions(command).action(async (options: RunCommandOptions) => {
    process.exitCode = await run(options);
  });
}

async function run(options: RunCommandOptions): Promise<number> {
  const checks = selectChecks(allChecks, {
    checks: options.check,
    clauses: options.clause,
    areas: options.only,
    isBesideOthers: options.besideOthers === true,
  });
  const scoring = scoringOf(options, process.cwd());
  const files = new KeptFiles(options, process.cwd());
  const { target, close } = await openTarget(options);
  const interruption = listenForInterruption();
  const listeners = [...listenersOf(options), (event: ResultEvent): void => files.add(event)];
  const besideOthers = options.besideOthers === true ? ['beside others'] : [];
  const selection = [...options.check, ...options.clause, ...options.only, ...besideOthers];
  try {
    const footer = await runChecks(checks, target, {
      onEvent: (event) => listeners.forEach((listen) => listen(event)),
      signal: interruption.signal,
      env: process.env,
      profile: { strict: options.strict === true, selection },
      ...scoring,
      ...(files.locked === undefined ? {} : { lock: files.locked }),
      ...(options.timeout === undefined ? {} : { checkTimeoutMs: options.timeout }),
      ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    });
    const isWhole = selection.length === 0 && !target.manners.isReadOnly;
    for (const line of files.write(footer, { isWhole })) process.stdout.write(`${line}\n`);
    return footer.exitCode;
  } finally {
    interruption.release();
    await close();
  }
}

function listenersOf(options: RunCommandOptions): readonly ((event: ResultEvent) => void)[] {
  const terminal = terminalReporter(process.stdout, {
    color: hasColor(),
    live: process.stdout.isTTY,
    rerunCommand: (checks) => rerunCommand(process.argv.slice(2), checks),
    strict: options.strict === true,
    verbose: options.verbose === true,
  });
  const listeners = [(event: ResultEvent): void => terminal.event(event)];
  if (options.out !== undefined) {
    const file = ndjsonReporter(options.out);
    listeners.push((event) => file.event(event));
  }
  return listeners;
}

/** Follows NO_COLOR, FORCE_COLOR and whether the output is a terminal, as Node itself judges them. */
function hasColor(): boolean {
  return styleText('red', 'x', { stream: process.stdout }) !== 'x';
}
