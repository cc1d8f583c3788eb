import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** How a command runs. */
export interface ProcessOptions {
  /** The whole environment; nothing is added. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How a command ended; `stderr` holds at most its last 4 KB. */
export type ProcessEnd = { readonly stderr: string } & (
  | { readonly kind: 'exited'; readonly status: number; readonly stdout: Uint8Array }
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'unstartable'; readonly code: string }
  | { readonly kind: 'timed-out' | 'aborted' | 'flooded' }
);

/** More than this on stdout is no answer. */
export const maxOutputBytes = 1_000_000;
const maxStderrBytes = 4_096;
/** How long a group that was told to end may take before it is killed, in ms. */
const graceMs = 500;
/** How long output may still come after the process has exited, in ms: a server that it started can hold the pipe for ever. */
const drainMs = 150;

/**
 * Runs a program without a shell, in a process group of its own. On a timeout, an abort or too much output the whole
 * group is ended; after an ordinary exit what the program started lives on, since a restart may have started the server.
 */
export function runProcess(
  [program = '', ...args]: readonly string[],
  options: ProcessOptions,
): Promise<ProcessEnd> {
  if (options.signal.aborted) return Promise.resolve({ kind: 'aborted', stderr: '' });
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      env: options.env,
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return Promise.resolve({ kind: 'unstartable', code: codeOf(error), stderr: '' });
  }
  return watch(child, options);
}

function watch(child: ChildProcess, { timeoutMs, signal }: ProcessOptions): Promise<ProcessEnd> {
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  let stderr: Buffer = Buffer.alloc(0);
  let stopped: 'timed-out' | 'aborted' | 'flooded' | undefined;
  let grace: NodeJS.Timeout | undefined;
  const stop = (why: typeof stopped): void => {
    if (stopped !== undefined) return;
    stopped = why;
    killGroup(child, 'SIGTERM');
    grace = setTimeout(() => killGroup(child, 'SIGKILL'), graceMs);
  };
  const timer = setTimeout(() => stop('timed-out'), timeoutMs);
  const abort = (): void => stop('aborted');
  const killNow = (): void => killGroup(child, 'SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  process.once('exit', killNow);
  child.stdout?.on('data', (chunk: Buffer) => {
    stdoutBytes += chunk.length;
    if (stdoutBytes > maxOutputBytes) stop('flooded');
    else stdout.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-maxStderrBytes);
  });
  return new Promise((resolve) => {
    const end = (how: DistributiveOmit<ProcessEnd, 'stderr'>): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener('abort', abort);
      process.off('exit', killNow);
      for (const pipe of [child.stdout, child.stderr]) (pipe as Socket | null)?.unref();
      resolve({ ...how, stderr: new TextDecoder().decode(stderr) });
    };
    child.once('error', (error) => end({ kind: 'unstartable', code: codeOf(error) }));
    child.once('exit', (status, by) => {
      if (stopped !== undefined) {
        killGroup(child, 'SIGKILL');
        return end({ kind: stopped });
      }
      clearTimeout(timer);
      const finish = (): void => {
        clearTimeout(drain);
        if (stopped !== undefined) end({ kind: stopped });
        else if (status === null) end({ kind: 'killed', by: by ?? 'a signal' });
        else end({ kind: 'exited', status, stdout: Buffer.concat(stdout) });
      };
      const drain = setTimeout(finish, drainMs);
      child.once('close', finish);
      return undefined;
    });
  });
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
