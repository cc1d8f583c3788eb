#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { exitCodes } from '../harness/verdict/exit-code.ts';
import { suiteVersion } from '../harness/results/suite-version.ts';
import { ConformError, InvalidTarget } from '../harness/errors.ts';
import { lostFiles } from '../harness/output/clean-file.ts';
import { chaosCommand } from './chaos.ts';
import { compareCommand } from './compare.ts';
import { clausesCommand } from './clauses.ts';
import { doctorCommand } from './doctor.ts';
import { fuzzCommand } from './fuzz.ts';
import { initCommand } from './init.ts';
import { judgeCommand } from './judge.ts';
import { mergeCommand } from './merge.ts';
import { referenceCommand } from './reference.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { runCommand } from './run.ts';
import { showCommand } from './show.ts';
import { stressCommand } from './stress.ts';
import { err, out } from './shared/output.ts';

const program = new Command('conform')
  .description('Tests clause by clause whether a server keeps the contract of the agent messaging service.')
  .version(suiteVersion())
  .addHelpText('after', () => `\n${optionsHelp(run)}\n${exitCodeHelp()}`);
const run = runCommand();
const commands = [
  run,
  fuzzCommand(),
  stressCommand(),
  chaosCommand(),
  replayCommand(),
  mergeCommand(),
  judgeCommand(),
  reportCommand(),
  compareCommand(),
  initCommand(),
  doctorCommand(),
  referenceCommand(),
  clausesCommand(),
  showCommand(),
];
for (const command of commands) {
  program.addCommand(command, { isDefault: command.name() === 'run' });
}
for (const command of [program, ...program.commands])
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => out.say(text), writeErr: (text) => err.say(text) })
    .showHelpAfterError('(see --help)');

// What nobody can read any more, as after `| head -1`, takes nothing away from what a command comes to.
let unreadable = '';
process.stdout.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
  unreadable = code === 'EPIPE' ? '' : code;
});
process.stderr.on('error', () => {});
process.once('exit', () => {
  if (unreadable !== '') err.say(`conform: the output could not be written (${unreadable})\n`);
  for (const [file, code] of lostFiles) err.say(`conform: ${file} is not complete (${code})\n`);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOfError(error);
}

function exitCodeOfError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conforms : exitCodes.usage;
  const message = error instanceof Error ? error.message : String(error);
  err.say(`conform: ${message}\n`);
  if (error instanceof InvalidTarget || isOfTheSystem(error)) return exitCodes.usage;
  const unexpected = error instanceof ConformError ? error.cause : error;
  if (unexpected instanceof Error) err.say(`${unexpected.stack ?? ''}\n`);
  return exitCodes.suiteBug;
}

/** True of an error that a file, an address or a disk brought about, and no bug. */
function isOfTheSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** The options of the command that runs where none is named. */
function optionsHelp(command: Command): string {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const termWidth = Math.max(...options.map((option) => help.optionTerm(option).length));
  const lines = options.map((option) =>
    help.formatItem(help.optionTerm(option), termWidth, help.optionDescription(option), help),
  );
  return ['Options of a run:', ...lines, ''].join('\n');
}

function exitCodeHelp(): string {
  return `Exit codes:
  0    nothing failed and at least one clause passed
  1    something failed, or an entry of the baseline no longer holds
  2    the command line, the target file or another file that it names is wrong
  3    nothing could be concluded, a required clause was inconclusive, or trouble kept the run from completing
  4    a bug of the suite
  130  interrupted; the report shows what ran`;
}
