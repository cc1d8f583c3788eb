import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { usualTargetFile } from '../harness/config/reading/target-source.ts';
import { InvalidTarget } from '../harness/errors.ts';
import { targetTemplate } from './init/target-template.ts';
import { ownCommand } from './shared/own-command.ts';
import { out } from './shared/output.ts';
import { asPath } from '../harness/output/in-shell.ts';

/** `conform init`: writes a target file to fill in, and never over another one. */
export function initCommand(): Command {
  return new Command('init')
    .description('write a commented target file to fill in')
    .argument('[file]', 'where to; - prints it', usualTargetFile)
    .action((file: string) => {
      if (file === '-') {
        out.say(targetTemplate());
        return;
      }
      write(file);
      out.say(
        `wrote ${file}: fill in base_url, channel and roles.author, then try it out:\n` +
          `  ${ownCommand()} doctor${file === usualTargetFile ? '' : ` --target ${asPath(file)}`}\n`,
      );
    });
}

function write(file: string): void {
  try {
    writeFileSync(file, targetTemplate(), { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const what = faults[code] ?? `cannot be written (${code})`;
    throw new InvalidTarget(`${file} ${what}; give another name, or - to print the file`);
  }
}

const faults: Readonly<Record<string, string>> = {
  EEXIST: 'already exists and was not changed',
  ENOENT: 'is in a folder that does not exist',
  ENOTDIR: 'is in a folder that does not exist',
  EISDIR: 'is a folder',
  EACCES: 'is not writable by this user',
};
