import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Check } from '../../harness/check/check.ts';
import { defaultBindings, type Bindings, type Names, type Target } from '../../harness/config/target.ts';
import { combine, startCombination, variants } from '../../selftest/variants/index.ts';
import { findingsOf, notPassed, runAgainst, runOn, type SuiteRun } from './run-suite.ts';

/** What the server that uses these names calls the parts that the contract has neutral words for. */
const ownNames: Names = {
  agentIdHeader: 'x-forge-agent-id',
  providers: { provider_a: 'anvil', provider_b: 'bellows', provider_c: 'crucible', provider_d: 'drill' },
};

async function runAgainstOwnNames(
  checks: readonly Check[],
  adapt: (target: Target) => Target,
): Promise<SuiteRun> {
  const named = ['the-agent-id-header-has-another-name', 'providers-have-other-names'];
  await using reference = await startCombination(combine(variants.filter(({ id }) => named.includes(id))));
  return await runOn(checks, adapt({ ...targetOfReference(reference), settleMs: 100 }));
}

/** Fields and paths that the reference does not have. */
const foreignBindings: Bindings = {
  ...defaultBindings,
  mentions: 'notify',
  attachments: 'documents',
  sourceSession: 'origin',
  agentHost: 'hostname',
  reportReceipt: '/v0/channels/{channel_id}/seen',
  file: '/v0/documents/{file_id}',
  fileContent: '/v0/documents/{file_id}/bytes',
};

/** Holds checks against a server with names of its own, and against one without fields and paths that it is said to have. */
export function testNames(checks: readonly Check[]): void {
  describe('a server with names of its own', () => {
    it('is judged as any other once they are mapped', async () => {
      const run = await runAgainstOwnNames(checks, (target) => ({ ...target, names: ownNames }));
      expect(findingsOf(run)).toEqual([]);
      expect(notPassed(run)).toEqual([]);
      expect(run.footer.exitCode).toBe(0);
    });

    it('gets one line before the run while they are not, and fails nothing', async () => {
      const run = await runAgainstOwnNames(checks, (target) => target);
      expect(findingsOf(run)).toEqual([]);
      expect(run.preflight?.lines.map(({ text }) => text)).toEqual([
        expect.stringMatching(/names\.agent_id_header: x-forge-agent-id/),
      ]);
      expect(notPassed(run)).not.toEqual([]);
    });
  });

  describe('bindings that a server does not have', () => {
    const bind = (target: Target): Target => ({ ...target, bindings: foreignBindings });

    it.each([
      ['refuses', {}],
      ['ignores', { rules: { acceptsField: () => true } }],
    ])('leave open what they would decide, when it %s them', async (_, options) => {
      const run = await runAgainst(checks, options, { target: bind });
      expect(findingsOf(run)).toEqual([]);
      const open = (area: string): number =>
        run.checks.filter(({ check, verdict }) => check.startsWith(`${area}.`) && verdict === 'inconclusive')
          .length;
      expect([open('mentions'), open('file'), open('source-session')].every((count) => count > 5)).toBe(true);
      expect(run.checks.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(100);
    });
  });
}
