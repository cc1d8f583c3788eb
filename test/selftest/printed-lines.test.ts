import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { mutants } from '../../selftest/mutants/index.ts';
import { proveMutant } from '../../selftest/printed-lines/prove-mutant.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) process.stderr.write('printed lines are not tried: there is no curl here\n');

/** A refusal, an order, a status of one call, a status of another, and what a request says that no server should take. */
const tried = [
  { id: 'limit-ends-at-101', hasHooks: false },
  { id: 'read-sorts-by-size', hasHooks: true },
  { id: 'partial-listing-is-201', hasHooks: false },
  { id: 'missing-is-forbidden', hasHooks: false },
  { id: 'takes-leap-days-every-year-and-shows-it', hasHooks: true },
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
