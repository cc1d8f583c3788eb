import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../../spec/index.ts';
import { type Command, runHosted } from '../../cli/command-hosts.ts';
import { cleanEnv } from '../../cli/conform.ts';
import type { OpenedServer } from '../../fixtures/front.ts';
import type { Row } from './row.ts';

/** How the command of a row ended. */
export interface RowEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From its first request, or from its start where it sends none; or from the signal that it was sent. */
  readonly durationMs: number;
  /** `undefined` where it was killed. */
  readonly peakMb: number | undefined;
  /** Files in its folder for temporary ones. */
  readonly temporary: readonly string[];
  /** Processes that it started and that still run. */
  readonly children: number;
}

const cli = packageFile('dist/cli/main.js');
const notePeak = packageFile('test/cli/note-peak-memory.js');

interface RunParts {
  readonly folder: string;
  readonly server: Pick<OpenedServer, 'asked'>;
  readonly killMs: number;
  /** The program, in place of ours. */
  readonly main?: string;
}

/** What of a process is shared with no other is found by its environment, where the system shows that. */
const showsEnvironments = existsSync('/proc/self/environ');

/** True where the system does something to the process of a row, or what others left in its memory would count. */
function isAlone({ isAlone: isWished = false, stdout, diskKb, interrupt }: Row): boolean {
  return isWished || !showsEnvironments || [stdout, diskKb, interrupt].some((each) => each !== undefined);
}

/** Runs a command in a folder until it ends, or `killMs` is over. */
export async function runRow(
  row: Row,
  args: readonly string[],
  { folder, server, killMs, main = cli }: RunParts,
): Promise<RowEnd> {
  const own = mkdtempSync(join(tmpdir(), 'hostile-'));
  const [temporary, peakFile, id] = [join(own, 'tmp'), join(own, 'peak'), randomUUID()];

  mkdirSync(temporary);
  const env = { ...cleanEnv, ...row.env, TMPDIR: temporary, HOSTILE_PEAK: peakFile, HOSTILE_ROW: id };
  const command = { main, args, cwd: folder, env };
  try {
    let startedMs = performance.now();
    const { child, exited, output } = isAlone(row) ? startedAlone(row, command) : startedInHost(command);
    const timer = setTimeout(() => kill(child), killMs);
    void server.asked.then(() => {
      startedMs = performance.now();
      if (row.interrupt === undefined) return;
      const { signal, afterMs } = row.interrupt;
      setTimeout(() => {
        startedMs = performance.now();
        child.kill(signal);
      }, afterMs).unref();
    });
    const { code, signal } = await exited;
    const durationMs = performance.now() - startedMs;
    clearTimeout(timer);
    const children = await childrenOf(child, id);
    if (isAlone(row)) kill(child);
    const said = await output();
    return {
      code,
      signal,
      stdout: said.stdout,
      stderr: said.stderr,
      durationMs,
      peakMb: existsSync(peakFile) ? Number(readFileSync(peakFile, 'utf8')) / 1024 : undefined,
      temporary: readdirSync(temporary, { recursive: true, encoding: 'utf8' }),
      children,
    };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<Pick<RowEnd, 'code' | 'signal'>>;
  readonly output: () => Promise<Pick<RowEnd, 'stdout' | 'stderr'>>;
}

function startedInHost(command: Command): Started {
  const { child, ended } = runHosted(command);
  return { child, exited: ended, output: () => ended };
}

/** In a group of its own, so that what it starts can be found. */
function startedAlone({ diskKb, stdout = 'read' }: Row, { main, args: given, cwd, env }: Command): Started {
  const command = onDisk([process.execPath, '--import', notePeak, main, ...given], diskKb);
  const [program = '', ...args] = typeof stdout === 'object' ? inTerminal(command, stdout.columns) : command;
  const file = stdout === 'full' ? openSync('/dev/full', 'w') : undefined;
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', file ?? (stdout === 'closed' ? 'ignore' : 'pipe'), 'pipe'],
  });
  if (file !== undefined) closeSync(file);
  const said = { stdout: '', stderr: '' };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  if (stdout === 'unread') child.stdout?.pause();
  else {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text;
      if (stdout === 'first-line' && said.stdout.includes('\n')) child.stdout?.destroy();
    });
  }
  const closed = once(child, 'close');
  return {
    child,
    exited: once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Awaited<Started['exited']>),
    output: async () => {
      child.stdout?.resume();
      // What a child left behind could hold them open.
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 1_000))]);
      return said;
    },
  };
}

/** The command where no file may grow beyond a size; POSIX counts in blocks of 512 bytes. */
function onDisk(command: readonly string[], diskKb: number | undefined): readonly string[] {
  return diskKb === undefined
    ? command
    : ['sh', '-c', `ulimit -f ${2 * diskKb}; exec "$@"`, 'sh', ...command];
}

/** The command in a terminal of its own. */
function inTerminal(command: readonly string[], columns: number): readonly string[] {
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  return ['script', '-qec', `stty cols ${columns} rows 24; exec ${quoted}`, '/dev/null'];
}

function kill(child: ChildProcess): void {
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

/** How many processes of a row are left, which end here; by their environment, where the system shows it. */
async function childrenOf(child: ChildProcess, id: string): Promise<number> {
  // What was killed takes a moment to be gone.
  for (let look = 0; look < 20 && processesWith(id, child).length > 0; look += 1)
    await new Promise((resolve) => setTimeout(resolve, 25));
  const left = processesWith(id, child);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  return left.length;
}

function processesWith(id: string, child: ChildProcess): readonly number[] {
  if (!showsEnvironments) return groupLives(child) ? [-(child.pid ?? 0)] : [];
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name) && environmentOf(name).includes(id))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // It has ended, or is somebody else's.
    return '';
  }
}

function groupLives(child: ChildProcess): boolean {
  try {
    return process.kill(-(child.pid ?? 0), 0);
  } catch {
    return false;
  }
}
