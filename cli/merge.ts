import { Command } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import { numberOption } from './shared/option-kinds.ts';

/** `conform merge DIR…`: the results and corpora of shards, or of several nights, as one. */
export function mergeCommand(): Command {
  return new Command('merge')
    .description('merge the results of several campaigns, or of the shards of one')
    .argument('<folder...>', 'result folders of campaigns')
    .option('--out <folder>', 'where to write the merged result', 'fuzz-merged')
    .addOption(
      numberOption('--budget-ms <ms>', 'time limit', quantities.budgetMs).default(undefined, 'five minutes'),
    )
    .action(
      async (folders: readonly string[], options: { readonly out: string; readonly budgetMs?: number }) => {
        const { merge } = await import('./kept/run-merge.ts');
        process.exitCode = await merge(folders, options);
      },
    );
}
