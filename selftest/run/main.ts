#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { packageFile } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { degenerateServers } from '../degenerate/servers.ts';
import { mutants, writtenMutants } from '../mutants/index.ts';
import { openReplay } from '../replay/open-replay.ts';
import { companyServers } from '../servers/company-server.ts';
import { degenerateServer } from '../servers/degenerate-server.ts';
import { aloneServer, combinationServer } from '../servers/variant-server.ts';
import { variants } from '../variants/index.ts';
import { documentOf, summaryPageOf } from './document.ts';
import { summaryOf } from './report.ts';
import { keepResult, today } from './proof.ts';
import { isGreen, runSelftest } from './run-selftest.ts';
import type { SelftestOptions, SelftestReport, ServerResult } from './run-selftest.ts';
import { sampleOf } from './sample.ts';
import { openWorkerPool } from './worker-pool.ts';

interface SelftestFlags {
  readonly quick?: true;
  readonly only?: readonly string[];
  readonly whole?: true;
  readonly workers: string;
  readonly concurrency: string;
  readonly combinations: string;
  readonly report?: string;
  readonly log?: string;
}

/**
 * One check in so many is run against a variant or a combination. A variant is in about six combinations of the 200, so that it
 * meets four checks of five; the nightly run takes them all, which needs ten minutes.
 */
const partsAlone = 6;
const partsCombined = 10;

const flags = new Command('selftest')
  .description('Runs the suites against servers known to be wrong or right, and says where they err.')
  .option('--quick', 'a sample that covers every area; writes nothing')
  .option('--only <text...>', 'servers whose id or clause holds one of these texts; writes nothing')
  .option('--whole', 'all checks against every server, also to see what else mutants are named for')
  .option('--workers <count>', 'threads', String(Math.min(availableParallelism(), 8)))
  .option('--concurrency <count>', 'servers that run at one time, over all threads', '6')
  .option('--combinations <count>', 'combinations of variants, from seed 1 on', '200')
  .option('--report <file>', 'where the whole table goes (default: .conform/selftest.md)')
  .option('--log <file>', 'a line of JSON for each server, as soon as it is judged')
  .parse()
  .opts<SelftestFlags>();

const isSample = flags.quick === true || flags.only !== undefined;
const isWhole = flags.whole === true;
const writtenByHand = new Set(writtenMutants);

/** Everything that is chosen by `--only` and, where only a sample is wanted, one of eight of it. */
function chosenServers(): Required<Pick<SelftestOptions, 'mutants' | 'variants' | 'degenerates'>> {
  const isMeant = (name: string): boolean => flags.only?.some((text) => name.includes(text)) ?? true;
  const isNamed = ({ id }: { readonly id: string }): boolean => isMeant(id);
  const named = mutants.filter(({ id, clause }) => isMeant(`mutant ${id} ${clause}`));
  const combinations = Array.from({ length: Number(flags.combinations) }, (_, index) =>
    combinationServer(index + 1),
  );
  const inParts = [
    ...variants.map((variant) => ({ server: aloneServer(variant), parts: isWhole ? 1 : partsAlone })),
    ...combinations.map((server) => ({ server, parts: isWhole ? 1 : partsCombined })),
    ...companyServers.map((server) => ({ server, parts: isWhole ? 1 : partsAlone })),
  ].filter(({ server }) => isNamed(server));
  return {
    mutants: flags.quick === true ? sampleOf(named) : named,
    variants: inParts.filter((_, index) => flags.quick !== true || index % 8 === 0),
    degenerates: degenerateServers.map(degenerateServer).filter(isNamed),
  };
}

function log(result: ServerResult): void {
  const { id } = 'mutant' in result ? result.mutant : result.server;
  const { clause } = 'mutant' in result ? result.mutant : { clause: undefined };
  const { mutant: _mutant, server: _server, ...rest } = { mutant: undefined, server: undefined, ...result };
  keepResult(flags.log, { id, clause, ...rest });
}

/** The whole table goes to a file of its own, its figures to the documentation. */
function keep(report: SelftestReport): void {
  const whole = flags.report === undefined ? packageFile('.conform/selftest.md') : resolve(flags.report);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, documentOf(report));
  writeFileSync(packageFile('docs/selftest.md'), summaryPageOf(report, today()));
  process.stdout.write(`the whole table: ${whole}\nits figures: docs/selftest.md\n`);
}

const givenServers = chosenServers();
const servers = Object.values(givenServers).reduce((sum, { length }) => sum + length, 0);
if (servers === 0) {
  process.stderr.write(`nothing is called ${flags.only?.join(' or ')}\n`);
  process.exit(exitCodes.usage);
}
// A thread takes a second to begin: none begins that has nothing to do.
const pool = openWorkerPool(Math.max(1, Math.min(Number(flags.workers), servers)));
const replay = isWhole ? undefined : await openReplay(givenServers.mutants);
try {
  const report = await runSelftest({
    ...givenServers,
    ...(replay && { replay: replay.judge, missingSituations: replay.missing }),
    checks: allChecks,
    observe: (server, checks) =>
      pool.ask(
        'observe',
        server.id,
        checks.map(({ id }) => id),
      ),
    concurrency: Number(flags.concurrency),
    wholeRunsOf: (mutant) => isWhole && (isSample || writtenByHand.has(mutant)),
    isSample,
    onResult: (result, done, of) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} servers`);
      log(result);
    },
  });
  process.stdout.write(`\n${summaryOf(report)}\n`);
  if (!isSample) keep(report);
  process.exitCode = isGreen(report) ? exitCodes.conforms : exitCodes.broken;
} finally {
  await pool.close();
  await replay?.close();
}
