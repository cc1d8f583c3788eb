import { Command, Option } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import { InvalidTarget } from '../harness/errors.ts';
import { isDateTime } from '../spec/date-time.ts';
import type { ReferenceCommandOptions } from './serve/serve-reference.ts';
import { listOption, numberOption, ReadOption } from './shared/option-kinds.ts';
import { out } from './shared/output.ts';
import { untilInterrupted } from './shared/time/time-limit.ts';
import { addTroubleOptions } from './shared/trouble-options.ts';

/** `conform reference`: serves the reference until it is interrupted, and prints a target file for it. */
export function referenceCommand(): Command {
  const command = new Command('reference').description(
    'serve the reference service and print a target file with every role and hook',
  );
  addTroubleOptions(addDifferences(addUsual(command)));
  return command.action(serve);
}

async function serve(options: ReferenceCommandOptions): Promise<void> {
  if (options.list === true) {
    const { faultLines } = await import('./serve/faults.ts');
    out.say(`${(await faultLines()).join('\n')}\n`);
    return;
  }
  // From now on: who reads that it listens may end it at once, and its files must go.
  const interrupted = untilInterrupted();
  // No other command needs it in this thread, and it takes its time to load.
  const { openServed } = await import('./serve/serve-reference.ts');
  const served = await openServed(options);
  process.stdout.write(served.targetFile);
  process.stderr.write(`${served.words}; stop it with Ctrl-C\n`);
  await interrupted;
  await served.close();
}

function addUsual(command: Command): Command {
  return command
    .addOption(
      numberOption('--port <port>', 'port to listen on; 0 takes a free one', quantities.port).default(0),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--data <file>',
      'keep everything in this SQLite file, which only its owner can read; in memory without it',
    )
    .addOption(
      numberOption(
        '--keep <count>',
        'messages to keep in each channel and mentions for each target, the newest; at times 1 % more',
        quantities.kept,
      ),
    )
    .addOption(
      numberOption(
        '--seed-messages <count>',
        'start with this many messages in the main channel; every fiftieth mentions the reader',
        quantities.seedMessages,
      ),
    )
    .addOption(
      numberOption(
        '--limit <count>',
        'requests a second allowed for each credential; more get a 429',
        quantities.requestsPerSecond,
      ),
    )
    .addOption(
      new Option(
        '--hooks <form>',
        'form of the hooks: a URL, a command for each call, or one long-running process',
      )
        .choices(['url', 'command', 'process'] satisfies ReferenceCommandOptions['hooks'][])
        .default('url'),
    );
}

/** What makes it the same at every start, or makes it err. */
function addDifferences(command: Command): Command {
  return command
    .addOption(
      numberOption(
        '--seed <number>',
        'the same ids, tokens and trouble at every start',
        quantities.seed,
      ).default(undefined, 'random'),
    )
    .addOption(
      new ReadOption(
        '--clock <time>',
        'the time now by its clock, as 2026-01-02T03:04:05Z',
        'a time with its zone, as 2026-01-02T03:04:05Z',
        timeIn,
      ),
    )
    .option('--frozen', 'let its clock stand there')
    .addOption(new Option('--mutant <name>', 'break one clause of the contract').argParser(onlyOne))
    .addOption(listOption('--variant <names>', 'keep the contract in unusual ways', 'none'))
    .option('--list', 'list the names of mutants and variants, and end');
}

/** Two faults would hide each other; the last of several names would be served without a word. */
function onlyOne(name: string, earlier: string | undefined): string {
  if (earlier === undefined) return name;
  throw new InvalidTarget('--mutant takes one name: a reference breaks one clause at a time');
}

function timeIn(text: string): number | undefined {
  const ms = isDateTime(text) ? Date.parse(text.toUpperCase().replace(' ', 'T')) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
