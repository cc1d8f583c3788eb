import { type ChildProcess, spawn } from 'node:child_process';
import { packageFile } from '../../spec/package-file.ts';

/** A command of the built command line, or of another program. */
export interface Command {
  readonly main: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What a command has written so far. */
interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command ended. */
interface CommandEnd extends Said {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What a host says when a command has come to its end. */
interface Ended {
  readonly code: number;
  /** What is still in memory, in KB. */
  readonly keptKb: number;
}

const hostFile = packageFile('test/cli/command-host.js');
/** Stands after all that a command says. */
const endLine = '\n--- the command is over ---\n';
/** A host that keeps more runs no other command: its memory would count for that one too. */
const mostKeptKb = 250_000;

/** Those of this worker that run nothing at the moment; they end with it. */
let idle: readonly Host[] = [];

/** A command that runs, and the process that runs it. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandEnd>;
}

/**
 * Runs a command to its end in a process that runs others before and after: it takes no start of a process. What the system does
 * to a process (signals, terminals, full disks) needs one of its own. `hear` is called whenever the command has written.
 */
export function runHosted(command: Command, hear: (said: Said) => void = () => {}): Running {
  const [host = new Host(), ...others] = idle;
  idle = others;
  const ended = host.run(command, hear).then(({ keptKb, ...end }) => {
    if (keptKb < mostKeptKb) idle = [host, ...idle];
    else host.child.kill('SIGKILL');
    return end;
  });
  return { child: host.child, ended };
}

class Host {
  readonly child = spawn(process.execPath, ['--expose-gc', hostFile], {
    // In a group of its own, so that what it starts can be ended with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  readonly #said = { stdout: '', stderr: '' };
  #noteSaid = (): void => {};

  constructor() {
    for (const name of ['stdout', 'stderr'] as const)
      this.child[name]?.setEncoding('utf8').on('data', (text: string) => {
        this.#said[name] += text;
        this.#noteSaid();
      });
    // A host that has nothing to run keeps nobody, and may go.
    this.child.once('exit', () => (idle = idle.filter((host) => host !== this))).unref();
    this.child.channel?.unref();
  }

  /** One command at once. A process that has gone keeps infinitely much: it runs nothing again. */
  run(command: Command, hear: (said: Said) => void): Promise<CommandEnd & Pick<Ended, 'keptKb'>> {
    Object.assign(this.#said, { stdout: '', stderr: '' });
    return new Promise((resolve) => {
      let ended: Ended | undefined;
      const gone = (code: number | null, signal: NodeJS.Signals | null): void =>
        resolve({ code, signal, ...this.#said, keptKb: Number.POSITIVE_INFINITY });
      this.#noteSaid = () => {
        hear(this.#said);
        const { stdout, stderr } = this.#said;
        if (ended === undefined || !stdout.endsWith(endLine) || !stderr.endsWith(endLine)) return;
        this.child.off('close', gone);
        this.#noteSaid = () => {};
        const own = { stdout: stdout.slice(0, -endLine.length), stderr: stderr.slice(0, -endLine.length) };
        resolve({ ...ended, signal: null, ...own });
      };
      this.child.once('close', gone).once('message', (end) => {
        ended = end as Ended;
        this.#noteSaid();
      });
      this.child.send({ ...command, endLine });
    });
  }
}
