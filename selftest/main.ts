#!/usr/bin/env node
import { appendFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { exitCodes } from '../harness/engine/exit-code.ts';
import { mutants, writtenMutants } from '../reference/mutants/index.ts';
import { packageFile } from '../spec/index.ts';
import { allChecks } from '../suites/index.ts';
import { documentOf, summaryOf } from './report.ts';
import type { MutantResult } from './judge-mutant.ts';
import { isGreen, runSelftest } from './run-selftest.ts';
import { sampleOf } from './sample.ts';
import { unmutated } from './unmutated.ts';
import { openWorkerPool } from './worker-pool.ts';

interface Flags {
  readonly quick?: true;
  readonly only?: string;
  readonly whole?: true;
  readonly workers: string;
  readonly lanes: string;
  readonly log?: string;
}

const flags = new Command('selftest')
  .description('Runs the suites against every mutant of the reference and says which of them live.')
  .option('--quick', 'a sample that covers every area; writes nothing')
  .option('--only <text>', 'mutants whose id or clause holds a text; writes nothing')
  .option('--whole', 'all checks against these mutants too, to see what else they name')
  .option('--workers <count>', 'threads', String(Math.min(availableParallelism(), 8)))
  .option('--lanes <count>', 'servers that run at one time, over all threads', '5')
  .option('--log <file>', 'a line of JSON for each mutant, as soon as it is judged')
  .parse()
  .opts<Flags>();

function lineOf({ mutant: { id, clause }, ...result }: MutantResult): object {
  return { id, clause, ...result };
}

const isSample = flags.quick === true || flags.only !== undefined;
const named = mutants.filter(({ id, clause }) => `${id} ${clause}`.includes(flags.only ?? ''));
const written = new Set(writtenMutants);
const pool = openWorkerPool(Number(flags.workers));
try {
  // Parts that join later, each with a table of its own: variants (nothing may be named), degenerate servers (nothing may pass).
  const report = await runSelftest({
    mutants: flags.quick === true ? sampleOf(named) : named,
    checks: allChecks,
    observe: pool.observe,
    lanes: Number(flags.lanes),
    wholeRunsOf: (mutant) => flags.whole === true && (isSample || written.has(mutant)),
    isSample,
    unmutated,
    onResult: (result, done, of) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} mutants`);
      if (flags.log !== undefined) appendFileSync(flags.log, `${JSON.stringify(lineOf(result))}\n`);
    },
  });
  process.stdout.write(`\n${summaryOf(report)}\n`);
  if (!isSample) writeFileSync(packageFile('docs/selftest.md'), documentOf(report));
  process.exitCode = isGreen(report) ? exitCodes.conforms : exitCodes.broken;
} finally {
  await pool.close();
}
