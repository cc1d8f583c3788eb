import { type Command, Option } from 'commander';
import { formatNames } from '../../reporters/formats/format.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { standardOutputName } from '../../harness/output/clean-file.ts';
import { listOption } from './option-kinds.ts';
import { leaveStandardOutput, out, secrets } from './output.ts';
import type { KeptFileFlags } from './kept-files.ts';
import type { Reports, ReportsOptions } from './reports.ts';
import { targetPlace } from './target-place.ts';

/** `junit, ctrf, …`: what can be asked for. */
const formatList: string = formatNames.join(', ');

/** The option by which a command writes its results for other readers. */
export function reportOption(): Option {
  return listOption(
    '--report <format=file...>',
    `write the results in another format, with \`-\` as the file to standard output: ${formatList}`,
    'none',
  );
}

/**
 * Leaves standard output to what is to be written there.
 * @throws InvalidTarget where that is more than one thing
 */
export function shareStandardOutput({ out: file, report }: Pick<ResultOptions, 'out' | 'report'>): void {
  const there = [
    ...(file === standardOutputName ? [`--out ${file}`] : []),
    ...report.filter((each) => each.endsWith(`=${standardOutputName}`)).map((each) => `--report ${each}`),
  ];
  if (there.length > 1)
    throw new InvalidTarget(`${there.join(' and ')} go to standard output together; give all but one a file`);
  if (there.length > 0) leaveStandardOutput();
}

/**
 * What is to be written at the end; `undefined` when nobody asked, and no platform is there that shows it.
 * @throws InvalidTarget on a value that is no format and file
 */
export async function openReports(
  values: readonly string[],
  { folder }: Pick<ReportsOptions, 'folder'> = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Reports | undefined> {
  if (values.length === 0 && env['GITHUB_ACTIONS'] !== 'true') return undefined;
  // What writes formats takes time to load, and most runs write none.
  const [{ Reports: Opened }, { againCommands }] = await Promise.all([
    import('./reports.ts'),
    import('./again-commands.ts'),
  ]);
  const say = (text: string): void => out.say(text);
  return new Opened(values, { ...againCommands, targetPlace, folder, secrets, say, env });
}

/** The option by which a command prints what it comes to, and nothing else. */
export function quietOption(): Option {
  return new Option('--quiet', 'print the verdict alone, in one line, and errors');
}

/** Options of a command that judges a server, or what was recorded of one: what fails it, and where its results go. */
export interface ResultOptions extends KeptFileFlags {
  readonly require: readonly string[];
  readonly baseline?: string;
  /** File of the result stream. */
  readonly out?: string;
  readonly report: readonly string[];
  readonly quiet?: boolean;
}

/** Those of them that name a file to write, as what writes none cannot go with them. */
export const writtenFiles = ['out', 'report', 'writeBaseline', 'writeRequire'] as const;

/** Adds these options, so that each such command has the same. */
export function addResultOptions(command: Command): Command {
  return command
    .option('--strict', 'broken inferred clauses fail instead of warn')
    .addOption(
      listOption(
        '--require <id...>',
        'clauses that must not be inconclusive; `must` for all stated ones, @FILE for a list',
        'none',
      ),
    )
    .option('--baseline <file>', 'known failures (YAML), which do not fail the run')
    .option('--write-baseline <file>', 'write the failures as a baseline; fill in the reasons')
    .option('--write-require <file>', 'write the clauses that were decided, as a list for --require @FILE')
    .option(
      '--out <file>',
      'write the result stream (NDJSON) to this file; with `-` to standard output, and all else to standard error',
    )
    .hook('preAction', (_, action) => shareStandardOutput(action.opts<ResultOptions>()))
    .addOption(reportOption())
    .addOption(quietOption().conflicts(['verbose', 'trace', 'json']));
}
