import { type Command, Option } from 'commander';
import type { TargetFlags } from '../../harness/config/reading/flag-layers.ts';
import { targetSource, type TargetSource } from '../../harness/config/reading/target-source.ts';
import { quantities } from '../../harness/config/quantities.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { roleMeanings, type RoleName, roleNames, tokenVariable } from '../../harness/config/roles.ts';
import { listOption, numberOption } from './option-kinds.ts';

/** Options of every command that is pointed at a server, as commander parses them. */
export interface TargetOptions extends Omit<TargetFlags, 'tokens'> {
  readonly target?: string;
  /** The embedded reference, whatever else could name a server. */
  readonly reference?: boolean;
  /** Only what a command comes to is said, and errors. */
  readonly quiet?: boolean;
  readonly [token: `${string}Token`]: string | undefined;
}

/** What a role's credential is: that of an agent, or one by itself. */
function credentialOf(role: RoleName): string {
  const meaning = roleMeanings[role];
  return meaning.includes('agent') ? `token of ${meaning}` : meaning;
}

/** Adds the options that say which server, as whom, and with what limits. */
export function addTargetOptions(command: Command): Command {
  command
    .addOption(
      new Option(
        '--target <file>',
        'target file (YAML); flags and environment override it (CONFORM_TARGET)',
      ).default(undefined, 'conform.yaml of this folder, if nothing else names a server'),
    )
    .addOption(
      new Option(
        '--reference',
        'the embedded reference, whatever the folder and the environment hold',
      ).conflicts(['target', 'baseUrl']),
    )
    .option('--base-url <url>', 'server to test, with its path prefix if any (CONFORM_BASE_URL)')
    .option('--workspace <id>', 'workspace id; taken from answers if absent (CONFORM_WORKSPACE)')
    .option('--channel <id>', 'channel that the agents may write to (CONFORM_CHANNEL)')
    .option(
      '--second-channel <id>',
      'another channel, which the reader has not joined (CONFORM_SECOND_CHANNEL)',
    )
    .addOption(
      listOption('--files <ids>', 'ids of ready files of the workspace to attach (CONFORM_FILES)', 'none'),
    );
  for (const role of roleNames) {
    command.option(
      `--${role}-token <secret>`,
      `${credentialOf(role)}: env:NAME or file:PATH (${tokenVariable(role)})`,
    );
  }
  return command
    .option('--agent-id-header <name>', "the server's name for the agent id header")
    .option(
      '--provider <neutral=own...>',
      "the server's names for the four providers, such as provider_a=own_a",
    )
    .option('--header <name:value...>', 'header sent with every request; the value may be env:NAME')
    .option('--ca <file>', 'PEM file of the certificate authority to trust')
    .option('--cert <file>', 'PEM file of the client certificate')
    .option('--key <file>', 'PEM file of its key')
    .addOption(
      numberOption(
        '--settle-ms <ms>',
        'how long an accepted write may take to become visible',
        quantities.settleMs,
      ).default(undefined, 'by the round trip'),
    )
    .addOption(
      numberOption('--rate-per-second <count>', 'requests a second at most', quantities.ratePerSecond),
    )
    .addOption(
      numberOption(
        '--max-bytes <bytes>',
        'bytes of request bodies that the run may write; the largest contents need 20000000',
        quantities.maxBytes,
      ),
    )
    .addOption(
      numberOption('--budget-ms <ms>', 'time limit of the whole run', quantities.budgetMs).default(
        undefined,
        'five minutes without the waits for a rate limit, at most an hour',
      ),
    )
    .option('--read-only', 'send no request that could write');
}

/** What names the server of a command; where nothing does, the embedded reference is tested. */
export function sourceOf(options: TargetOptions, env: NodeJS.ProcessEnv): TargetSource {
  if (options.reference === true) return { from: 'nothing' };
  return targetSource({ file: options.target, flags: options, env, cwd: process.cwd() });
}

/**
 * For what is about a server of earlier: at another one it would say something that is not so.
 * @throws InvalidTarget where nothing names a server
 */
export function demandServer(what: string, options: TargetOptions, env = process.env): void {
  if (options.reference === true || sourceOf(options, env).from !== 'nothing') return;
  throw new InvalidTarget(
    `${what} needs the server that it is about: add --target FILE or --base-url URL, or --reference for the embedded reference`,
  );
}

/** The line about a target file that nobody named in the command. */
export function foundInWords(source: TargetSource): string | undefined {
  if (source.from !== 'file' || source.by === 'name') return undefined;
  return `target file: ${source.file} (${source.by === 'variable' ? 'CONFORM_TARGET' : 'found in this folder'})\n`;
}
