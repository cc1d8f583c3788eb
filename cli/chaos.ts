import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import { addFrontOptions } from './serve/front-options.ts';
import type { ChaosCommandOptions } from './serve/serve-chaos.ts';
import { numberOption } from './shared/option-kinds.ts';
import { addTroubleOptions } from './shared/trouble-options.ts';

/** `conform chaos`: a proxy that passes requests on to a server and injects faults, until it is interrupted. */
export function chaosCommand(): Command {
  const command = addFrontOptions(
    new Command('chaos').description('pass requests on to a server through a proxy that injects faults'),
  ).addOption(
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
