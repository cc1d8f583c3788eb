import { Command, Option } from 'commander';
import { InvalidTarget } from '../harness/errors.ts';
import { standardOutputName } from '../harness/output/clean-file.ts';
import { exitCodes } from '../harness/verdict/exit-code.ts';
import type { Comparison } from '../reporters/compare/comparison.ts';
import { type ComparisonFormat, comparisonFormats } from '../reporters/compare/formats.ts';
import { countOf } from '../reporters/quantities.ts';
import { err, out, secrets } from './shared/output.ts';
import { probeOutputs } from './shared/probe-outputs.ts';

interface CompareOptions {
  readonly format: ComparisonFormat;
  readonly out?: string;
  readonly failOn?: 'regressions';
  readonly site?: string;
}

/** `conform compare A B…`: servers, or releases of one, side by side. */
export function compareCommand(): Command {
  return new Command('compare')
    .description('hold kept results of servers, or of releases, against those of the first')
    .argument(
      '<results...>',
      'result streams, as NDJSON, two or more, or one for a site; NAME=FILE says whose each is',
    )
    .addOption(
      new Option(
        '--format <format>',
        'how to show it; `comment`: what a pull request broke and fixed, and nothing where that is nothing',
      )
        .choices(comparisonFormats)
        .default('text'),
    )
    .option('--out <file>', 'where to write it; standard output if absent')
    .addOption(
      new Option(
        '--fail-on <what>',
        'exit 1 where a clause that the first kept fails in another, 3 where it has no verdict there, or one came to no whole result',
      ).choices(['regressions']),
    )
    .addOption(
      new Option(
        '--site <folder>',
        'write a site into this folder instead: every server, with its history, by every clause',
      ).conflicts(['format', 'out', 'failOn']),
    )
    .action(async (results: readonly string[], options: CompareOptions) => {
      if (options.site === undefined) {
        process.exitCode = await compare(results, options);
        return;
      }
      const { writeSite } = await import('./kept/write-site.ts');
      process.exitCode = writeSite(results, options.site);
    });
}

async function compare(
  results: readonly string[],
  { format, out: given, failOn }: CompareOptions,
): Promise<number> {
  const file = given === standardOutputName ? undefined : given;
  if (results.length < 2) throw new InvalidTarget('compare takes the results of two runs or more');
  if (format === 'comment' && results.length > 2)
    throw new InvalidTarget('--format comment takes two results: of before, and of the change');
  const [
    { compareRuns, openClauses, undecidedRuns },
    { namedResults, namedRuns },
    { writeReport, writtenCode },
  ] = await Promise.all([
    import('../reporters/compare/comparison.ts'),
    import('./kept/named-results.ts'),
    import('./shared/reports.ts'),
  ]);
  const named = results.map((each) => namedResults(each, (path) => path));
  probeOutputs({ files: { '--out': file }, inputs: named.map((each) => each.file) });
  const comparison = compareRuns(namedRuns(named));
  const text = secrets.cleanInFormat(await shownAs(format, comparison));
  if (file === undefined) out.say(text);
  else writeReport(file, [text]);
  if (failOn === undefined) return writtenCode();
  if (comparison.regressions.length > 0) return exitCodes.broken;
  const undecided = undecidedRuns(comparison).map(({ name }) => name);
  const open = openClauses(comparison).length;
  const why =
    undecided.length > 0
      ? `${undecided.join(', ')} came to no whole result`
      : open > 0
        ? `${countOf(open, 'clause')} that the first kept ${open === 1 ? 'has' : 'have'} no verdict in another`
        : undefined;
  if (why === undefined) return writtenCode();
  err.say(`conform: ${why}: a regression cannot be excluded\n`);
  return exitCodes.inconclusive;
}

async function shownAs(format: ComparisonFormat, comparison: Comparison): Promise<string> {
  if (format !== 'comment') {
    const { renderComparison } = await import('../reporters/compare/render.ts');
    return renderComparison(comparison, format);
  }
  const [{ commentOn }, { againCommands }] = await Promise.all([
    import('../reporters/compare/comment.ts'),
    import('./shared/again-commands.ts'),
  ]);
  const [before, after] = comparison.runs;
  return before === undefined || after === undefined ? '' : commentOn(before.run, after.run, againCommands);
}
