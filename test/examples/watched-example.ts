import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { packageFile } from '../../spec/package-file.ts';
import { conform } from '../cli/conform.ts';
import { leftOver } from './example.ts';

/** An example server that somebody mends while the suite watches. */
export interface WatchedExample {
  /** Gets the copy ready to be started; says what this machine lacks. */
  readonly prepare: (folder: string) => string | undefined;
  /** The source that is edited: what is replaced in it, and by what it then breaks `send.conflict-is-refused`. */
  readonly edited: { readonly file: string; readonly right: string; readonly wrong: string };
  /** What builds the server, where something does. */
  readonly build?: readonly string[];
  /** What starts it at a port. */
  readonly start: (port: number) => readonly string[];
}

const rounds = 20;
/** The clause that the edited source breaks. */
const clause = 'send.conflict-is-refused';
/** Longest until a verdict, in ms: a build, a start and a whole run on a busy machine. */
const verdictMs = 600_000;
/** How long nothing may happen after a verdict, in ms: longer than a restart takes. */
const calmMs = 3_000;
/** Breaks, saves, mends and saves a source as often as asked, in a loop that starts the server again at each save. */
export function describeWatched(name: string, example: WatchedExample): void {
  const folder = mkdtempSync(join(tmpdir(), `watched-${name}-`));
  let lacks: string | undefined;

  beforeAll(() => {
    cpSync(packageFile(`examples/${name}`), folder, {
      recursive: true,
      filter: (path) => !leftOver.test(basename(path)),
    });
    lacks = example.prepare(folder);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 180_000);

  it.concurrent(
    `${rounds} rounds of break, save, mend, save of the example in ${name} have the right verdict each, and the suite starts none itself`,
    { timeout: (2 * rounds + 1) * (verdictMs + calmMs) },
    async ({ skip, expect }) => {
      if (lacks !== undefined) skip(lacks);
      const loop = new DevLoop(folder, example, await freePort());
      const watch = new Watch();
      const source = join(folder, example.edited.file);
      const { right, wrong } = example.edited;
      const mended = readFileSync(source, 'utf8');
      expect(mended).toContain(right);
      while (!existsSync(join(folder, 'conform.yaml'))) await wait(50);
      // All of the folder: what the server keeps there, and what is built, is written while the run goes on.
      const ended = conform(['--watch', '.'], {
        cwd: folder,
        onStart: (child) => watch.follow(child),
      });
      try {
        await watch.verdict(1).then((text) => expect(text).toMatch(/^conforms/m));
        for (let round = 1; round <= rounds; round += 1) {
          writeFileSync(source, mended.replace(right, wrong));
          const broken = await watch.verdict(2 * round);
          expect(broken, `round ${round}, broken`).toMatch(/^does not conform/m);
          expect(broken).toContain(clause);
          writeFileSync(source, mended);
          const fixed = await watch.verdict(2 * round + 1);
          expect(fixed, `round ${round}, mended`).toMatch(/^conforms/m);
          expect(fixed).toContain(`since the run before: fixed`);
        }
        // The loop alone has restarted the server: once for each save.
        expect(loop.starts).toBe(2 * rounds + 1);
        expect(watch.text.match(/^the server went away$/gm)?.length ?? 0).toBeLessThanOrEqual(2 * rounds);
      } finally {
        watch.end();
        await ended;
        await loop.end();
      }
    },
  );
}

/** What a watched run prints. */
class Watch {
  text = '';
  #child: ChildProcessWithoutNullStreams | undefined;
  #read = 0;

  follow(child: ChildProcessWithoutNullStreams): void {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.text += text));
  }

  /** What was printed since the verdict before, once there is one for which nothing more happens. */
  async verdict(number: number): Promise<string> {
    const untilMs = performance.now() + verdictMs;
    for (;;) {
      if (performance.now() > untilMs) throw new Error(`no verdict ${number} in: ${this.text}`);
      const before = this.text.length;
      const isIdle = this.text.slice(this.#read).trimEnd().endsWith('watching; Ctrl-C ends');
      await wait(isIdle ? calmMs : 50);
      if (!isIdle || this.text.length !== before) continue;
      const fresh = this.text.slice(this.#read);
      this.#read = before;
      return fresh.slice(fresh.lastIndexOf(': testing http'));
    }
  }

  end(): void {
    this.#child?.kill('SIGINT');
  }
}

/** Starts a server, and starts it again whenever its source is saved. */
class DevLoop {
  starts = 0;
  readonly #folder: string;
  readonly #example: WatchedExample;
  readonly #port: number;
  readonly #source: string;
  readonly #looking: Promise<void>;
  #child: ChildProcess | undefined;
  #isOver = false;

  constructor(folder: string, example: WatchedExample, port: number) {
    this.#folder = folder;
    this.#example = example;
    this.#port = port;
    this.#source = join(folder, example.edited.file);
    this.#looking = this.#look();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#looking;
    await this.#stop();
  }

  async #look(): Promise<void> {
    let seen: number | undefined;
    while (!this.#isOver) {
      const saved = statSync(this.#source).mtimeMs;
      if (saved !== seen) await this.#restart();
      seen = saved;
      await wait(50);
    }
  }

  async #restart(): Promise<void> {
    await this.#stop();
    const { build, start } = this.#example;
    if (build !== undefined) await once(this.#spawn(build), 'exit');
    this.starts += 1;
    this.#child = this.#spawn(start(this.#port));
  }

  #spawn([program = '', ...args]: readonly string[]): ChildProcess {
    return spawn(program, args, { cwd: this.#folder, stdio: 'ignore' });
  }

  async #stop(): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await gone;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
