import { Command } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import type { JudgeCommandOptions } from './judge/run-judge.ts';
import { numberOption } from './shared/option-kinds.ts';
import { addResultOptions } from './shared/report-options.ts';

/** `conform judge FILE`: holds what was recorded against everything that the contract says of histories. */
export function judgeCommand(): Command {
  const command = new Command('judge')
    .description(
      'judge a history that a run, a campaign or a stress run has kept (--history), without a server',
    )
    .argument('<file>', 'history, as NDJSON')
    .option('--json', 'print the findings alone, as JSON lines')
    .addOption(
      numberOption('--budget-ms <ms>', 'time limit', quantities.budgetMs).default(undefined, 'five minutes'),
    );
  return addResultOptions(command).action(async (file: string, options: JudgeCommandOptions) => {
    const { judge } = await import('./judge/run-judge.ts');
    process.exitCode = await judge(file, options);
  });
}
