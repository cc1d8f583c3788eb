import { Command } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import type { JudgeCommandOptions } from './judge/run-judge.ts';
import { numberOption } from './shared/option-kinds.ts';
import { addResultOptions } from './shared/report-options.ts';

/** `conform judge FILE…`: holds what was recorded against everything that the contract says of histories. */
export function judgeCommand(): Command {
  const command = new Command('judge')
    .description(
      'judge what was recorded, without a server: histories that a run, a campaign, a stress run (--history) or a proxy (--keep) has kept, or HAR files',
    )
    .argument('<file...>', 'history, as NDJSON, or traffic as a browser or a proxy writes it (.har)')
    .option('--json', 'print the findings alone, as JSON lines')
    .option('--base-url <url>', 'the server, where a HAR file has requests to several')
    .addOption(
      numberOption(
        '--settle-ms <ms>',
        'of a HAR file: how long an accepted write may take to become visible',
        quantities.settleMs,
      ).default(undefined, 'five seconds'),
    )
    .addOption(
      numberOption('--budget-ms <ms>', 'time limit', quantities.budgetMs).default(undefined, 'five minutes'),
    );
  return addResultOptions(command).action(async (files: readonly string[], options: JudgeCommandOptions) => {
    const { judge } = await import('./judge/run-judge.ts');
    process.exitCode = await judge(files, options);
  });
}
