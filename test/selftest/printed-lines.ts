import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { mutantNamed } from '../../selftest/mutants/index.ts';
import { proveMutant } from '../../selftest/printed-lines/prove-mutant.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) process.stderr.write('printed lines are not tried: there is no curl here\n');

/** A mutant, and whether its server has hooks. */
interface Tried {
  readonly id: string;
  readonly hasHooks: boolean;
  readonly cases?: number;
  readonly only?: readonly string[];
}

/** Holds the commands that reports on mutants print against the server while it has the fault, and once it has not. */
export function describePrintedLines(tried: readonly Tried[]): void {
  describe.skipIf(!hasCurl)('every command that reports print', () => {
    it.each(tried)(
      'shows the fault of $id, and that it is gone',
      { timeout: 300_000 },
      async ({ id, cases = 400, ...options }) => {
        const { findings, lines } = await proveMutant(mutantNamed(id), { cases, ...options });
        expect(findings).toBeGreaterThan(0);
        expect(lines.filter(({ faults }) => faults.length > 0)).toEqual([]);
      },
    );
  });
}
