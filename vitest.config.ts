import { defineConfig } from 'vitest/config';

/** Proofs that take minutes each: the whole suite again and again, by every way to start it. */
export const longProofs = [
  '{test/cli/same-verdicts,test/adapters/vitest,test/selftest/stress/all-found,test/stress/long/killed,test/history/simulated/thousand}.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...longProofs, 'node_modules/**'],
    // Many tests wait for servers and child processes: two workers would leave a third of two cores idle.
    maxWorkers: 3,
    // It imports JSON in a way that only bundlers understand.
    server: { deps: { inline: [/@actions\//] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
