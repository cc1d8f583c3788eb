// `npm run bench:verdicts -- [--runs 50] [--busy 4] [--stalls] [TARGET.yaml…]`: run after run beside busy processes against the reference and
// the servers of target files, such as those that the examples write. Red if a clause of a check ever gets another verdict.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageFile } from '../spec/package-file.ts';
import { verdictsIn } from '../test/cli/verdicts-in.ts';

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
  if (values.reference || targets.length === 0) targets.push(await referenceTarget());
  for (let count = 0; count < Number(values.busy); count += 1)
    started.push(spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }));
  for (const target of targets) if (!(await isSteady(target))) process.exitCode = 1;
} finally {
  for (const child of started) child.kill();
  rmSync(verdictsFolder, { recursive: true, force: true });
}

/** Starts a reference of its own, and gives its target file. */
async function referenceTarget(): Promise<string> {
  const child = spawn(process.execPath, [main, 'reference'], { cwd: verdictsFolder });
  started.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  // The line that says where it listens comes once the target file is out.
  await once(child.stderr, 'data');
  const file = join(verdictsFolder, 'reference.yaml');
  writeFileSync(file, printed);
  return file;
}

/** Runs again and again; says of each clause of a check whose verdict changes how often it was which. */
async function isSteady(target: string): Promise<boolean> {
  const name = `${basename(dirname(target))}/${basename(target)}`;
  const counts = new Map<string, Map<string, number>>();
  for (let run = 1; run <= runs; run += 1) {
    const out = join(verdictsFolder, `run-${run}.ndjson`);
    const code = await conform(['--target', target, '--out', out]);
    for (const line of verdictsIn(out)) {
      const place = line.lastIndexOf(' ');
      const [clause, verdict] = [line.slice(0, place), line.slice(place + 1)];
      const verdicts = counts.get(clause) ?? new Map<string, number>();
      counts.set(clause, verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1));
    }
    rmSync(out);
    const load = loadavg()[0]?.toFixed(1);
    process.stderr.write(`${name}: run ${run} of ${runs}, exit ${code}, load ${load}\n`);
  }
  const changing = [...counts].filter(([, verdicts]) => verdicts.size > 1 || total(verdicts) < runs);
  process.stdout.write(
    `${name}: ${runs} runs, ${counts.size} verdicts each, ${changing.length} of them changing\n`,
  );
  for (const [clause, verdicts] of changing) {
    const words = [...verdicts].map(([verdict, count]) => `${count} ${verdict}`);
    process.stdout.write(`  ${clause}: ${words.join(', ')}\n`);
  }
  return changing.length === 0;
}

function total(verdicts: ReadonlyMap<string, number>): number {
  return [...verdicts.values()].reduce((sum, count) => sum + count, 0);
}

async function conform(args: readonly string[]): Promise<number | null> {
  const stalls = values.stalls ? ['--import', new URL('stalls.js', import.meta.url).href] : [];
  const child = spawn(process.execPath, [...stalls, main, ...args], { stdio: 'ignore', cwd: verdictsFolder });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}
