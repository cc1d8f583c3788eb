import { Command, Option } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import { durationOption, numberOption } from './shared/option-kinds.ts';
import { addResultOptions, writtenFiles } from './shared/report-options.ts';
import { addTargetOptions } from './shared/target-options.ts';
import { addTroubleOptions } from './shared/trouble-options.ts';
import type { StressCommandOptions } from './stress/stress-options.ts';

/** `conform stress`: concurrent clients against a server, or the embedded reference; everything they saw is judged as one history. */
export function stressCommand(): Command {
  const command = new Command('stress')
    .description('put a server under concurrent clients and judge everything they saw as one history')
    .addOption(numberOption('--clients <count>', 'clients at once', quantities.clients).default(32))
    .addOption(durationOption('--time <duration>', 'how long: 30s, 10m, 2h').default(60_000, '60s'))
    .addOption(
      numberOption('--seed <number>', 'repeats the plans of an earlier run', quantities.seed).default(
        undefined,
        'random',
      ),
    )
    .addOption(
      numberOption(
        '--restarts <count>',
        'restarts of the server under load, by hooks.restart',
        quantities.restarts,
      ).default(0),
    )
    .option(
      '--data <file>',
      'embedded reference: a process with this SQLite file; a restart kills it (kill -9)',
    )
    .option('--keep <folder>', 'folder for what fails: a plan to replay, and a page of it', 'stress-results')
    .option('--history <file>', 'write the history of the last chapter (NDJSON)')
    .addOption(
      new Option('--replay <file>', 'run a kept plan again, instead of drawing plans').conflicts([
        ...writtenFiles,
        'history',
        'require',
        'baseline',
        'clients',
        'seed',
        'restarts',
      ]),
    )
    .addOption(
      numberOption('--times <count>', 'with --replay: how often', quantities.times).default(undefined, '20'),
    );
  return addTargetOptions(addTroubleOptions(addResultOptions(command))).action(
    async (options: StressCommandOptions) => {
      // What draws plans is expensive to load, and few commands need it.
      const { stress } = await import('./stress/stress.ts');
      process.exitCode = await stress(options);
    },
  );
}
