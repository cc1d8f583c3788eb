import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandsPage } from '../../../cli/generate/commands-page.ts';
import { conformProgram } from '../../../cli/program.ts';
import { exitCodeRows, exitCodes } from '../../../harness/verdict/exit-code.ts';
import { packageFile } from '../../../spec/package-file.ts';
import { conform } from '../conform.ts';

const page = readFileSync(packageFile('docs/commands.md'), 'utf8');

/** The part of a page below a heading. */
function sectionOf(heading: string): string {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  return section.split('\n## ')[0] ?? '';
}

describe('docs/commands.md', () => {
  it('is what `npm run generate` makes now', () => {
    expect(page).toBe(commandsPage());
    expect(page.split('\n')[0]).toContain('npm run generate');
  });

  it.each(conformProgram().commands.map((command) => [command.name(), command] as const))(
    'has what `%s --help` prints: each option once, with its default and choices',
    (name, command) => {
      const help = command.helpInformation().replaceAll(/\s+/g, ' ');
      const section = sectionOf(`conform ${name}`);
      const linked = Array.from(section.matchAll(/^And those of \[(.*?)\]/gm), ([, title = '']) =>
        sectionOf(title.replace(/^./, (letter) => letter.toUpperCase())),
      );
      const rows = [section, ...linked].flatMap((part) => part.split('\n'));
      expect(command.options.length + command.registeredArguments.length).toBe(
        rows.filter((row) => row.startsWith('| `')).length,
      );
      for (const { flags, description, argChoices = [], defaultValueDescription = '' } of command.options) {
        expect(help).toContain(`${flags} ${description}`);
        const [row, ...others] = rows.filter((each) => each.startsWith(`| \`${flags}\` | ${description} |`));
        expect(others).toEqual([]);
        for (const word of [...argChoices, defaultValueDescription]) {
          expect(row).toContain(word);
          expect(help).toContain(word);
        }
      }
    },
  );

  it('says what each number may be, and what a value that is none of an option is told', () => {
    expect(sectionOf('conform chaos')).toContain('| a whole number, 0 to 65535 | `0` |');
    expect(sectionOf('conform fuzz')).toContain('| a duration as 200ms, 30s, 10m or 2h, from 1ms to 555h |');
  });

  it('has each exit code with the words of help and README', async () => {
    const readme = readFileSync(packageFile('README.md'), 'utf8');
    const { stdout: help } = await conform(['--help']);
    for (const [code, meaning] of exitCodeRows) {
      const row = new RegExp(String.raw`^\| ${code} +\| ${meaning} +\|$`, 'm');
      expect(sectionOf('Exit codes')).toMatch(row);
      expect(readme).toMatch(row);
      expect(help).toContain(`  ${String(code).padEnd(5)}${meaning}\n`);
    }
    expect(exitCodeRows).toHaveLength(Object.keys(exitCodes).length);
  });
});
