import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { atExit } from '../../harness/at-exit.ts';

/** How long a client may take to end once it is asked to, in ms. */
const endingMs = 3_000;
/** A client that ended well is started again after this, in ms, as by a timer. */
const againMs = 200;
/** Characters of its standard error that are kept: the last ones. */
const keptOfErrors = 2_000;

/** How the process of a task ends that has an end. */
export const endedWell = 'it ended with status 0';

/** What is started, and with what. */
interface ClientCommand {
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
  /** Its standard input. */
  readonly input: string;
  /** True for a task without an end: a client that ends well is started again. */
  readonly isEndless: boolean;
  /** Until when it has been asked to wait, on the clock of `performance.now()`: it is started again no sooner. */
  readonly waitsUntil: () => number;
  readonly onLine: (line: string) => void;
}

/** The process of a client, with all that it starts itself. */
export class ClientProcess {
  readonly #what: ClientCommand;
  #child: ChildProcess | undefined;
  #ended: Promise<void> | undefined;
  #again: NodeJS.Timeout | undefined;
  #errors = '';
  #isWanted = false;
  #letGo: (() => void) | undefined;
  /** How it ended that should not have, or has done its work; `undefined` while it goes on. */
  end: string | undefined;

  constructor(what: ClientCommand) {
    this.#what = what;
  }

  /** The last of what it said on standard error. */
  get errors(): string {
    return this.#errors.trim();
  }

  start(): void {
    const { command, env, input, onLine } = this.#what;
    const [program, ...args] = command;
    clearTimeout(this.#again);
    this.#isWanted = true;
    this.#letGo ??= atExit(() => this.#signal('SIGKILL'));
    this.end = undefined;
    // A group of its own, so that whatever it starts ends with it.
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    this.#child = child;
    child.stdin.on('error', () => undefined).end(input);
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = `${this.#errors}${text}`.slice(-keptOfErrors);
    });
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => {
        this.end = `it cannot be started: ${error.message}`;
        resolve();
      });
      child.once('close', (code, signal) => {
        const isLast = this.#child === child;
        if (isLast && this.#isWanted && this.end === undefined) this.#endedBy(code, signal);
        resolve();
      });
    });
  }

  /** Asks it to end, and ends it with all that it started. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    clearTimeout(this.#again);
    this.#signal('SIGTERM');
    await Promise.race([this.#ended, sleep(endingMs)]);
    this.#signal('SIGKILL');
    await this.#ended;
    this.#letGo?.();
    this.#letGo = undefined;
  }

  #endedBy(code: number | null, signal: NodeJS.Signals | null): void {
    if (code !== 0) {
      this.end = signal === null ? `it ended with status ${code}` : `it was ended by ${signal}`;
      return;
    }
    if (!this.#what.isEndless) {
      this.end = endedWell;
      return;
    }
    const waitMs = this.#what.waitsUntil() - performance.now();
    this.#again = setTimeout(() => this.start(), Math.max(againMs, waitMs));
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child ?? {};
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // It has ended.
    }
  }
}
