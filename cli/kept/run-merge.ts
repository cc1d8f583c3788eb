import { join } from 'node:path';
import { streamFile } from '../../fuzz/campaign/merge-campaigns.ts';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { ndjsonReporter } from '../../reporters/ndjson.ts';
import { campaignReporter } from '../../reporters/run/campaign-reporter.ts';
import { againCommands } from '../shared/again-commands.ts';
import { secrets, out as terminal } from '../shared/output.ts';
import { probeOutputs } from '../shared/probe-outputs.ts';
import { inThread } from '../shared/time/in-thread.ts';
import { withinTime } from '../shared/time/time-limit.ts';

/** Options of `conform merge`, as commander parses them. */
interface MergeOptions {
  readonly out: string;
  readonly budgetMs?: number;
}

/** Merges the campaigns of some folders within its time; resolves to the exit code. */
export async function merge(folders: readonly string[], { out, budgetMs }: MergeOptions): Promise<number> {
  probeOutputs({
    folders: { '--out': out },
    files: { '--out': join(out, streamFile) },
    inputs: folders.map((folder) => join(folder, streamFile)),
  });
  const thread = new URL('./merge-thread.js', import.meta.url);
  const limited = await withinTime('merge', budgetMs, (signal) =>
    inThread<readonly ResultEvent[]>(thread, { folders, out }, signal),
  );
  if (limited.end === 'done') return report(limited.value, out);
  if (limited.end === 'interrupted') return exitCodes.interrupted;
  terminal.say(`nothing was merged: ${limited.limitMs / 1000} s were not enough (--budget-ms)\n`);
  return exitCodes.inconclusive;
}

function report(events: readonly ResultEvent[], out: string): number {
  const campaign = campaignReporter(terminal, { folder: out, ...againCommands });
  const file = ndjsonReporter(join(out, streamFile), secrets);
  for (const event of events) {
    file.event(event);
    campaign(event);
  }
  const footer = events.find((event) => event.type === 'footer');
  return footer?.exitCode ?? exitCodes.inconclusive;
}
