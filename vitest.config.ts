import { defineConfig } from 'vitest/config';

/** Proofs that take minutes each: the whole suite again and again, by every way to start it, and against every ailing server. */
export const longProofs = [
  '{test/cli/same-verdicts,test/adapters/vitest,test/selftest/stress/all-found,test/stress/long/killed,test/history/simulated/thousand}.test.ts',
  '{test/suites/ailing-servers,test/suites/trouble-on-the-way,test/selftest/degenerate/suite}.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...longProofs, 'node_modules/**'],
    // Vitest would leave one core of two idle.
    maxWorkers: 2,
    // It imports JSON in a way that only bundlers understand.
    server: { deps: { inline: [/@actions\//] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
