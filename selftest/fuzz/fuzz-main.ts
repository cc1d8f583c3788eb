#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { withWorkers } from '../../harness/run/waves.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { mutants } from '../mutants/index.ts';
import type { Mutant } from '../mutants/index.ts';
import { packageFile } from '../../spec/index.ts';
import { keepResult, resultsIn } from '../run/result-log.ts';
import { openWorkerPool } from '../run/worker-pool.ts';
import type { FuzzedMutant, SoundRun } from '../servers/campaigns.ts';
import { figuresOf, fuzzPageOf, leftOutPageOf } from './fuzz-report.ts';
import type { FuzzReport } from './fuzz-report.ts';
import { mayBeFound, reasonAgainst } from './stateless.ts';

interface Flags {
  readonly only: string;
  readonly cases: string;
  readonly seed: string;
  readonly threads: string;
  readonly log?: string;
  readonly every: string;
  readonly sound?: string;
  readonly leftOut?: boolean;
}

const flags = new Command('fuzz-selftest')
  .description('Says how many cases a campaign needs to find each mutant that single requests can show.')
  .option('--only <pattern>', 'mutants whose clause and id match a regular expression', '')
  .option('--cases <count>', 'cases tried at most', '20000')
  .option('--seed <number>', 'of the campaigns', '1')
  .option('--threads <count>', 'campaigns at one time', '2')
  .option('--every <n>', 'every n-th mutant only', '1')
  .option(
    '--sound <count>',
    'instead: so many seeds at the clean reference, and so many combinations of variants',
  )
  .option(
    '--left-out',
    'instead: the mutants that single requests need not show; finding one that none can show is red',
  )
  .option(
    '--log <file>',
    'a line of JSON for each mutant as soon as it is done; those in it are not run again',
  )
  .parse()
  .opts<Flags>();

const isWhole = flags.only === '' && flags.every === '1' && flags.leftOut !== true;

const [threads, maxCases] = [Number(flags.threads), Number(flags.cases)];
const pool = openWorkerPool(threads);
try {
  if (flags.sound === undefined) await findMutants();
  else await seeNoAlarms(Number(flags.sound));
} finally {
  await pool.close();
}

async function seeNoAlarms(count: number): Promise<void> {
  const first = Number(flags.seed);
  const campaigns = Array.from({ length: count }, (_, index) => first + index).flatMap((seed) =>
    (['fuzzClean', 'fuzzCombination'] as const).map((job) => ({ job, seed })),
  );
  let alarms = 0;
  await withWorkers(campaigns, threads, async ({ job, seed }) => {
    const run = await pool.ask(job, { seed, maxCases });
    alarms += run.alarms.length;
    process.stdout.write(`${linesOf(run)}\n`);
  });
  process.stdout.write(`${alarms} alarms in ${campaigns.length} campaigns\n`);
  process.exitCode = alarms === 0 ? exitCodes.conforms : exitCodes.broken;
}

function linesOf({ name, judged, leftOut, alarms }: SoundRun): string {
  return [
    `${alarms.length === 0 ? 'quiet' : 'ALARM'} ${judged} judged, ${name}`,
    ...alarms.map(
      ({ failure, label, repeats }) =>
        `  ${failure.clause} ${failure.part} by ${label} ${repeats.times}/${repeats.of}: ${failure.actual}`,
    ),
    ...Object.entries(leftOut).map(([family, why]) => `  without ${family}: ${why}`),
  ].join('\n');
}

async function findMutants(): Promise<void> {
  const pattern = new RegExp(flags.only);
  const chosen = mutants
    .filter((mutant) => (reasonAgainst(mutant) !== undefined) === (flags.leftOut === true))
    .filter(({ id, clause }) => pattern.test(`${clause} ${id}`))
    .filter((_, index) => index % Number(flags.every) === 0);
  const options = { maxCases, seed: Number(flags.seed) };
  const known = new Map(resultsIn<FuzzedMutant>(flags.log).map((each) => [each.id, each]));
  const left = chosen.filter(({ id }) => !known.has(id));
  await withWorkers(left, threads, async ({ id }) => {
    const fuzzed = await pool.ask('fuzzMutant', id, options).catch((cause: unknown) => {
      throw new Error(`${id}: ${String(cause)}`, { cause });
    });
    known.set(id, fuzzed);
    keepResult(flags.log, fuzzed);
    if ((fuzzed.casesToFind === undefined) !== (flags.leftOut === true)) tell(fuzzed);
  });
  report({ ...options, results: chosen.flatMap((mutant) => resultOf(mutant, known)) });
}

function resultOf(mutant: Mutant, known: ReadonlyMap<string, FuzzedMutant>): FuzzReport['results'] {
  const fuzzed = known.get(mutant.id);
  return fuzzed === undefined ? [] : [{ mutant, fuzzed }];
}

/** What has to be looked at: one that was missed, or one that was left out and is found. */
function tell({ id, casesToFind, cases, alsoNamed, end }: FuzzedMutant): void {
  const what =
    casesToFind === undefined ? `not found in ${cases} cases (${end})` : `found after ${casesToFind} cases`;
  const others = alsoNamed.length === 0 ? '' : `; named: ${alsoNamed.join(', ')}`;
  process.stdout.write(`${id}: ${what}${others}\n`);
}

function report(measured: FuzzReport): void {
  const { found, of, median, perTenThousand, isEnough } = figuresOf(measured);
  process.stdout.write(
    `${found} of ${of} mutants found; median ${median} cases; ${perTenThousand.toFixed(1)} mutants per 10,000 cases\n`,
  );
  if (flags.leftOut === true) {
    const isWrong = measured.results.some(({ mutant, fuzzed }) => {
      const reason = reasonAgainst(mutant);
      return fuzzed.casesToFind !== undefined && reason !== undefined && !mayBeFound.has(reason);
    });
    process.exitCode = isWrong ? exitCodes.broken : exitCodes.conforms;
  } else process.exitCode = isEnough ? exitCodes.conforms : exitCodes.broken;
  if (!isWhole) return;
  const leftOut = mutants.filter((mutant) => reasonAgainst(mutant) !== undefined);
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(packageFile('docs/fuzz-mutants.md'), fuzzPageOf(measured, leftOut, day));
  mkdirSync(packageFile('.conform'), { recursive: true });
  writeFileSync(packageFile('.conform/fuzz-mutants.md'), leftOutPageOf(leftOut));
  process.stdout.write('its figures: docs/fuzz-mutants.md; the mutants left out: .conform/fuzz-mutants.md\n');
}
