import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { packageFile } from '../../spec/package-file.ts';
import { runFolder } from '../run-folder.ts';
import { runHosted } from './command-hosts.ts';

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

const main = packageFile('dist/cli/main.js');

/** The environment of a newcomer: nothing of ours in it. */
export const cleanEnv: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:CONFORM_|VITEST|NODE_ENV|FORCE_COLOR|.*_PROXY)/i.test(name),
  ),
);

/**
 * Runs the built command line to its end; without a `cwd`, where no target file is found. In a process of its own with `onStart`, which gets
 * it to send signals, and with `isAlone`, so that it knows no secret from a command before.
 */
export async function conform(
  args: readonly string[],
  options: {
    env?: Readonly<Record<string, string>>;
    cwd?: string;
    onStart?: (child: ChildProcessWithoutNullStreams) => void;
    /** What a shell does before the process begins in its place, such as a limit. */
    before?: string;
    isAlone?: boolean;
  } = {},
): Promise<Ended> {
  const startedMs = performance.now();
  const { code, stdout, stderr } = await (options.onStart !== undefined || options.isAlone === true
    ? runAlone(args, options)
    : runHosted({ main, args, ...placeOf(options) }).ended);
  return { code, stdout, stderr, durationMs: performance.now() - startedMs };
}

async function runAlone(args: readonly string[], options: Parameters<typeof conform>[1] = {}) {
  const child = start(args, options);
  options.onStart?.(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** A reference in a process of its own, with the target file it printed. */
export interface SeparateReference {
  readonly targetFile: string;
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts `conform reference` and waits for its target file. */
export function separateReference(args: readonly string[] = []): Promise<SeparateReference> {
  return new Promise((resolve, reject) => {
    const command = { main, args: ['reference', ...args], ...placeOf({}) };
    const { child, ended } = runHosted(command, ({ stdout, stderr }) => {
      const close = async (): Promise<void> => {
        child.kill('SIGTERM');
        await ended;
      };
      // The listening line is written once the target file is, and may be read before it.
      if (stderr !== '' && stdout !== '')
        resolve({ targetFile: stdout, close, [Symbol.asyncDispose]: close });
    });
    void ended.then(({ stderr }) => reject(new Error(`the reference did not start: ${stderr}`)));
  });
}

function start(
  args: readonly string[],
  options: Place & { readonly before?: string },
): ChildProcessWithoutNullStreams {
  const { before = ':', ...place } = options;
  const command = ['-c', `${before}; exec "$0" "$@"`, process.execPath, main, ...args];
  return spawn('sh', command, { ...placeOf(place), stdio: 'pipe' });
}

/** Where a command runs, and in what environment. */
interface Place {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

function placeOf({ env, cwd = runFolder() }: Place) {
  return { env: { ...cleanEnv, ...env }, cwd };
}
