import { Command } from 'commander';

/** `conform judge FILE`: holds a kept history against everything that the contract says of histories. */
export function judgeCommand(): Command {
  return new Command('judge')
    .description(
      'judge a history that a run, a campaign or a stress run has kept (--history), without a server',
    )
    .argument('<file>', 'history, as NDJSON')
    .option('--json', 'print the findings as JSON lines')
    .action(async (file: string, options: { readonly json?: boolean }) => {
      const { judgeFile } = await import('./judge/judge-file.ts');
      process.exitCode = judgeFile(file, options);
    });
}
