// `npm run bench:verdicts -- [--runs 50] [--busy 4] [--stalls] [TARGET.yaml…]`: run after run beside busy processes against the reference and
// the servers of target files, such as those that the examples write. Red if a clause of a check ever gets another verdict.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageFile } from '../../spec/package-file.ts';
import { separateReference } from '../cli/conform.ts';
import { checksIn } from '../cli/verdicts-in.ts';
import { push } from '../../spec/groups.ts';

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    busy: { type: 'string', default: '4' },
    stalls: { type: 'boolean', default: false },
    reference: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const runs = Number(values.runs);
const main = packageFile('dist/cli/main.js');
const verdictsFolder = mkdtempSync(join(tmpdir(), 'conform-'));
const started: ChildProcess[] = [];

try {
  const targets = [...positionals];
  await using reference = values.reference || targets.length === 0 ? await separateReference() : undefined;
  if (reference !== undefined) {
    targets.push(join(verdictsFolder, 'reference.yaml'));
    writeFileSync(join(verdictsFolder, 'reference.yaml'), reference.targetFile);
  }
  for (let count = 0; count < Number(values.busy); count += 1)
    started.push(spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }));
  for (const target of targets) if (!(await isSteady(target))) process.exitCode = 1;
} finally {
  for (const child of started) child.kill();
  rmSync(verdictsFolder, { recursive: true, force: true });
}

/** Runs again and again; says of each clause of a check whose verdict changes which it was when, and why. */
async function isSteady(target: string): Promise<boolean> {
  const name = `${basename(dirname(target))}/${basename(target)}`;
  /** By check and clause, the runs that came to each verdict, with its reason. */
  const known = new Map<string, Map<string, number[]>>();
  for (let run = 1; run <= runs; run += 1) {
    const out = join(verdictsFolder, `run-${run}.ndjson`);
    const code = await conform(['--target', target, '--out', out]);
    for (const { check, clauses } of checksIn(out))
      for (const { clause, verdict, reason } of clauses) {
        const verdicts = known.get(`${check} ${clause}`) ?? new Map<string, number[]>();
        const words = reason === undefined ? verdict : `${verdict}, ${reason}`;
        push(verdicts, words, run);
        known.set(`${check} ${clause}`, verdicts);
      }
    rmSync(out);
    const load = loadavg()[0]?.toFixed(1);
    process.stderr.write(`${name}: run ${run} of ${runs}, exit ${code}, load ${load}\n`);
  }
  const changing = [...known].filter(([, verdicts]) => !isSame(verdicts));
  process.stdout.write(
    `${name}: ${runs} runs, ${known.size} verdicts each, ${changing.length} of them changing\n`,
  );
  for (const [clause, verdicts] of changing) {
    process.stdout.write(`  ${clause}\n`);
    for (const [words, which] of verdicts)
      process.stdout.write(
        `    ${which.length} times ${words}${which.length > 8 ? '' : `: run ${which.join(', ')}`}\n`,
      );
  }
  return changing.length === 0;
}

/** Whether every run came to one verdict, for whatever reason. */
function isSame(verdicts: ReadonlyMap<string, readonly number[]>): boolean {
  const all = [...verdicts.values()].reduce((sum, { length }) => sum + length, 0);
  return all === runs && new Set([...verdicts.keys()].map((words) => words.split(', ')[0])).size === 1;
}

async function conform(args: readonly string[]): Promise<number | null> {
  const stalls = values.stalls ? ['--import', new URL('stalls.js', import.meta.url).href] : [];
  const child = spawn(process.execPath, [...stalls, main, ...args], { stdio: 'ignore', cwd: verdictsFolder });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}
