import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const stopMs = 8_000;

/** What somebody types into a terminal, and everything that it starts: all of it ends together. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  stdout = '';
  stderr = '';

  constructor(script: string, cwd: string, env: NodeJS.ProcessEnv) {
    // A group of its own: a signal reaches what it left in the background too.
    this.#child = spawn('sh', ['-c', script], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.#closed = once(this.#child, 'close');
  }

  /** Whether its last line has ended. */
  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits for its last line, stops what it left in the background, and says the exit code. */
  async ended(): Promise<number | null> {
    if (!this.hasEnded) await once(this.#child, 'exit');
    await this.stop();
    return this.#child.exitCode;
  }

  /** Stops all of it. */
  async stop(): Promise<void> {
    this.#signal('SIGTERM');
    const killer = setTimeout(() => this.#signal('SIGKILL'), stopMs);
    await this.#closed;
    clearTimeout(killer);
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-(this.#child.pid ?? 0), signal);
    } catch {
      // Nothing of it is left.
    }
  }
}
