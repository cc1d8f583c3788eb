import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of all workers of one run of vitest, for what is expensive and the same for several files. */
    readonly runFolder: string;
  }
}

/** Makes the folder of a run; what this returns deletes it. */
export default function setUp({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'conform-tests-'));
  provide('runFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
