import { Command, Option } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import { addFrontOptions } from './serve/front-options.ts';
import type { ProxyCommandOptions } from './proxy/serve-proxy.ts';
import { durationOption, numberOption } from './shared/option-kinds.ts';
import { addResultOptions, writtenFiles } from './shared/report-options.ts';

/** Options that have no effect where nothing is judged. */
const ofJudging: readonly string[] = [
  ...writtenFiles,
  'strict',
  'require',
  'baseline',
  'metrics',
  'keep',
  'keepMb',
  'settleMs',
  'every',
];

/** `conform proxy`: stands before a server, passes everything on as it is, and judges what goes through, until it is interrupted. */
export function proxyCommand(): Command {
  const command = addFrontOptions(
    new Command('proxy').description('pass requests on to a server as they are, and judge what goes through'),
  )
    .addOption(
      numberOption(
        '--metrics <port>',
        'serve counts as Prometheus reads them, at /metrics of this port',
        quantities.port,
      ),
    )
    .option('--keep <folder>', 'keep histories in this folder, for the command `judge`')
    .addOption(
      numberOption(
        '--keep-mb <size>',
        'size of that folder, in MB; the oldest histories go',
        quantities.kept,
      ).default(undefined, '200'),
    )
    .addOption(
      numberOption(
        '--settle-ms <ms>',
        'how long an accepted write may take to become visible',
        quantities.settleMs,
      ).default(undefined, 'that of the target file, else five seconds'),
    )
    .addOption(
      durationOption('--every <time>', 'judge what has come after so long at the latest').default(
        30_000,
        '30s',
      ),
    )
    .addOption(new Option('--no-judge', 'pass on, and nothing else').conflicts([...ofJudging]));
  return addResultOptions(command).action(async (options: ProxyCommandOptions) => {
    const { serveProxy } = await import('./proxy/serve-proxy.ts');
    process.exitCode = await serveProxy(options);
  });
}
