#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import { withWorkers } from '../../harness/run/waves.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { type Mutant, mutants } from '../mutants/index.ts';
import { packageFile } from '../../spec/index.ts';
import { chosenOf, print, proofCommand, type ProofFlags, proveEach, today } from '../run/proof.ts';
import { openWorkerPool } from '../run/worker-pool.ts';
import type { FuzzedMutant, SoundRun } from '../servers/campaigns.ts';
import { figuresOf, type FuzzReport, fuzzPageOf, leftOutPageOf } from './fuzz-report.ts';
import { mayBeFound, reasonAgainst } from './stateless.ts';

interface Flags extends ProofFlags {
  readonly cases: string;
  readonly sound?: string;
  readonly leftOut?: boolean;
}

const command = proofCommand(
  'fuzz-selftest',
  'Says how many cases a campaign needs to find each mutant that single requests can show.',
)
  .option('--cases <count>', 'cases tried at most', '20000')
  .option(
    '--sound <count>',
    'instead: so many seeds at the clean reference, and so many combinations of variants',
  )
  .option(
    '--left-out',
    'instead: the mutants that single requests need not show; finding one that none can show is red',
  )
  .parse();
const flags = command.opts<Flags>();
const isLeftOut = flags.leftOut === true;
const isWhole = flags.only === undefined && flags.sample === undefined && !isLeftOut;

const options = { maxCases: Number(flags.cases), seed: Number(flags.seed) };
const pool = openWorkerPool(Number(flags.threads));
try {
  if (flags.sound === undefined) await findMutants();
  else await seeNoAlarms(Number(flags.sound));
} finally {
  await pool.close();
}

async function seeNoAlarms(count: number): Promise<void> {
  const campaigns = Array.from({ length: count }, (_, index) => options.seed + index).flatMap((seed) =>
    (['fuzzClean', 'fuzzCombination'] as const).map((job) => ({ job, seed })),
  );
  let alarms = 0;
  await withWorkers(campaigns, Number(flags.threads), async ({ job, seed }) => {
    const run = await pool.ask(job, { ...options, seed });
    alarms += run.alarms.length;
    print(linesOf(run));
  });
  print(`${alarms} alarms in ${campaigns.length} campaigns`);
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
  const chosen = chosenOf(
    command,
    mutants.filter((mutant) => (reasonAgainst(mutant) !== undefined) === isLeftOut),
  );
  const results = await proveEach(chosen, flags, async ({ id }) => {
    const fuzzed = await pool.ask('fuzzMutant', id, options);
    if ((fuzzed.casesToFind === undefined) !== isLeftOut) tell(fuzzed);
    return fuzzed;
  });
  const byId = new Map(chosen.map((mutant) => [mutant.id, mutant]));
  const withMutant = (fuzzed: FuzzedMutant) => ({ mutant: byId.get(fuzzed.id) as Mutant, fuzzed });
  report({ ...options, results: results.map(withMutant) });
}

/** What has to be looked at: one that was missed, or one that was left out and is found. */
function tell({ id, casesToFind, cases, alsoNamed, end }: FuzzedMutant): void {
  const what =
    casesToFind === undefined ? `not found in ${cases} cases (${end})` : `found after ${casesToFind} cases`;
  print(`${id}: ${what}${alsoNamed.length === 0 ? '' : `; named: ${alsoNamed.join(', ')}`}`);
}

function report(measured: FuzzReport): void {
  const { found, of, median, perTenThousand, isEnough } = figuresOf(measured);
  print(
    `${found} of ${of} mutants found; median ${median} cases; ${perTenThousand.toFixed(1)} mutants per 10,000 cases`,
  );
  const isWrong = measured.results.some(({ mutant, fuzzed }) => {
    const reason = reasonAgainst(mutant);
    return fuzzed.casesToFind !== undefined && reason !== undefined && !mayBeFound.has(reason);
  });
  process.exitCode = (isLeftOut ? !isWrong : isEnough) ? exitCodes.conforms : exitCodes.broken;
  if (!isWhole) return;
  const leftOut = mutants.filter((mutant) => reasonAgainst(mutant) !== undefined);
  writeFileSync(packageFile('docs/fuzz-mutants.md'), fuzzPageOf(measured, leftOut, today()));
  mkdirSync(packageFile('.conform'), { recursive: true });
  writeFileSync(packageFile('.conform/fuzz-mutants.md'), leftOutPageOf(leftOut));
  print('its figures: docs/fuzz-mutants.md; the mutants left out: .conform/fuzz-mutants.md');
}
