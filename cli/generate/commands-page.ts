import { type Argument, Command, type Option } from 'commander';
import { exitCodeRows } from '../../harness/verdict/exit-code.ts';
import { table } from '../../reporters/formats/markdown-text.ts';
import { conformProgram } from '../program.ts';
import { ReadOption } from '../shared/option-kinds.ts';
import { addTargetOptions } from '../shared/target-options.ts';
import { addTroubleOptions } from '../shared/trouble-options.ts';

/** Options that several commands have; the page lists them once. */
interface SharedOptions {
  readonly title: string;
  readonly intro: string;
  readonly options: readonly Option[];
}

const shared: readonly SharedOptions[] = [
  {
    title: 'Which server, as whom, within what limits',
    intro:
      'Flags come before variables of the environment, in brackets here, and variables before [the target file](target-file.md).',
    options: addTargetOptions(new Command()).options,
  },
  {
    title: 'Trouble on the way',
    intro: 'Without any of these nothing goes wrong. [Trouble on the way](chaos.md) says what each does.',
    options: addTroubleOptions(new Command()).options,
  },
];

/** The text of `docs/commands.md`: every command with its arguments and options, from their definitions, and the exit codes. */
export function commandsPage(program: Command = conformProgram()): string {
  return [
    '<!-- Made by `npm run generate` from the definitions of the commands in cli/; do not edit. -->',
    '',
    '# Commands',
    '',
    program.description(),
    '',
    'Where no command is named, `run` is meant. In a checkout, and where the package is installed, `npx conform` stands for `conform`. `--help` after a command',
    'prints its part of this page.',
    '',
    ...commandTable(
      ['command', 'does'],
      program.commands.map((command) => [
        `[${command.name()}](#conform-${command.name()})`,
        command.description(),
      ]),
    ),
    ...program.commands.flatMap((command) => commandSection(program, command)),
    ...shared.flatMap(({ title, intro, options }) => [`## ${title}`, '', intro, '', ...optionTable(options)]),
    '## Exit codes',
    '',
    'The same of every command:',
    '',
    ...commandTable(
      ['exit code', 'means'],
      exitCodeRows.map(([code, meaning]) => [String(code), meaning]),
    ),
  ].join('\n');
}

function commandSection(program: Command, command: Command): string[] {
  const options = command.createHelp().visibleOptions(command);
  const elsewhere = shared.filter((group) => group.options.every((each) => isAmong(options, each)));
  const others = elsewhere.flatMap((group) => group.options);
  const own = options.filter((each) => each.long !== '--help' && !isAmong(others, each));
  return [
    `## ${program.name()} ${command.name()}`,
    '',
    sentenceOf(command.description()),
    '',
    '```text',
    `${program.name()} ${command.name()} ${command.usage()}`,
    '```',
    '',
    ...argumentTable(command.registeredArguments),
    ...(own.length > 0 ? optionTable(own) : []),
    ...elsewhere.flatMap(({ title }) => [`And those of [${title.toLowerCase()}](#${anchorOf(title)}).`, '']),
  ];
}

function sentenceOf(description: string): string {
  const begun = description.replace(/^./, (letter) => letter.toUpperCase());
  return begun.endsWith('?') ? begun : `${begun}.`;
}

function isAmong(options: readonly Option[], { flags, description }: Option): boolean {
  return options.some((each) => each.flags === flags && each.description === description);
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(',', '').replaceAll(' ', '-');
}

function argumentTable(all: readonly Argument[]): string[] {
  if (all.length === 0) return [];
  return commandTable(
    ['argument', 'what it is', 'default'],
    all.map((each) => [
      `\`${each.name()}${each.variadic ? '...' : ''}\``,
      each.description,
      defaultOf(each.defaultValue),
    ]),
  );
}

function optionTable(options: readonly Option[]): string[] {
  return commandTable(
    ['option', 'what it does', 'takes', 'default'],
    options.map((option) => [
      `\`${option.flags}\``,
      option.description,
      takenBy(option),
      option.mandatory ? 'none: it has to be given' : defaultOf(option.defaultValue, option),
    ]),
  );
}

function takenBy(option: Option): string {
  if (option instanceof ReadOption) return option.takes;
  return (option.argChoices ?? []).map((choice) => `\`${choice}\``).join(', ');
}

function defaultOf(value: unknown, option?: Option): string {
  const words = option?.defaultValueDescription;
  if (words !== undefined || value === undefined) return words ?? '';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** With an empty line after it. */
function commandTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = (row: readonly string[]): string[] => row.map((cell) => cell.replaceAll('|', String.raw`\|`));
  return [table(head, rows.map(cells)), ''];
}
