#!/usr/bin/env node
import { appendFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { degenerateServers } from '../degenerate/servers.ts';
import { mutants, writtenMutants } from '../mutants/index.ts';
import { variants } from '../variants/index.ts';
import { packageFile } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { degenerateServer } from '../servers/degenerate-server.ts';
import { documentOf, summaryOf } from './report.ts';
import { isGreen, runSelftest, type SelftestOptions, type ServerResult } from './run-selftest.ts';
import { sampleOf } from './sample.ts';
import { unmutated } from '../servers/unmutated.ts';
import { aloneServer, mixtureServer } from '../servers/variant-server.ts';
import { openWorkerPool } from './worker-pool.ts';

interface Flags {
  readonly quick?: true;
  readonly only?: readonly string[];
  readonly whole?: true;
  readonly workers: string;
  readonly lanes: string;
  readonly mixtures: string;
  readonly log?: string;
}

/**
 * One check in so many is run against a variant or a mixture. A variant is in about six mixtures of the 200, so that it
 * meets four checks of five; the nightly run takes them all, which needs ten minutes.
 */
const partsAlone = 6;
const partsMixed = 10;

const flags = new Command('selftest')
  .description('Runs the suites against servers known to be wrong or right, and says where they err.')
  .option('--quick', 'a sample that covers every area; writes nothing')
  .option('--only <text...>', 'servers whose id or clause holds one of these texts; writes nothing')
  .option('--whole', 'all checks against every server, also to see what else mutants are named for')
  .option('--workers <count>', 'threads', String(Math.min(availableParallelism(), 8)))
  .option('--lanes <count>', 'servers that run at one time, over all threads', '6')
  .option('--mixtures <count>', 'mixtures of variants, from seed 1 on', '200')
  .option('--log <file>', 'a line of JSON for each server, as soon as it is judged')
  .parse()
  .opts<Flags>();

const isSample = flags.quick === true || flags.only !== undefined;
const isWhole = flags.whole === true;
const written = new Set(writtenMutants);

/** Everything that is chosen by `--only` and, where only a sample is wanted, one of eight of it. */
function chosen(): Required<Pick<SelftestOptions, 'mutants' | 'variants' | 'degenerates'>> {
  const isMeant = (name: string): boolean => flags.only?.some((text) => name.includes(text)) ?? true;
  const isNamed = ({ id }: { readonly id: string }): boolean => isMeant(id);
  const named = mutants.filter(({ id, clause }) => isMeant(`mutant ${id} ${clause}`));
  const mixtures = Array.from({ length: Number(flags.mixtures) }, (_, index) => mixtureServer(index + 1));
  const inParts = [
    ...variants.map((variant) => ({ server: aloneServer(variant), parts: isWhole ? 1 : partsAlone })),
    ...mixtures.map((server) => ({ server, parts: isWhole ? 1 : partsMixed })),
  ].filter(({ server }) => isNamed(server));
  return {
    mutants: flags.quick === true ? sampleOf(named) : named,
    variants: inParts.filter((_, index) => flags.quick !== true || index % 8 === 0),
    degenerates: degenerateServers.map(degenerateServer).filter(isNamed),
  };
}

function log(result: ServerResult): void {
  if (flags.log === undefined) return;
  const { id } = 'mutant' in result ? result.mutant : result.server;
  const { clause } = 'mutant' in result ? result.mutant : { clause: undefined };
  const { mutant: _mutant, server: _server, ...rest } = { mutant: undefined, server: undefined, ...result };
  appendFileSync(flags.log, `${JSON.stringify({ id, clause, ...rest })}\n`);
}

const pool = openWorkerPool(Number(flags.workers));
try {
  const report = await runSelftest({
    ...chosen(),
    checks: allChecks,
    observe: pool.observe,
    lanes: Number(flags.lanes),
    wholeRunsOf: (mutant) => isWhole && (isSample || written.has(mutant)),
    isSample,
    unmutated,
    onResult: (result, done, of) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} servers`);
      log(result);
    },
  });
  process.stdout.write(`\n${summaryOf(report)}\n`);
  if (!isSample) writeFileSync(packageFile('docs/selftest.md'), documentOf(report));
  process.exitCode = isGreen(report) ? exitCodes.conforms : exitCodes.broken;
} finally {
  await pool.close();
}
