import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'CONFORM_RUN_FOLDER';

/** A folder of all workers of one run of vitest, for what is expensive and the same for several files; without one, that of all programs. */
export function runFolder(): string {
  return process.env[variable] ?? tmpdir();
}

/** Makes the folder of a run; what this returns deletes it. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'conform-tests-'));
  process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
