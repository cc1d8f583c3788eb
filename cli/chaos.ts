import { randomInt } from 'node:crypto';
import { Command, Option } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import type { ChaosCommandOptions } from './serve/serve-chaos.ts';
import { numberOption } from './shared/option-kinds.ts';
import { addTroubleOptions } from './shared/trouble-options.ts';

/** `conform chaos`: a proxy that passes requests on to a server and injects faults, until it is interrupted. */
export function chaosCommand(): Command {
  const command = new Command('chaos')
    .description('pass requests on to a server through a proxy that injects faults')
    .addOption(
      new Option(
        '--target <server>',
        'base URL of the server, or a target file that has it (CONFORM_BASE_URL, CONFORM_TARGET)',
      ).default(undefined, 'conform.yaml of this folder'),
    )
    .addOption(
      numberOption('--port <port>', 'port to listen on; 0 takes a free one', quantities.port).default(0),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(
      numberOption('--seed <number>', 'the same trouble in the same order', quantities.seed).default(
        randomInt(2 ** 31),
        'random',
      ),
    );
  return addTroubleOptions(command).action(async (options: ChaosCommandOptions) => {
    const { serveChaos } = await import('./serve/serve-chaos.ts');
    await serveChaos(options);
  });
}
