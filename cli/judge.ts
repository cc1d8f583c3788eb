import { Command } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import { numberOption } from './shared/option-kinds.ts';

/** `conform judge FILE`: holds a kept history against everything that the contract says of histories. */
export function judgeCommand(): Command {
  return new Command('judge')
    .description(
      'judge a history that a run, a campaign or a stress run has kept (--history), without a server',
    )
    .argument('<file>', 'history, as NDJSON')
    .option('--json', 'print the findings as JSON lines')
    .addOption(
      numberOption('--budget-ms <ms>', 'time limit', quantities.budgetMs).default(undefined, 'five minutes'),
    )
    .action(async (file: string, options: { readonly json?: boolean; readonly budgetMs?: number }) => {
      const { judge } = await import('./judge/run-judge.ts');
      process.exitCode = await judge(file, options);
    });
}
