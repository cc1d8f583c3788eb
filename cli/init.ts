import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { InvalidTarget } from '../harness/errors.ts';
import { targetTemplate } from './init/target-template.ts';

/** `conform init`: writes a target file to fill in, and never over another one. */
export function initCommand(): Command {
  return new Command('init')
    .description('write a commented target file to fill in')
    .argument('[file]', 'where to; - prints it', 'conform.yaml')
    .action((file: string) => {
      if (file === '-') {
        process.stdout.write(targetTemplate());
        return;
      }
      write(file);
      process.stdout.write(
        `${file} is written: fill in base_url, channel and roles.author, then see what it is good for:\n` +
          `  npm run conform -- doctor --target ${file}\n`,
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
  EEXIST: 'is there already and stays as it is',
  ENOENT: 'is in a folder that does not exist',
  ENOTDIR: 'is in a folder that does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be written by this user',
};
