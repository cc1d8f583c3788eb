import { Command, Option } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import { InvalidTarget, SuiteBug } from '../harness/errors.ts';
import { didYouMean } from '../harness/gate/names-meant.ts';
import { addGateOptions } from './run/gate-options.ts';
import type { RunCommandOptions } from './run/run-options.ts';
import { listOption, numberOption } from './shared/option-kinds.ts';
import { addResultOptions } from './shared/report-options.ts';
import { addTargetOptions } from './shared/target-options.ts';

/** `conform run`: judges a server, or the embedded reference when none is named. */
export function runCommand(): Command {
  const command = new Command('run')
    .description(
      'test a server clause by clause: that of conform.yaml in this folder; without one, the embedded reference',
    )
    .addOption(listOption('--check <id...>', 'run these checks only; `*` stands for any characters', 'all'))
    .addOption(
      listOption('--clause <id...>', 'run the checks that decide these clauses; `*` as above', 'all'),
    )
    .addOption(listOption('--only <area...>', 'run the checks of these areas', 'all'))
    .option('--failed <file>', 'run the checks again that failed or warned in these results (--out)')
    .option('--beside-others', 'skip the checks that need the server to themselves')
    .addOption(
      new Option(
        '--requirements <version>',
        'set of scored checks, one per version of the contract; `none` scores all',
      ).default(undefined, 'the newest'),
    )
    .option('--snapshot <file>', 'write a snapshot of the observations, or report what changed since')
    .addOption(
      numberOption(
        '--timeout <ms>',
        'time limit for one attempt at a check; 0 turns all time limits off',
        quantities.checkTimeoutMs,
      ).default(undefined, 'by the round trip'),
    )
    .addOption(
      numberOption('--concurrency <count>', 'checks that run at once', quantities.checksAtOnce).default(
        undefined,
        'by the round trip',
      ),
    )
    .option('--history <file>', 'write all that was asked and answered (NDJSON), for the command `judge`')
    .addOption(
      listOption('--trace <check...>', 'print every exchange of these checks, whatever they come to', 'none'),
    )
    .option(
      '--watch [path...]',
      'run again when the server is back after a restart, or one of these files changes; what failed first',
    )
    .option('--verbose', 'list the observations, the latencies of each call and the time of each hook too');
  // A word that is no command comes here, since a run is what is meant where none is named.
  command.allowExcessArguments();
  return addTargetOptions(addResultOptions(addGateOptions(command))).action(
    async (options: RunCommandOptions, { args, parent }: Command) => {
      demandNoWord(args, parent?.commands ?? []);
      if (options.watch !== undefined) {
        const { watchServer } = await import('./run/watch.ts').catch(notLoaded);
        process.exitCode = await watchServer(options);
        return;
      }
      const { startTarget } = await import('./shared/open-target.ts').catch(notLoaded);
      const opening = startTarget(options);
      try {
        // Checks take their time to load; an embedded reference starts beside that.
        const { judgeServer } = await import('./run/judge-server.ts').catch(notLoaded);
        process.exitCode = await judgeServer(options, opening);
      } finally {
        await opening.close();
      }
    },
  );
}

/** What commands are called elsewhere. */
const otherNames: Readonly<Record<string, string>> = {
  check: 'run',
  test: 'run',
  verify: 'run',
  describe: 'show',
  explain: 'show',
  list: 'clauses',
  checks: 'clauses',
  load: 'stress',
  diff: 'compare',
  serve: 'reference',
};

/** @throws InvalidTarget naming the command that a word may be meant for */
function demandNoWord([word]: readonly string[], commands: readonly Command[]): void {
  if (word === undefined) return;
  const other = Object.hasOwn(otherNames, word) ? otherNames[word] : undefined;
  const hint =
    other === undefined
      ? didYouMean(
          word,
          commands.map((each) => each.name()),
        )
      : `; did you mean ${other}?`;
  throw new InvalidTarget(`there is no command ${word}${hint || ' (see --help)'}`);
}

function notLoaded(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new SuiteBug(`the checks cannot be loaded: ${why}`, { cause });
}
