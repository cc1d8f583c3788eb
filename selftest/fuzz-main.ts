#!/usr/bin/env node
import { appendFileSync } from 'node:fs';
import { Command } from 'commander';
import { exitCodes } from '../harness/engine/exit-code.ts';
import { mutants } from '../reference/mutants/index.ts';
import { fuzzMutant } from './fuzz-mutant.ts';
import { fuzzClean, fuzzMixture } from './fuzz-soundness.ts';
import { inLanes } from './lanes.ts';

interface Flags {
  readonly only: string;
  readonly cases: string;
  readonly seed: string;
  readonly novelty: string;
  readonly lanes: string;
  readonly log?: string;
  readonly every: string;
  readonly sound?: string;
}

const flags = new Command('fuzz-selftest')
  .description('Says how many cases a campaign needs to find each mutant.')
  .option('--only <pattern>', 'mutants whose id or clause matches a regular expression', '')
  .option('--cases <count>', 'cases tried at most', '20000')
  .option('--seed <number>', 'of the campaigns', '1')
  .option('--novelty <percent>', 'share of cases built on new kinds of answers', '0')
  .option('--lanes <count>', 'mutants at one time', '2')
  .option('--every <n>', 'every n-th mutant only', '1')
  .option(
    '--sound <count>',
    'instead: so many seeds at the clean reference, and so many mixtures of variants',
  )
  .option('--log <file>', 'a line of JSON for each mutant, as soon as it is done')
  .parse()
  .opts<Flags>();

if (flags.sound === undefined) await findMutants();
else await seeNoAlarms(Number(flags.sound));

async function seeNoAlarms(count: number): Promise<void> {
  const first = Number(flags.seed);
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const runs = seeds.flatMap((seed) => [
    () => fuzzClean(seed, Number(flags.cases)),
    () => fuzzMixture(seed, Number(flags.cases)),
  ]);
  let alarms = 0;
  await inLanes(runs, Number(flags.lanes), async (run) => {
    const { name, outcome, alarms: raised } = await run();
    alarms += raised.length;
    const judged = outcome.result?.judged ?? 0;
    const words = raised.map(
      ({ failure, label, repeats }) =>
        `\n  ${failure.clause} ${failure.part} by ${label} ${repeats.times}/${repeats.of}: ${failure.actual}`,
    );
    const leftOut = Object.entries(outcome.leftOut).map(([family, why]) => `\n  without ${family}: ${why}`);
    process.stdout.write(
      `${raised.length === 0 ? 'quiet' : 'ALARM'} ${judged} judged, ${name}${words.join('')}${leftOut.join('')}\n`,
    );
  });
  process.stdout.write(`${alarms} alarms in ${runs.length} campaigns\n`);
  process.exitCode = alarms === 0 ? exitCodes.conforms : exitCodes.broken;
}

async function findMutants(): Promise<void> {
  const pattern = new RegExp(flags.only);
  const chosen = mutants
    .filter(({ id, clause }) => pattern.test(`${clause} ${id}`))
    .filter((_, index) => index % Number(flags.every) === 0);
  const results = await inLanes(chosen, Number(flags.lanes), async (mutant) => {
    const result = await fuzzMutant(mutant, {
      maxCases: Number(flags.cases),
      seed: Number(flags.seed),
      noveltyShare: Number(flags.novelty) / 100,
    });
    const { casesToFind, alsoNamed, cases } = result;
    const line = { id: mutant.id, clause: mutant.clause, casesToFind, cases, alsoNamed };
    if (flags.log !== undefined) appendFileSync(flags.log, `${JSON.stringify(line)}\n`);
    return result;
  });
  const counts = results
    .flatMap(({ casesToFind }) => casesToFind ?? [])
    .toSorted((one, other) => one - other);
  process.stdout.write(
    `${counts.length} of ${results.length} mutants found; median ${counts[Math.floor(counts.length / 2)] ?? 0} cases\n`,
  );
}
