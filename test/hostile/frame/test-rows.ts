import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startReference, targetFileOf } from '../../../reference/index.ts';
import { conform } from '../../cli/conform.ts';
import { itself } from '../../fixtures/front.ts';
import { budgetMs, faultsOf, filesIn } from './faults-of-row.ts';
import { oneCheck, type Room, type Row, type TargetFields } from './row.ts';
import { runRow } from './run-row.ts';

/** A command that is not done so long after its time ends here, in ms. */
const overtimeMs = 20_000;
/** Rows of one file that run at once: most wait a good part of their time. */
const atOnce = 3;

/** Makes a test of each row: what it expects, and what holds for all. */
export function testRows(family: string, rows: readonly Row[]): void {
  describe.concurrent(family, { timeout: 120_000 }, () => {
    for (const row of rows) {
      it.skipIf(!canRun(row.onlyWith))(row.name, () =>
        inTurn(async () => expect(await judge(row)).toEqual([])),
      );
    }
  });
}

/** Runs a row; what is wrong with how it ended. */
async function judge(row: Row): Promise<readonly string[]> {
  const startMs = await startingMs();
  await using reference = await startReference();
  const folder = mkdtempSync(join(tmpdir(), 'hostile-room-'));
  await using server = await (row.server ?? itself)(reference);
  try {
    const fields = { ...(parse(targetFileOf(reference)) as TargetFields), base_url: server.baseUrl };
    const target = row.target?.(fields) ?? fields;
    const room = roomAt(folder, { target, baseUrl: server.baseUrl });
    room.write('conform.yaml', stringify(target));
    row.given?.(room);
    const inputs = filesIn(folder);
    const { args: given = oneCheck } = row;
    const args = typeof given === 'function' ? given(room) : given;
    const killMs = (row.interrupt?.afterMs ?? budgetMs(row.expected)) + startMs + overtimeMs;
    const end = await runRow(row, args, { folder, server, killMs });
    const secrets = [...tokensOf(fields), ...(row.secrets ?? [])];
    const faults = faultsOf({ row, end, folder, secrets, inputs, startMs });
    return [...faults, ...(row.expected.leaves?.(room) ?? [])];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function roomAt(folder: string, parts: Pick<Room, 'target' | 'baseUrl'>): Room {
  return {
    ...parts,
    folder,
    write: (name, content) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    },
  };
}

function tokensOf({ roles }: TargetFields): readonly string[] {
  return Object.values(roles as Readonly<Record<string, string>>);
}

let starting: Promise<number> | undefined;

/** What it takes to start a command and to end it where nothing answers, with room for the rows beside it: how busy the machine is. */
function startingMs(): Promise<number> {
  const nowhere = ['--base-url', 'http://127.0.0.1:1', '--author-token', 'env:PATH', '--channel', 'x'];
  starting ??= conform(nowhere).then(({ durationMs }) => Math.max(2_000, 3 * durationMs));
  return starting;
}

let [free, waiting]: [number, (() => void)[]] = [atOnce, []];

async function inTurn(work: () => Promise<void>): Promise<void> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free -= 1;
  try {
    await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}

function canRun(need: Row['onlyWith']): boolean {
  if (need === 'dev-full') return existsSync('/dev/full');
  if (need === 'script')
    return process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
  if (need === 'openssl') return spawnSync('openssl', ['version']).status === 0;
  if (need === 'mkfifo') return spawnSync('mkfifo', ['--version']).status === 0;
  return need !== 'not-root' || process.getuid?.() !== 0;
}
