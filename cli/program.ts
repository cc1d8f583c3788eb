import { Command, Help, type Option } from 'commander';
import { suiteVersion } from '../harness/results/suite-version.ts';
import { exitCodeRows } from '../harness/verdict/exit-code.ts';
import { chaosCommand } from './chaos.ts';
import { clientCommand } from './client.ts';
import { compareCommand } from './compare.ts';
import { clausesCommand } from './explain/clauses.ts';
import { doctorCommand } from './doctor.ts';
import { fuzzCommand } from './fuzz.ts';
import { initCommand } from './init.ts';
import { judgeCommand } from './judge.ts';
import { mergeCommand } from './merge.ts';
import { referenceCommand } from './reference.ts';
import { proxyCommand } from './proxy.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { runCommand } from './run.ts';
import { showCommand } from './show.ts';
import { stressCommand } from './stress.ts';

/** `conform` with all its commands: what `--help` and `docs/commands.md` are made of. */
export function conformProgram(): Command {
  const run = runCommand();
  const program = new Command('conform')
    .description('Tests clause by clause whether a server keeps the contract of the agent messaging service.')
    .version(suiteVersion())
    .addHelpText('after', () => `\n${optionsHelp(run)}\n${exitCodeHelp()}`);
  const commands = [
    run,
    fuzzCommand(),
    stressCommand(),
    proxyCommand(),
    chaosCommand(),
    replayCommand(),
    mergeCommand(),
    judgeCommand(),
    clientCommand(),
    reportCommand(),
    compareCommand(),
    initCommand(),
    doctorCommand(),
    referenceCommand(),
    clausesCommand(),
    showCommand(),
  ];
  for (const command of commands) program.addCommand(command, { isDefault: command === run });
  for (const each of [program, ...commands]) each.configureHelp({ optionDescription });
  return program;
}

/** Commander leaves out the words about a default that is no value. */
function optionDescription(option: Option): string {
  const { defaultValue, defaultValueDescription: words, description } = option;
  if (defaultValue !== undefined || words === undefined) return new Help().optionDescription(option);
  return `${description} (default: ${words})`;
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
  const lines = exitCodeRows.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  return ['Exit codes:', ...lines].join('\n');
}
