import { defineConfig } from 'vitest/config';

// One file, one worker: the engine has its own concurrency, and every test only waits for its check.
export default defineConfig({
  test: {
    include: ['adapters/*.adapter.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    maxConcurrency: 2_000,
    hookTimeout: 0,
  },
});
