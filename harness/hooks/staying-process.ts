import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { isRecord, jsonIn } from '../../spec/calls/index.ts';
import { atExit } from '../at-exit.ts';
import { errnoOf, graceMs, maxOutputBytes, maxStderrBytes, whenQuiet } from './hook-process.ts';
import type { DistributiveOmit } from './hook-process.ts';

/** What a process that stays is asked, without the number that tells the calls apart. */
interface StayingRequest {
  readonly hook: string;
  readonly base_url: string;
  readonly input: object;
}

/** How a call of it ended; `stderr` is the end of what the process has said there. */
export type StayingEnd = { readonly stderr: string } & (
  | { readonly kind: 'answered'; readonly output: unknown }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'unstartable'; readonly code: string }
  | { readonly kind: 'died'; readonly how: string }
  | { readonly kind: 'timed-out' | 'aborted' | 'flooded' | 'garbled' }
);

interface StayingOptions {
  readonly command: readonly string[];
  readonly cwd: string | undefined;
  /** The whole environment; nothing is added. */
  readonly env: NodeJS.ProcessEnv;
}

interface WaitingHook {
  readonly line: string;
  readonly settle: (end: StayingOutcome) => void;
}

type StayingOutcome = DistributiveOmit<StayingEnd, 'stderr'>;

/** A process that dies is started so many times in all. */
const maxStarts = 2;
/** How long it may go on after its stdin has ended, in ms. */
const farewellMs = 2_000;

/**
 * A program that is started once and answers many calls: each request is one line of JSON on its stdin with an `id`, each
 * answer one on its stdout with the same `id`, in any order. When it dies it is started once more and asked again what
 * it had not answered.
 */
export class StayingProcess {
  readonly #options: StayingOptions;
  readonly #waiting = new Map<number, WaitingHook>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #starts = 0;
  #calls = 0;
  #stderr: Buffer = Buffer.alloc(0);
  /** Why nobody is asked any more. */
  #end: StayingOutcome | undefined;

  constructor(options: StayingOptions) {
    this.#options = options;
  }

  /** Asks it, starting it first where it does not run; never throws. */
  async ask(
    request: StayingRequest,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<StayingEnd> {
    if (signal.aborted) return { kind: 'aborted', stderr: '' };
    if (this.#end !== undefined) return this.#withStderr(this.#end);
    this.#calls += 1;
    const id = this.#calls;
    const outcome = await new Promise<StayingOutcome>((resolve) => {
      const settle = (end: StayingOutcome): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(id);
        resolve(end);
      };
      const abort = (): void => settle({ kind: 'aborted' });
      // Where this process was held up, the answer waits behind its timers.
      const timer = setTimeout(() => setImmediate(() => settle({ kind: 'timed-out' })), timeoutMs);
      signal.addEventListener('abort', abort, { once: true });
      const line = `${JSON.stringify({ id, ...request })}\n`;
      this.#waiting.set(id, { line, settle });
      if (this.#child === undefined) this.#start();
      else this.#child.stdin.write(line);
    });
    return this.#withStderr(outcome);
  }

  /** Ends its stdin, and the process itself where that does not; what it has started lives on. */
  async close(): Promise<void> {
    this.#end ??= { kind: 'aborted' };
    this.#settleAll(this.#end);
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.stdin.end();
    const timers = [
      setTimeout(() => child.kill('SIGTERM'), farewellMs),
      setTimeout(() => child.kill('SIGKILL'), farewellMs + graceMs),
    ];
    await exited;
    for (const timer of timers) clearTimeout(timer);
  }

  /** Starts it and asks all that waits for an answer. */
  #start(): void {
    this.#starts += 1;
    const [program = '', ...args] = this.#options.command;
    try {
      const child = spawn(program, args, {
        env: this.#options.env,
        cwd: this.#options.cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
        // A Ctrl-C in the terminal is the run's to hear: the process is asked until the end.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      this.#child = child;
      this.#listen(child);
    } catch (error) {
      this.#stop({ kind: 'unstartable', code: errnoOf(error) });
      return;
    }
    for (const { line } of this.#waiting.values()) this.#child.stdin.write(line);
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    let chunks = 0;
    let line = '';
    const decoder = new TextDecoder();
    const letGo = atExit(() => child.kill('SIGKILL'));
    // A process that has gone is heard of by its exit.
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      chunks += 1;
      const lines = (line + decoder.decode(chunk, { stream: true })).split('\n');
      line = lines.pop() ?? '';
      for (const each of lines) this.#read(each.trim());
      if (line.length <= maxOutputBytes) return;
      line = '';
      this.#stop({ kind: 'flooded' });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      chunks += 1;
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-maxStderrBytes);
    });
    child.once('error', (error) => {
      if (child.pid === undefined) this.#child = undefined;
      this.#stop({ kind: 'unstartable', code: errnoOf(error) });
    });
    child.once('exit', (status, by) => {
      letGo();
      whenQuiet(
        () => chunks,
        () => {
          for (const pipe of [child.stdout, child.stderr]) pipe.removeAllListeners('data').destroy();
          this.#goneWith(
            status === null ? `was killed by ${by ?? 'a signal'}` : `exited with status ${status}`,
          );
        },
      );
    });
  }

  #read(line: string): void {
    if (line === '' || this.#end !== undefined) return;
    const answer = jsonIn(line);
    const id = isRecord(answer) ? answer['id'] : undefined;
    if (!isRecord(answer) || typeof id !== 'number' || !(id >= 1 && id <= this.#calls)) {
      this.#stop({ kind: 'garbled' });
      return;
    }
    // One that is not waited for any more was given up on.
    const waiting = this.#waiting.get(id);
    const { error, output } = answer;
    if (error === undefined || error === null)
      waiting?.settle({ kind: 'answered', output: output ?? undefined });
    else
      waiting?.settle({ kind: 'refused', error: typeof error === 'string' ? error : JSON.stringify(error) });
  }

  #goneWith(how: string): void {
    this.#child = undefined;
    if (this.#end !== undefined) return;
    if (this.#starts < maxStarts) {
      // Asked again by the next call, or at once for those that wait.
      if (this.#waiting.size > 0) this.#start();
    } else {
      this.#stop({ kind: 'died', how });
    }
  }

  /** Nobody is asked any more, and all that waits ends alike. */
  #stop(end: StayingOutcome): void {
    this.#end ??= end;
    this.#settleAll(end);
    this.#child?.kill('SIGKILL');
  }

  #settleAll(end: StayingOutcome): void {
    for (const { settle } of this.#waiting.values()) settle(end);
  }

  #withStderr(outcome: StayingOutcome): StayingEnd {
    return { ...outcome, stderr: new TextDecoder().decode(this.#stderr) } as StayingEnd;
  }
}
