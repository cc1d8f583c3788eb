import { join } from 'node:path';
import { Command } from 'commander';
import { campaignReporter } from '../reporters/campaign/campaign-reporter.ts';
import { ndjsonReporter } from '../reporters/ndjson.ts';
import { probeOutputs } from './shared/probe-outputs.ts';
import { replayCommand } from './shared/own-command.ts';
import { out as terminal, secrets } from './shared/output.ts';

/** `conform merge DIR…`: the results and corpora of shards, or of several nights, as one. */
export function mergeCommand(): Command {
  return new Command('merge')
    .description('merge the results of several campaigns, or of the shards of one')
    .argument('<folder...>', 'result folders of campaigns')
    .option('--out <folder>', 'where to write the merged result', 'fuzz-merged')
    .action(async (folders: readonly string[], { out }: { readonly out: string }) => {
      const { mergeCampaigns, streamFile } = await import('../fuzz/campaign/merge-campaigns.ts');
      probeOutputs({
        folders: { '--out': out },
        files: { '--out': join(out, streamFile) },
        inputs: folders.map((folder) => join(folder, streamFile)),
      });
      const events = await mergeCampaigns(folders, out, secrets);
      const report = campaignReporter(terminal, { folder: out, replayCommand });
      const file = ndjsonReporter(join(out, streamFile), secrets);
      for (const event of events) {
        file.event(event);
        report(event);
        if (event.type === 'footer') process.exitCode = event.exitCode;
      }
    });
}
