import { Command } from 'commander';
import { asPath, asWord } from '../../harness/output/in-shell.ts';
import type { HeaderEvent } from '../../harness/results/generated/events.ts';
import type { AgainCommands } from '../../reporters/story/again.ts';
import { apartAtDashes, unnarrowed, withoutOptions } from './command-line.ts';
import { secrets } from './output.ts';
import { ownCommand } from './own-command.ts';
import { addTargetOptions } from './target-options.ts';

/** The commands that show again what a run, a campaign or concurrent clients found, at the server that they had. */
export const againCommands: AgainCommands = { rerunCommand, replayCommand: replayAgainCommand };

function rerunCommand(checks: readonly string[], header: HeaderEvent | undefined): string {
  const [name, ...options] = commandOf(header);
  if (name === 'run' && checks.length > 0)
    return [ownCommand(), '--check', ...wordsOfCommand([...checks, ...unnarrowed(options)])].join(' ');
  // The option takes any number of values: nothing but the client may come after it.
  const [own, client] = apartAtDashes(unnarrowed(options));
  const played = name === 'client' && checks.length > 0;
  const words = played ? [...own, '--scenario', ...checks, ...client] : options;
  return [ownCommand(), ...wordsOfCommand([name, ...words])].join(' ');
}

function replayAgainCommand(file: string, header: HeaderEvent | undefined): string {
  const [, ...options] = commandOf(header);
  const ofTarget = withoutOptions(options, (option) => (targetOptions().has(option) ? undefined : Infinity));
  return [ownCommand(), 'replay', asPath(secrets.clean(file)), ...wordsOfCommand(ofTarget)].join(' ');
}

/** The command that runs a plan of concurrent clients again that was kept. */
export function stressReplayCommand(file: string, [, ...options]: readonly string[]): string {
  return [ownCommand(), 'stress', '--replay', asPath(secrets.clean(file)), ...wordsOfCommand(options)].join(
    ' ',
  );
}

/** Of a stream without its command only the address is known. */
function commandOf(header: HeaderEvent | undefined): readonly [name: string, ...options: string[]] {
  const [name = 'run', ...options] = header?.command ?? [];
  if (header?.command !== undefined || header === undefined) return [name, ...options];
  return [header.campaign === undefined ? 'run' : 'fuzz', '--base-url', header.baseUrl];
}

/** What is left of a secret is no plain word: it has to be cleaned before it is quoted. */
function wordsOfCommand(args: readonly string[]): readonly string[] {
  return args.map((arg) => asWord(secrets.clean(arg)));
}

let known: ReadonlySet<string> | undefined;

/** The options that say which server it is, as whom, and with what limits. */
function targetOptions(): ReadonlySet<string> {
  known ??= new Set(addTargetOptions(new Command()).options.flatMap(({ long }) => long ?? []));
  return known;
}
