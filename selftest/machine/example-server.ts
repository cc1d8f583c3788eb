import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atExit } from '../../harness/at-exit.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { readTarget } from '../../harness/config/reading/read-target.ts';
import type { Target } from '../../harness/config/target.ts';
import { packageFile } from '../../spec/index.ts';
import type { MachineMutant } from './build.ts';
import { mutated, type SourceLanguage } from './operators.ts';

/** An example server whose sources are changed. */
interface Example {
  /** The sources of the service, from the folder of the example; what starts it for the suite is left as it is. */
  readonly sources: RegExp;
  /** Says of a changed file, or of all, that it is no program. */
  readonly build: (file: string) => readonly string[];
  readonly start: readonly string[];
}

/** Where packages for Python are installed once. */
export const pythonFolder = packageFile('.conform/machine/python');
export const python = join(pythonFolder, 'bin/python');

const examples: Readonly<Record<SourceLanguage, Example>> = {
  go: {
    sources: /^messaging\/\w+\.go$/,
    build: () => ['go', 'build', '-trimpath', '-o', 'server', './undertest'],
    start: ['./server'],
  },
  python: {
    sources: /^\w+\.py$/,
    build: (file) => [python, '-m', 'py_compile', file],
    start: [python, '-m', 'under_test'],
  },
};

/** The sources of an example that are changed, from its folder. */
export function isServiceSource(name: SourceLanguage, file: string): boolean {
  return examples[name].sources.test(file);
}

/** What a user leaves in the folder. */
const leftOver = new Set(['.venv', '__pycache__', 'conform.yaml', 'server']);
/** A server that is not there by then does not start, in ms. */
const startMs = 20_000;

/** A change that the compiler refuses makes no server. */
export class NoProgram extends Error {}

/** How an example is started. */
interface ExampleStart {
  readonly mutant?: MachineMutant;
  /** In place of what builds and starts it otherwise. */
  readonly build?: readonly string[];
  readonly start?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** An example in a folder of its own. `stop` lets it end by itself, and keeps the folder; `close` leaves nothing. */
export interface ExampleServer {
  readonly folder: string;
  readonly target: Target;
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Starts an example, with one of its mutants where one is given.
 * @throws NoProgram when it does not compile
 * @throws Error when it does not start
 */
export async function startExample(
  name: SourceLanguage,
  { mutant, env = {}, ...given }: ExampleStart,
): Promise<ExampleServer> {
  const { path: folder, remove } = temporaryFolder(`machine-${name}-`);
  try {
    cpSync(packageFile(`examples/${name}`), folder, {
      recursive: true,
      filter: (path) => !leftOver.has(basename(path)),
    });
    const { build, start } = examples[name];
    if (mutant !== undefined) changeSource(folder, name, mutant);
    const file = mutant === undefined ? 'server.py' : fileIn(name, mutant);
    tool(given.build ?? build(file), folder);
    const server = await serve(given.start ?? start, folder, env);
    return { folder, ...server, close: async () => (await server.close(), remove()) };
  } catch (error) {
    remove();
    throw error;
  }
}

function fileIn(name: SourceLanguage, { file }: MachineMutant): string {
  return file.slice(`examples/${name}/`.length);
}

function changeSource(folder: string, name: SourceLanguage, mutant: MachineMutant): void {
  const path = join(folder, fileIn(name, mutant));
  writeFileSync(path, mutated(readFileSync(path, 'utf8'), mutant));
}

/**
 * Runs a tool to its end.
 * @throws NoProgram with what it says when it fails
 */
export function tool([program = '', ...args]: readonly string[], cwd: string): string {
  const env = { ...process.env, GOTOOLCHAIN: 'local' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0)
    throw new NoProgram(error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(0, 3).join('; '));
  return stdout;
}

async function serve(
  [program = '', ...args]: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Pick<ExampleServer, 'target' | 'stop' | 'close'>> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (isOver()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  // Whoever judges it may end at once.
  const letGo = atExit(() => child.kill('SIGKILL'));
  const close = async (): Promise<void> => {
    letGo();
    await end('SIGKILL');
  };
  const file = join(folder, 'conform.yaml');
  const deadline = performance.now() + startMs;
  while (!existsSync(file)) {
    if (isOver() || performance.now() > deadline) {
      await close();
      throw new Error(said.trim().split('\n').at(-1) ?? 'it says nothing');
    }
    await wait(20);
  }
  const { target } = readTarget({ file, flags: {}, env: {}, cwd: folder });
  return { target, stop: () => end('SIGINT'), close };
}
