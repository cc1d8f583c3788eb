import { defineConfig } from 'vitest/config';

// Without a file of its own vitest would take the one of a folder above.
export default defineConfig({ test: { include: ['*.test.js'] } });
