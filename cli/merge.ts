import { Command } from 'commander';
import { exitCodeOf, summaryOf } from '../reporters/campaign/campaign-summary.ts';

/** `conform merge DIR…`: the results and corpora of shards, or of several nights, as one. */
export function mergeCommand(): Command {
  return new Command('merge')
    .description('fold the results of several campaigns, or of the shards of one, into one')
    .argument('<folder...>', 'folders that campaigns wrote')
    .option('--out <folder>', 'where the one goes', 'fuzz-merged')
    .action(async (folders: readonly string[], { out }: { readonly out: string }) => {
      const { mergeCampaigns } = await import('../fuzz/campaign/campaign-file.ts');
      const merged = mergeCampaigns(folders, out);
      process.stdout.write(summaryOf(merged, [], out));
      process.exitCode = exitCodeOf(merged, { failOn: 'any', isStrict: false });
    });
}
