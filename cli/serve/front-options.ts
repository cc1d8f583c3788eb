import { type Command, Option } from 'commander';
import { quantities } from '../../harness/config/quantities.ts';
import { numberOption } from '../shared/option-kinds.ts';

/** Before which server a front stands, and where it listens. */
export interface FrontOptions {
  readonly target?: string;
  readonly port: number;
  readonly host: string;
}

/** Adds {@link FrontOptions} to a command that stands before a server. */
export function addFrontOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--target <server>',
        'base URL of the server, or a target file that has it (CONFORM_BASE_URL, CONFORM_TARGET)',
      ).default(undefined, 'conform.yaml of this folder'),
    )
    .addOption(
      numberOption('--port <port>', 'port to listen on; 0 takes a free one', quantities.port).default(0),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1');
}
