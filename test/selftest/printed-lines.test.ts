import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { mutants } from '../../selftest/mutants/index.ts';
import { proveMutant } from '../../selftest/printed-lines/prove-mutant.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) process.stderr.write('printed lines are not tried: there is no curl here\n');

/** A refusal, an order, a count, a text of half a megabyte, and what only a campaign shows among other requests. */
const tried = [
  { id: 'limit-ends-at-101', hasHooks: false },
  { id: 'read-sorts-by-size', hasHooks: true },
];

describe.skipIf(!hasCurl)('every command that reports print', () => {
  it.each(tried)(
    'shows the fault of $id, and that it is gone',
    { timeout: 300_000 },
    async ({ id, hasHooks }) => {
      const mutant = mutants.find((each) => each.id === id);
      if (mutant === undefined) throw new Error(`no mutant ${id}`);
      const { findings, lines } = await proveMutant(mutant, { hasHooks, cases: 400 });
      expect(findings).toBeGreaterThan(0);
      expect(lines.filter(({ faults }) => faults.length > 0)).toEqual([]);
    },
  );
});
