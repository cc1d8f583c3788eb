import { describe, expect, it } from 'vitest';
import { contractRules, type Rules } from '../../../../reference/index.ts';
import { sendChecks } from '../../../../suites/send/index.ts';
import { findingsOf, notPassed, runAgainst, type SuiteRun } from '../../run-suite.ts';

const checks = sendChecks.filter(({ id }) => id === 'send.more-than-20-targets-are-refused');

function runWithoutHooks(rules: Partial<Rules>): Promise<SuiteRun> {
  return runAgainst(
    checks,
    { rules: { ...contractRules, ...rules } },
    { target: (target) => ({ ...target, hooks: {} }) },
  );
}

/** Ways to take twenty different targets of somebody who knows only a few agents. */
const takers: readonly (readonly [string, Partial<Rules>])[] = [
  ['takes targets that it does not know', { acceptsTarget: () => true }],
  ['shows a repeated target each time', { capturedTargets: (targets) => [...targets] }],
];

describe('without a hook, 21 targets', () => {
  it.each(takers)('are judged where a server %s', async (_what, rules) => {
    expect(notPassed(await runWithoutHooks(rules))).toEqual([]);
    const taking21 = await runWithoutHooks({ ...rules, maxMentions: () => 21 });
    // What it keeps of them breaks another rule as well.
    expect(findingsOf(taking21)).toEqual(['message.mentions.max failed', 'send.mentions-over-limit warned']);
  });

  it('are left inconclusive where a server refuses whom it does not know and counts once who is named twice', async () => {
    const run = await runWithoutHooks({ countedTargets: (targets) => new Set(targets).size });
    expect(findingsOf(run)).toEqual([]);
    expect(notPassed(run).join()).toContain('hooks.provision can make them');
  });
});
