import { Command, Option } from 'commander';
import type { ReportCommandOptions } from './report/write-report.ts';
import { formatNames } from '../reporters/formats/names.ts';

/** `conform report RESULTS… --format FORMAT`: kept results as something else reads them. */
export function reportCommand(): Command {
  return new Command('report')
    .description('write kept results (--out of a run, a campaign) in the format of another reader')
    .argument('<results...>', 'result streams, as NDJSON; several become one report')
    .addOption(new Option('--format <format>', 'how to write it').choices(formatNames).default('markdown'))
    .option('--out <file>', 'where to write it; standard output if absent')
    .action(async (files: readonly string[], options: ReportCommandOptions) => {
      const { report } = await import('./report/write-report.ts');
      process.exitCode = report(files, options);
    });
}
