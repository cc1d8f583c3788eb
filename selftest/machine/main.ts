#!/usr/bin/env node

import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { InvalidTarget } from '../../harness/errors.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { packageFile } from '../../spec/index.ts';
import { keepResult, print, proofCommand, type ProofFlags, resultsIn, today } from '../run/proof.ts';
import { shuffled } from '../run/sample.ts';
import { grouped } from '../../spec/groups.ts';
import { argued } from './argued-survivors.ts';
import { openReferenceBuild, type Build, type MachineMutant } from './build.ts';
import { openExampleBuild } from './example-build.ts';
import { type MutantRequest, type Outcome, outcomes } from './judge-mutant.ts';
import {
  isMissed,
  lineOf,
  type LoggedMutant,
  machinePageOf,
  type MutantResult,
  resultsOf,
  sharesOf,
} from './page.ts';
import { judgeInProcesses, type JudgedMutant } from './processes.ts';

interface Flags extends ProofFlags {
  readonly of: keyof typeof servers;
  readonly shard: string;
  readonly again?: readonly Outcome[];
  readonly campaign?: string;
  readonly deadline: string;
  readonly page?: true;
}

/** What opens the mutants of each, and the page about them. */
const servers = {
  reference: { open: openReferenceBuild, name: 'the reference', page: 'docs/machine-mutants.md' },
  go: { open: () => openExampleBuild('go'), name: 'the example in Go', page: 'docs/machine-mutants-go.md' },
  python: {
    open: () => openExampleBuild('python'),
    name: 'the example in Python',
    page: 'docs/machine-mutants-python.md',
  },
} as const;

const flags = proofCommand(
  'mutate:servers',
  'Runs the suite against machine-made mutants of the reference, or of an example, and says which it does not notice.',
)
  .addOption(new Option('--of <server>', 'whose mutants').choices(Object.keys(servers)).default('reference'))
  .option('--shard <i/n>', 'part of them, as 2/8', '1/1')
  .addOption(
    new Option('--again <outcome...>', 'judge those again that came to this in the log').choices(outcomes),
  )
  .option(
    '--campaign <seconds>',
    'give what survived, and is not argued to be equivalent or open, to a campaign of that length',
  )
  .option('--deadline <seconds>', 'longest that a run may take', '60')
  .option('--page', 'write the page in docs, though not all were run')
  .parse()
  .opts<Flags>();

