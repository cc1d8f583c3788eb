import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

/** What `npm run nightly` has and `npm test` has not: proofs that take minutes each, or much of a core. */
export const longProofs = [
  // The whole suite again and again: by every way to start it, and against every ailing server; and every variant of a client, and two of
  // three of its mutants.
  'test/cli/same-verdicts',
  'test/adapters/vitest',
  'test/suites/ailing-servers',
  // The same whole suite at servers with names and bindings of their own, and twice at one that keeps all that was sent to it.
  'test/suites/names-and-bindings-nightly',
  'test/suites/run-again-nightly',
  // Checks that wait longer for a limit than they may take.
  'test/harness/run/limited-run-nightly',
  // All but the first mutants that the checks of one area name alone: a hundred servers, seven of them under all checks.
  'test/suites/areas-nightly',
  // All but the first servers that may do less than the reference.
  'test/suites/allowed-nightly',
  // Retrievals that a server never lists, which are waited for again and again.
  'test/suites/receipts/relatives-nightly',
  'test/suites/cut-short-by-loss',
  'test/suites/trouble-on-the-way',
  'test/selftest/clients/clients-nightly',
  // The commands of pages that run all of it, each example server under all of it and with each rule broken, and 40 edits of one under `--watch`.
  'test/examples/fenced-nightly',
  'test/examples/servers-nightly',
  'test/examples/watched',
  // Each example client in every scenario, behind a front that judges both sides.
  'test/examples/client-traffic',
  // All but the first of each kind of hostile servers and inputs, more printed lines, eleven of twelve mutants that one
  // answer shows to a campaign, two of three that a sequence shows, and a thousand histories, with all mutants told otherwise and known less of.
  'test/hostile/nightly',
  'test/selftest/printed-lines-nightly',
  'test/fuzz/shown-nightly',
  'test/fuzz/sequences-nightly',
  'test/fuzz/stress/long/killed',
  'test/history/simulated/thousand',
  // The checks as tests of other languages, green and red with each.
  'test/package/other-languages-nightly',
  // What has to be fetched or built.
  'test/package/newest-node',
  'test/adapters/ci/container/built',
].map((file) => `${file}.test.ts`);

/** Small files that take a minute or two: begun last, one of them would keep a core busy alone. */
const long = /test\/(?:hostile|examples)\/|test\/suites\/areas|test\/history\/simulated/;

/** Long files first, then by size as usual. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...longProofs, 'node_modules/**'],
    globalSetup: 'test/run-folder.ts',
    // Tests wait a good part of their time: three workers keep two cores busy.
    maxWorkers: 3,
    // Files share the modules of their worker: to load them for each file takes a minute of two cores.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // It imports JSON in a way that only bundlers understand.
    server: { deps: { inline: [/@actions\//] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
