import { Command, Option } from 'commander';
import type { Shard } from '../fuzz/campaign/draw-cases.ts';
import { familyNames } from '../fuzz/cases/family.ts';
import { quantities } from '../harness/config/quantities.ts';
import type { FuzzCommandOptions } from './campaign/run-campaign.ts';
import { durationOption, listOption, numberOption, ReadOption } from './shared/option-kinds.ts';
import { quietOption, reportOption, shareStandardOutput } from './shared/report-options.ts';
import { addTargetOptions } from './shared/target-options.ts';

/** `conform fuzz`: a campaign of generated requests against a server, or the embedded reference. */
export function fuzzCommand(): Command {
  const command = new Command('fuzz')
    .description('send a server generated requests and judge every answer by the contract')
    .addOption(
      durationOption('--time <duration>', 'how long to run: 30s, 10m, 2h').default(
        undefined,
        '60s, without --cases',
      ),
    )
    .addOption(
      numberOption(
        '--cases <count>',
        'number of cases of the whole campaign, over all shards',
        quantities.cases,
      ),
    )
    .addOption(
      numberOption('--seed <number>', 'repeats the cases of an earlier campaign', quantities.seed).default(
        undefined,
        'random',
      ),
    )
    .addOption(
      new ReadOption(
        '--shard <i/n>',
        'part of the campaign to run, as 2/8',
        'i/n, from 1/n to n/n',
        shardIn,
      ).default({ index: 0, count: 1 }, '1/1'),
    )
    .addOption(listOption('--only <family...>', `families of cases: ${familyNames.join(', ')}`, 'all'))
    .addOption(
      numberOption('--concurrency <count>', 'cases in flight at once', quantities.casesAtOnce).default(32),
    )
    .addOption(
      numberOption('--rate <count>', 'as --rate-per-second, and goes before it', quantities.ratePerSecond),
    )
    .option('--corpus <folder>', 'failures of earlier campaigns: tried first, new ones are added')
    .addOption(
      new Option('--fail-on <which>', 'new: failures that the corpus knows do not fail the run; any: all do')
        .choices(['new', 'any'])
        .default('any'),
    )
    .option(
      '--baseline <file>',
      'known failures (YAML, as for a run), which do not fail the campaign; fixed or expired entries do',
    )
    .option('--write-baseline <file>', 'write the failures as a baseline; fill in the reasons')
    .option('--strict', 'broken inferred clauses fail instead of warn')
    .option('--out <folder>', 'folder for the result and a file for each failure', 'fuzz-results')
    .addOption(reportOption())
    .hook('preAction', (_, action) =>
      shareStandardOutput({ report: action.opts<FuzzCommandOptions>().report }),
    )
    .addOption(quietOption())
    .option('--history <file>', 'write all that was asked and answered (NDJSON), and judge it as a whole');
  return addTargetOptions(command).action(async (options: FuzzCommandOptions) => {
    // Generators are expensive to load, and no other command needs them.
    const { fuzz } = await import('./campaign/run-campaign.ts');
    process.exitCode = await fuzz(options);
  });
}

/** A part of a campaign as `i/n` with 1 ≤ i ≤ n. */
function shardIn(text: string): Shard | undefined {
  const [, index, count] = /^([0-9]+)\/([0-9]+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count) return undefined;
  return { index: index - 1, count };
}
