import { defineConfig } from 'vitest/config';

// What `npm run mutate` runs for each change that it makes to an oracle.
export default defineConfig({ test: { include: ['test/spec/oracles/**/*.test.ts'] } });
