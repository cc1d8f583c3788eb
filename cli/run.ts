import { Command } from 'commander';
import type { RunCommandOptions } from './run/judge-server.ts';
import { startTarget } from './shared/open-target.ts';
import { addTargetOptions, listOption, numberOption } from './shared/target-options.ts';

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
    .option('--snapshot <file>', 'keep what is observed, or say what has changed since it was kept')
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
    const opening = startTarget(options);
    // Checks take their time to load; an embedded reference starts beside that.
    const { judgeServer } = await import('./run/judge-server.ts');
    process.exitCode = await judgeServer(options, opening);
  });
}
