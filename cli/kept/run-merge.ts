import { join } from 'node:path';
import { streamFile } from '../../fuzz/merge/campaign-part.ts';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { campaignReporter } from '../../reporters/run/campaign-reporter.ts';
import { againCommands } from '../shared/again-commands.ts';
import { out as terminal } from '../shared/output.ts';
import { Results } from '../shared/results.ts';
import { inThread } from '../shared/time/in-thread.ts';
import { withinTime } from '../shared/time/time-limit.ts';

/** Options of `conform merge`, as commander parses them. */
interface MergeOptions {
  readonly out: string;
  readonly budgetMs?: number;
}

/** Merges the campaigns of some folders within its time; resolves to the exit code. */
export async function merge(folders: readonly string[], { out, budgetMs }: MergeOptions): Promise<number> {
  const print = campaignReporter(terminal, { folder: out, ...againCommands });
  const results = await Results.open({ out: join(out, streamFile) }, print, { folder: out });
  results.probe({
    folders: { '--out': out },
    inputs: folders.map((folder) => join(folder, streamFile)),
  });
  const thread = new URL('./merge-thread.js', import.meta.url);
  const limited = await withinTime('merge', budgetMs, (signal) =>
    inThread<readonly ResultEvent[]>(thread, { folders, out }, signal),
  );
  if (limited.end === 'done') {
    for (const event of limited.value) results.add(event);
    return results.footer?.exitCode ?? exitCodes.inconclusive;
  }
  if (limited.end === 'interrupted') return exitCodes.interrupted;
  terminal.say(`nothing was merged: ${limited.limitMs / 1000} s were not enough (--budget-ms)\n`);
  return exitCodes.inconclusive;
}
