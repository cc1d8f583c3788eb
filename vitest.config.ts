import { defineConfig } from 'vitest/config';

/** Proofs that take minutes each: every broken server and every freedom of an area, against all its checks. */
export const longProofs = [
  'test/suites/channel-read/{broken,freedoms}.test.ts',
  'test/suites/mentions/*.test.ts',
  'test/suites/send/*.test.ts',
  'test/suites/auth/*.test.ts',
  'test/suites/message/malformed.test.ts',
  'test/selftest/variants/{variants,combinations}.test.ts',
  'test/suites/broken-rules.test.ts',
  '{test/cli/same-verdicts,test/adapters/vitest}.test.ts',
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
