import { Command, Option } from 'commander';
import { quantities } from '../harness/config/quantities.ts';
import { InvalidTarget } from '../harness/errors.ts';
import { hookNames } from '../harness/config/target.ts';
import { packageFile } from '../spec/index.ts';
import { listenForHooks } from '../embedded/operator-listener.ts';
import type { OperatorListener } from '../embedded/operator-listener.ts';
import { hooksOfReference } from '../embedded/reference-hooks.ts';
import { numberOption } from './shared/target-options.ts';

interface ReferenceCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly keep?: number;
  readonly seedMessages?: number;
  readonly limit?: number;
  readonly hooks: HookForm;
}

const hookForms = ['url', 'command', 'process'] as const;
type HookForm = (typeof hookForms)[number];

/** `conform reference`: serves the reference until it is interrupted, and prints a target file for it. */
export function referenceCommand(): Command {
  return new Command('reference')
    .description('serve the reference service and print a target file with every role and hook')
    .addOption(
      numberOption('--port <port>', 'port to listen on; 0 takes a free one', quantities.port).default(0),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--data <file>',
      'keep everything in this SQLite file, which only its owner can read; in memory without it',
    )
    .addOption(
      numberOption(
        '--keep <count>',
        'messages to keep in each channel and mentions for each target, the newest; at times 1 % more',
        quantities.kept,
      ),
    )
    .addOption(
      numberOption(
        '--seed-messages <count>',
        'start with this many messages in the main channel; every fiftieth mentions the reader',
        quantities.seedMessages,
      ),
    )
    .addOption(
      numberOption(
        '--limit <count>',
        'requests a second allowed for each credential; more get a 429',
        quantities.requestsPerSecond,
      ),
    )
    .addOption(
      new Option(
        '--hooks <form>',
        'form of the hooks: a URL, a command for each call, or one long-running process',
      )
        .choices(hookForms)
        .default('url'),
    )
    .action(async ({ port, host, data, keep, limit, hooks, seedMessages = 0 }: ReferenceCommandOptions) => {
      // From now on: who reads that it listens may end it at once, and its files must go.
      const interrupted = interruption();
      // No other command needs it in this thread, and it takes its time to load.
      const { DataFileFault, retaining, serveReference, targetFileOf } =
        await import('../reference/index.ts');
      const reference = await serveReference({
        port,
        host,
        dataFile: data,
        settings: {
          ...(keep === undefined ? {} : retaining(keep)),
          ...(limit === undefined ? {} : { requestsPerSecond: limit }),
        },
      }).catch((error: unknown): never => {
        const { syscall, code = '' } = error as NodeJS.ErrnoException;
        if (error instanceof DataFileFault) throw new InvalidTarget(error.message);
        if (syscall === undefined) throw error;
        throw new InvalidTarget(`the reference cannot listen at ${host}, port ${port} (${code})`);
      });
      reference.operator.seedMessages(reference.world, seedMessages);
      const operator = await listenForHooks(hooksOfReference(reference));
      process.stdout.write(targetFileOf(reference) + hooksSection(operator, hooks));
      process.stderr.write(`the reference listens at ${reference.baseUrl}; stop it with Ctrl-C\n`);
      await interrupted;
      await operator.close();
      await reference.close();
    });
}

/** The `hooks` of the target file; they work in any folder of this machine. */
function hooksSection(operator: OperatorListener, form: HookForm): string {
  const command = [process.execPath, packageFile('dist/embedded/reference-hook.js'), operator.addressFile];
  const hookOf = (name: string): object => {
    if (form === 'command') return { command };
    if (form === 'process') return { command: [...command, '--stay'], stays: true };
    return {
      url: `${operator.url}/${name}`,
      headers: { Authorization: operator.authorization },
    };
  };
  return `hooks:\n${hookNames.map((name) => `  ${name}: ${JSON.stringify(hookOf(name))}\n`).join('')}`;
}

function interruption(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}
