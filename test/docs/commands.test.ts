import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conformProgram } from '../../cli/program.ts';
import { packageFile } from '../../spec/index.ts';
import { conform } from '../cli/conform.ts';
import { linesBy, nightlyPages } from './excused.ts';
import { pages, root } from './pages.ts';

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Every command of a page: lines of shell blocks, and inline code that begins with a program. */
function commandsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^\s*```sh\n([\s\S]*?)```/gm)].flatMap(([, body]) =>
    (body ?? '').split('\n'),
  );
  const inline = [
    ...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`((?:npm|npx|conform) [^`]+)`/g),
  ].flatMap(([, code]) => code ?? []);
  return [...blocks, ...inline]
    .flatMap((line) => line.replace(/#.*$/, '').split('&&'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const commands = pages.flatMap((page) =>
  commandsOf(page).map((command): [string, string] => [page, command]),
);

/** The arguments that a command gives to `conform`, or `undefined` when it runs something else. */
function conformArguments(command: string): string[] | undefined {
  const words = command.split(/\s+/);
  if (words[0] === 'conform') return words.slice(1);
  if (words[0] === 'npx' && words[1] === 'conform') return words.slice(2);
  const image = words.indexOf('messaging-conformance');
  if (words[0] === 'docker' && words[1] === 'run')
    return words.slice(image + (words[image + 1] === 'conform' ? 2 : 1));
  const run = words.findIndex((word) => word === 'conform' || word === 'reference');
  if (words[0] !== 'npm' || run === -1) return undefined;
  const own = words.slice(words.indexOf('--', run) + 1);
  return words.includes('--', run) ? [...(words[run] === 'reference' ? ['reference'] : []), ...own] : [];
}

const program = conformProgram();

describe('the commands in the docs', () => {
  it('are found at all', () => {
    expect(commands.length).toBeGreaterThan(10);
  });

  it.each(commands.filter(([, command]) => command.startsWith('npm run')))(
    '%s: `%s` runs a script that is there',
    (_, command) => {
      const script = command
        .split(/\s+/)
        .slice(2)
        .find((word) => !word.startsWith('-'));
      expect(Object.keys(manifest.scripts)).toContain(script);
    },
  );

  // What is run as it stands with every change needs no help to show that its options are there.
  const typed = linesBy.run.filter(({ page }) => !nightlyPages.test(page));
  const notRun = commands.filter(([, command]) => !typed.some(({ line }) => line.includes(command)));

  it.each(notRun.filter(([, command]) => conformArguments(command) !== undefined))(
    '%s: `%s` uses options that are there',
    async (_, command) => {
      const args = conformArguments(command) ?? [];
      const subcommand = args[0] !== undefined && /^[a-z]/.test(args[0]) ? args[0] : 'run';
      const help = program.commands.find((each) => each.name() === subcommand)?.helpInformation();
      // Commands that only read and end by themselves are run as they stand.
      const isRun = ['show', 'clauses'].includes(subcommand);
      expect(isRun ? (await conform(args)).code : 0).toBe(0);
      for (const option of args.filter((word) => word.startsWith('--')))
        expect(help).toContain(option.split('=')[0]);
    },
  );
});
