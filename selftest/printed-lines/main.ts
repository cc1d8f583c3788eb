#!/usr/bin/env node

import { Command } from 'commander';
import { withWorkers } from '../../harness/run/waves.ts';
import { type Mutant, mutants } from '../mutants/index.ts';
import { keepResult, resultsIn } from '../run/result-log.ts';
import { grouped, shuffled } from '../run/sample.ts';
import { type MutantLines, proveMutant } from './prove-mutant.ts';
import { canBeMended } from './switched-server.ts';

interface PrintedLinesFlags {
  readonly count: string;
  readonly seed: string;
  readonly cases: string;
  readonly workers: string;
  readonly only?: readonly string[];
  readonly log?: string;
}

const { count, seed, cases, workers, only, log } = new Command('printed-lines')
  .description(
    'run every command that reports on mutants print, while the fault is there and after it is gone',
  )
  .option('--count <number>', 'mutants', '100')
  .option('--seed <number>', 'which ones', '1')
  .option('--cases <number>', 'cases of the campaign of each', '2000')
  .option('--workers <number>', 'mutants at once', '2')
  .option('--only <id...>', 'these mutants')
  .option('--log <file>', 'a line for each mutant; those that it has already are not run again')
  .parse()
  .opts<PrintedLinesFlags>();

const done = new Set(resultsIn<MutantLines>(log).map(({ mutant }) => mutant));
const chosenMutants = drawn(mutants.filter(canBeMended)).filter(({ id }) => !done.has(id));
const unproved: string[] = [];
const all = await withWorkers(chosenMutants, Number(workers), async (mutant) => {
  const hasHooks = mutants.indexOf(mutant) % 2 === 0;
  const proved = await proveMutant(mutant, { hasHooks, cases: Number(cases) }).catch((error: unknown) => {
    process.stdout.write(`${String(error)}\n`);
    unproved.push(mutant.id);
  });
  if (proved === undefined) return [];
  keepResult(log, proved);
  const wrong = proved.lines.filter(({ faults }) => faults.length > 0);
  process.stdout.write(
    `${proved.mutant}: ${proved.findings} findings, ${proved.lines.length} commands, ${wrong.length} wrong\n`,
  );
  for (const { command, from, faults } of wrong)
    process.stdout.write(
      `  ${command}\n    in ${from.join(', ')}\n${faults.map((each) => `    ${each}\n`).join('')}`,
    );
  return proved.lines;
});
const lines = all.flat();
const wrongLines = lines.filter(({ faults }) => faults.length > 0);
for (const kind of ['run', 'replay', 'curl'] as const) {
  const own = lines.filter((each) => each.kind === kind);
  const right = own.filter(({ faults }) => faults.length === 0).length;
  process.stdout.write(`${kind}: ${right} of ${own.length} right\n`);
}
if (unproved.length > 0) process.stdout.write(`not tried to the end: ${unproved.join(', ')}\n`);
process.exitCode = wrongLines.length === 0 && unproved.length === 0 ? 0 : 1;

/** So many mutants, drawn by the seed over all clauses: one of each clause before a second of any. */
function drawn(from: readonly Mutant[]): readonly Mutant[] {
  if (only !== undefined) return from.filter(({ id, clause }) => only.includes(id) || only.includes(clause));
  const byClause = [...grouped(from, ({ clause }) => clause).values()].map((each) => shuffled(each, seed));
  const most = Math.max(...byClause.map(({ length }) => length));
  const rounds = Array.from({ length: most }, (_, round) =>
    shuffled(
      byClause.flatMap((each) => each[round] ?? []),
      seed,
    ),
  );
  return rounds.flat().slice(0, Number(count));
}
