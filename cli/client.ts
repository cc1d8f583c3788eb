import { Command, Option } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import type { ClientCommandOptions } from './client/run-client.ts';
import { durationOption, listOption, numberOption } from './shared/option-kinds.ts';
import { addResultOptions, writtenFiles } from './shared/report-options.ts';

/** `conform client -- COMMAND …`: plays scenarios with a client, and judges what it asks and what comes of it. */
export function clientCommand(): Command {
  const command = new Command('client')
    .description(
      'judge a client or an agent: start it against the reference, play scenarios with it, and judge what it asks (docs/client.md)',
    )
    .argument('[command...]', 'the client and its arguments, after `--`')
    .addOption(listOption('--task <names...>', 'what it can do: read, echo, send', 'all'))
    .addOption(listOption('--scenario <names...>', 'only these, by id or pattern, as `read.*`', 'all'))
    .addOption(new Option('--list', 'list the scenarios, and end').conflicts([...writtenFiles]))
    .addOption(
      durationOption(
        '--patience <time>',
        'give a scenario up where nothing more has come of it for so long',
      ).default(10_000, '10s'),
    )
    .addOption(
      numberOption('--at-once <count>', 'scenarios played at the same time', quantities.checksAtOnce).default(
        4,
      ),
    )
    .option('--verbose', 'print the verdict of every scenario')
    .addOption(
      numberOption('--budget-ms <ms>', 'time limit', quantities.budgetMs).default(undefined, 'five minutes'),
    );
  return addResultOptions(command).action(async (words: readonly string[], options: ClientCommandOptions) => {
    const { client } = await import('./client/run-client.ts');
    process.exitCode = await client(words, options);
  });
}
