import { Command, Option } from 'commander';
import { InvalidTarget } from '../harness/errors.ts';
import { formatNames } from '../reporters/formats/format.ts';
import type { ReportCommandOptions } from './kept/write-report.ts';

/** `conform report RESULTS… --format FORMAT`: kept results as something else reads them. */
export function reportCommand(): Command {
  return new Command('report')
    .description('write kept results (--out of a run, a campaign) in the format of another reader')
    .argument('<results...>', 'result streams, as NDJSON; several become one report')
    .addOption(new Option('--format <format>', 'how to write it').choices(formatNames).default('markdown'))
    .option('--out <file>', 'where to write it; standard output if absent')
    .option('--bundle <file>', 'write what a maintainer of the suite needs to this file, without secrets')
    .option('--target <file>', 'for a bundle: the target file of the run, of which only the shape is told')
    .action(async (files: readonly string[], options: ReportCommandOptions) => {
      if (options.bundle !== undefined) {
        const { writeBundle } = await import('./kept/write-report.ts');
        process.exitCode = writeBundle(files, options.bundle, options.target);
        return;
      }
      if (options.target !== undefined) throw new InvalidTarget('--target is for a --bundle');
      const { report } = await import('./kept/write-report.ts');
      process.exitCode = report(files, options);
    });
}
