import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { atExit } from '../at-exit.ts';

/** How a command runs. */
interface ProcessOptions {
  /** The whole environment; nothing is added. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Whether it was to print something: then printing nothing is waited out while anybody holds its stdout. */
  readonly requiresOutput?: boolean;
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
/** Of what a process says on stderr the end is kept. */
export const maxStderrBytes = 4_096;
/** How long a process that was told to end may take before it is killed, in ms. */
export const graceMs = 500;

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
    return Promise.resolve({ kind: 'unstartable', code: errnoOf(error), stderr: '' });
  }
  return watch(child, options);
}

function watch(
  child: ChildProcess,
  { timeoutMs, signal, requiresOutput = false }: ProcessOptions,
): Promise<ProcessEnd> {
  let stopped: 'timed-out' | 'aborted' | 'flooded' | undefined;
  let exit: { readonly status: number | null; readonly by: NodeJS.Signals | null } | undefined;
  let grace: NodeJS.Timeout | undefined;
  let finish = (): void => undefined;
  const stop = (why: typeof stopped): void => {
    if (stopped !== undefined) return;
    // It has ended by itself, and only its output was waited for.
    if (exit !== undefined && why === 'timed-out') return finish();
    stopped = why;
    if (exit !== undefined) return finish();
    killGroup(child, 'SIGTERM');
    grace = setTimeout(() => killGroup(child, 'SIGKILL'), graceMs);
  };
  // Where this process was held up, the news that the other has exited waits behind its timers.
  const timer = setTimeout(() => setImmediate(() => stop('timed-out')), timeoutMs);
  const abort = (): void => stop('aborted');
  const output = new Output(child, () => stop('flooded'));
  signal.addEventListener('abort', abort, { once: true });
  const letGo = atExit(() => killGroup(child, 'SIGKILL'));
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (how: DistributiveOmit<ProcessEnd, 'stderr'>): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener('abort', abort);
      letGo();
      output.letGo();
      resolve({ ...how, stderr: output.stderr });
    };
    finish = () => {
      if (stopped !== undefined) end({ kind: stopped });
      else if (exit?.status == null) end({ kind: 'killed', by: exit?.by ?? 'a signal' });
      else end({ kind: 'exited', status: exit.status, stdout: output.stdout });
    };
    child.once('error', (error) => end({ kind: 'unstartable', code: errnoOf(error) }));
    child.once('close', () => finish());
    child.once('exit', (status, by) => {
      exit = { status, by };
      if (stopped !== undefined) {
        killGroup(child, 'SIGKILL');
        return finish();
      }
      output.whenQuiet(() => {
        const isAwaited = requiresOutput && status === 0 && output.stdout.length === 0;
        if (!isAwaited) finish();
      });
      return undefined;
    });
  });
}

/** What a process prints. */
class Output {
  readonly #child: ChildProcess;
  readonly #chunks: Buffer[] = [];
  #stderr: Buffer = Buffer.alloc(0);
  #bytes = 0;
  /** Chunks that came, of either pipe. */
  #count = 0;

  constructor(child: ChildProcess, onFlood: () => void) {
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#count += 1;
      this.#bytes += chunk.length;
      if (this.#bytes > maxOutputBytes) onFlood();
      else this.#chunks.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#count += 1;
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-maxStderrBytes);
    });
  }

  get stdout(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get stderr(): string {
    return new TextDecoder().decode(this.#stderr);
  }

  /** Calls back once all that was printed before has come. */
  whenQuiet(callBack: () => void): void {
    whenQuiet(() => this.#count, callBack);
  }

  /** Reads on without keeping anything, nor this process: what still writes there is not to be held up or ended by it. */
  letGo(): void {
    for (const pipe of [this.#child.stdout, this.#child.stderr]) {
      pipe?.removeAllListeners('data').resume();
      (pipe as Socket | null)?.unref();
    }
  }
}

export type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Signals a process and all that it started; on Windows the process alone. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

/** The code of an error of the system, or the error in words. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Turns of the event loop in a row that bring nothing, after which a pipe whose writer has exited is empty. */
const quietTurns = 2;

/**
 * Calls back once all that a process wrote before its exit has been read. `chunks` counts what has come. Each turn of the loop
 * looks at every pipe: one without a chunk says that they are empty, however long this process was held up. Time says
 * nothing of the kind.
 */
export function whenQuiet(chunks: () => number, callBack: () => void): void {
  let [seen, quiet] = [chunks(), 0];
  const turn = (): void => {
    quiet = chunks() === seen ? quiet + 1 : 0;
    seen = chunks();
    if (quiet < quietTurns) setImmediate(turn);
    else callBack();
  };
  setImmediate(turn);
}
