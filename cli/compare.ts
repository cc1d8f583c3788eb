import { Command, Option } from 'commander';
import { InvalidTarget } from '../harness/errors.ts';
import { exitCodes } from '../harness/verdict/exit-code.ts';
import { type ComparisonFormat, comparisonFormats } from '../reporters/compare/formats.ts';
import { out, secrets } from './shared/output.ts';
import { probeOutputs } from './shared/probe-outputs.ts';

interface CompareOptions {
  readonly format: ComparisonFormat;
  readonly out?: string;
  readonly failOn?: 'regressions';
}

/** `conform compare A B…`: servers, or releases of one, side by side. */
export function compareCommand(): Command {
  return new Command('compare')
    .description('hold kept results of servers, or of releases, against those of the first')
    .argument('<results...>', 'result streams, as NDJSON: two or more')
    .addOption(new Option('--format <format>', 'how to show it').choices(comparisonFormats).default('text'))
    .option('--out <file>', 'where to write it; standard output if absent')
    .addOption(
      new Option(
        '--fail-on <what>',
        'exit 1 where a clause that passed in the first fails in another',
      ).choices(['regressions']),
    )
    .action(async (files: readonly string[], options: CompareOptions) => {
      process.exitCode = await compare(files, options);
    });
}

async function compare(
  files: readonly string[],
  { format, out: file, failOn }: CompareOptions,
): Promise<number> {
  if (files.length < 2) throw new InvalidTarget('compare takes the results of two runs or more');
  const [{ compareRuns }, { renderComparison }, { readResults }, reports] = await Promise.all([
    import('../reporters/compare/comparison.ts'),
    import('../reporters/compare/render.ts'),
    import('./shared/read-results.ts'),
    import('./shared/reports.ts'),
  ]);
  probeOutputs({ files: { '--out': file }, inputs: files });
  const runs = readResults(files).map((run) => reports.withoutSecrets(run, secrets));
  const comparison = compareRuns(
    files.flatMap((name, index) => (runs[index] === undefined ? [] : [{ name, run: runs[index] }])),
  );
  const text = secrets.cleanInFormat(renderComparison(comparison, format));
  if (file === undefined) out.say(text);
  else reports.writeReport(file, [text]);
  const isRegression = failOn === 'regressions' && comparison.regressions.length > 0;
  return isRegression ? exitCodes.broken : exitCodes.conforms;
}
