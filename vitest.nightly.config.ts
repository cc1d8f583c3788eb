import { defineConfig } from 'vitest/config';
import { longProofs } from './vitest.config.ts';

// What `npm test` leaves out because it takes longer than a change can wait.
export default defineConfig({
  test: {
    include: longProofs,
    globalSetup: 'test/run-folder.ts',
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