try {
  await judgeAll();
} catch (error) {
  if (!(error instanceof InvalidTarget)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = exitCodes.usage;
}

async function judgeAll(): Promise<void> {
  const { open, name, page } = servers[flags.of];
  const build = await open();
  const { server, mutants } = build;
  const known = knownIn(build);
  const keep = (judged: LoggedMutant): void => {
    known.set(judged.id, judged);
    keepResult(flags.log, judged);
  };
  const chosen = chosenOf(build);
  const left = chosen.filter(({ id }) => {
    const outcome = known.get(id)?.outcome;
    return outcome === undefined || flags.again?.includes(outcome) === true;
  });
  await judge(left, { server }, (judged) => keep({ build: build.hash, ...judged }));
  const seconds = Number(flags.campaign ?? 0);
  const ids = new Set(chosen.map(({ id }) => id));
  const isGiven = ({ mutant: { id }, judged }: MutantResult): boolean =>
    ids.has(id) && (judged.campaign?.seconds ?? 0) < seconds;
  const missed = resultsOf(mutants, known, argued).filter((each) => isMissed(each) && isGiven(each));
  await judge(
    missed.map(({ mutant }) => mutant),
    { server, campaignSeconds: seconds },
    ({ id, ...verdict }) => {
      const earlier = known.get(id);
      if (earlier !== undefined) keep({ ...earlier, campaign: { ...verdict, seconds } });
    },
  );
  const results = resultsOf(mutants, known, argued);
  tell(
    build,
    results.filter(({ mutant }) => ids.has(mutant.id)),
  );
  if (flags.page !== true && !build.reached.every((id) => known.has(id))) return;
  const noPrograms = [...known.values()].filter(({ outcome }) => outcome === 'does not compile').length;
  const facts = { ...build, of: name, noPrograms, day: today() };
  writeFileSync(packageFile(page), machinePageOf(facts, results));
  print(`the figures and the survivors: ${page}`);
}

/** What the log has of this build. */
function knownIn({ hash }: Build): Map<string, LoggedMutant> {
  const logged = resultsIn<LoggedMutant>(flags.log);
  const stranger = logged.find(({ build }) => build !== hash);
  if (stranger !== undefined)
    throw new InvalidTarget(
      `${flags.log} has results of build ${stranger.build}, and the sources as they are now make build ${hash}: name another file`,
    );
  return new Map(logged.map((each) => [each.id, each]));
}

/** The reached mutants that the options choose; a shard takes the same ones wherever it runs. */
function chosenOf({ mutants, reached }: Build): readonly MachineMutant[] {
  const [, index = '', count = ''] = /^(\d+)\/(\d+)$/.exec(flags.shard) ?? [];
  if (!(Number(index) >= 1 && Number(index) <= Number(count)))
    throw new InvalidTarget(`--shard ${flags.shard}: i/n, from 1/n to n/n`);
  const isReached = new Set(reached);
  const isMeant = ({ id, file, line, operator }: MachineMutant): boolean =>
    flags.only?.some((text) =>
      /^\d+$/.test(text) ? id === text : `${file}:${line} ${operator}`.includes(text),
    ) ?? true;
  const meant = mutants.filter((each) => isReached.has(each.id) && isMeant(each));
  const drawn =
    flags.sample === undefined ? meant : shuffled(meant, flags.seed).slice(0, Number(flags.sample));
  return drawn.filter(({ id }) => Number(id) % Number(count) === Number(index) - 1);
}

async function judge(
  mutants: readonly MachineMutant[],
  how: Omit<MutantRequest, 'mutant'>,
  done: (judged: JudgedMutant) => void,
): Promise<void> {
  const deadlineMs = (Number(flags.deadline) + (how.campaignSeconds ?? 0)) * 1000;
  let count = 0;
  await judgeInProcesses(
    mutants.map((mutant) => ({ mutant, ...how })),
    {
      atOnce: Number(flags.threads),
      deadlineMs,
      onJudged: (judged) => {
        done(judged);
        count += 1;
        if (process.stderr.isTTY) process.stderr.write(`\r${count} of ${mutants.length} mutants`);
      },
    },
  );
}

function tell({ mutants, reached }: Build, results: readonly MutantResult[]): void {
  const { failed, noticed, withCampaign } = sharesOf(results);
  const ms = results.reduce((sum, { judged }) => sum + judged.durationMs, 0);
  const counts = [...grouped(results, ({ judged }) => judged.outcome)].map(
    ([outcome, each]) => `${each.length} ${outcome}`,
  );
  process.stdout.write(
    `\n${mutants.length} mutants, ${reached.length} reached, ${results.length} judged in ${(ms / 1000 / Math.max(1, results.length)).toFixed(1)} s each: ${counts.join(', ')}\n` +
      `of those neither equivalent nor open ${failed} fail, ${noticed} with warnings, ${withCampaign} with campaigns\n`,
  );
  const missed = results.filter(isMissed).toSorted((one, other) => other.undecided - one.undecided);
  for (const result of missed)
    process.stdout.write(
      `${result.argument?.is ?? 'unargued'} ${result.mutant.id} ${lineOf(result)}\n  ${result.name}\n`,
    );
  const isDone = results.every(
    (result) =>
      result.judged.outcome !== 'bug of the suite' &&
      (!isMissed(result) || result.argument?.is === 'campaign'),
  );
  process.exitCode = isDone ? exitCodes.conforms : exitCodes.broken;
}
