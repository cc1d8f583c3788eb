#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodes } from '../harness/verdict/exit-code.ts';
import { ConformError, InvalidTarget } from '../harness/errors.ts';
import { lostFiles } from '../harness/output/clean-file.ts';
import { conformProgram } from './program.ts';
import { err, out } from './shared/output.ts';

const program = conformProgram();
for (const command of [program, ...program.commands])
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.say(text),
      writeErr: (text) => err.say(text),
      outputError: (text, write) => write(withoutValue(text).replace(/^error:/, 'conform:')),
    })
    .showHelpAfterError('(see --help)');

// What nobody can read any more, as after `| head -1`, takes nothing away from what a command comes to.
let unreadable = '';
process.stdout.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
  unreadable = code === 'EPIPE' ? '' : code;
});
process.stderr.on('error', () => {});
process.once('exit', () => {
  if (unreadable !== '') {
    err.say(`conform: the output could not be written (${unreadable})\n`);
    // What came to be good is not so for whoever was to read it.
    process.exitCode =
      (process.exitCode ?? exitCodes.conforms) === exitCodes.conforms ? exitCodes.usage : process.exitCode;
  }
  for (const [file, lost] of lostFiles) err.say(`conform: ${file} ${lost}\n`);
  // It is told once, also where a process runs one command after another.
  lostFiles.clear();
});

// What nobody waits for ends the command as any other mistake of ours does.
process.once('uncaughtException', (error) => {
  process.exit(exitCodeOfError(error));
});

try {
  refuseEmpty(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOfError(error);
}

/** @throws InvalidTarget where an argument is empty, as one is of a variable that nobody has set; those of a client are its own */
function refuseEmpty(words: readonly string[]): void {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const at = own.indexOf('');
  if (at < 0) return;
  const before = own[at - 1] ?? '';
  const what = before.startsWith('-') ? `${before} has an empty value` : `argument ${at + 1} is empty`;
  throw new InvalidTarget(`${what}; leave it out, or say what is meant`);
}

/** A message about an option that is not there, without its value: that of a slip in the name of a token is the token. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option '[^'=]*)=[\s\S]*?'(?=\n|$)/, "$1'");
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
