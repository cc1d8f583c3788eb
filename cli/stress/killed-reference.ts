import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { atExit } from '../../harness/at-exit.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { packageFile } from '../../spec/index.ts';

/** A reference in a process of its own, whose restarts are deaths. */
interface KilledReference {
  /** Path of its target file; it is removed on close. */
  readonly targetFile: string;
  /** Kills the process at once and starts another with the same data at the same address. */
  readonly killAndStart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Starts a reference that keeps its data in a file.
 * @throws InvalidTarget when it does not start
 */
export async function openKilledReference(dataFile: string): Promise<KilledReference> {
  const data = resolve(dataFile);
  const folder = temporaryFolder('conform-stress-');
  let { child, printed } = await startReference(data, 0, folder.path).catch((error: unknown) => {
    folder.remove();
    throw new InvalidTarget(error instanceof Error ? error.message : String(error));
  });
  const targetFile = join(folder.path, 'conform.yaml');
  // Its hooks are of the first process, and die with it.
  writeFileSync(targetFile, printed.slice(0, printed.indexOf('\nhooks:') + 1), { mode: 0o600 });
  const port = Number(/^base_url:.*:([0-9]+)/m.exec(printed)?.[1]);
  let isClosed = false;
  return {
    targetFile,
    killAndStart: async () => {
      await killed(child);
      if (isClosed) return;
      const started = await startReference(data, port, folder.path).catch((error: unknown) =>
        unmet(error instanceof Error ? error.message : String(error)),
      );
      child = started.child;
      if (isClosed) await killed(child);
    },
    close: async () => {
      isClosed = true;
      await killed(child);
      folder.remove();
    },
  };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function startReference(
  data: string,
  port: number,
  folder: string,
): Promise<{ readonly child: ChildProcess; readonly printed: string }> {
  const main = packageFile('dist/cli/main.js');
  const child = spawn(process.execPath, [main, 'reference', '--data', data, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // What a kill keeps it from tidying up goes with the folder.
    env: { ...process.env, TMPDIR: folder },
  });
  child.once(
    'exit',
    atExit(() => child.kill('SIGKILL')),
  );
  let [printed, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await new Promise<void>((listening, failed) => {
    // It says that it listens once its target file is out.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('listens at')) listening();
    });
    child.once('error', failed);
    child.once('exit', () => failed(new Error(`the reference did not start: ${said.trim()}`)));
  });
  return { child, printed };
}
