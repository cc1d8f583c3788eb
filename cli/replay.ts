import { Command } from 'commander';
import { addTargetOptions, type TargetOptions } from './shared/target-options.ts';

/** `conform replay FILE`: sends a kept failure again. */
export function replayCommand(): Command {
  const command = new Command('replay')
    .description('send the request of a failure file again: is it fixed, or does it still fail?')
    .argument('<file>', 'failure file that a campaign wrote');
  return addTargetOptions(command).action(async (file: string, options: TargetOptions) => {
    const { replayFile } = await import('./campaign/replay-failure.ts');
    process.exitCode = await replayFile(file, options);
  });
}
