import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { jsonAnswer } from '../../../../reference/model/answer.ts';
import { contractRules } from '../../../../reference/index.ts';
import { sendChecks } from '../../../../suites/send/index.ts';
import { findingsOf, notPassed, type ReferenceOptions, runAgainst } from '../../run-suite.ts';

const checks = sendChecks.filter(({ id }) => id === 'send.key-of-another-message-is-refused');

/** Keys that are forgotten before a slow answer is there; who comes back to one gets no answer of the service. */
function forgetful(): ReferenceOptions {
  const keys: unknown[] = [];
  return {
    rules: { ...contractRules, isKeyRecordAlive: () => false },
    answer: async (_answer, { route, headers }) => {
      if (route !== 'send') return undefined;
      await sleep(260);
      const key = headers['idempotency-key'];
      const isBack = keys.includes(key) && keys.slice(keys.indexOf(key)).some((each) => each !== key);
      keys.push(key);
      return isBack ? jsonAnswer(503, contractRules.errorBody('busy', 'busy', undefined)) : undefined;
    },
  };
}

it('a key that drew a server error when it came back is not taken for one that is kept', async () => {
  const run = await runAgainst(checks, forgetful());
  expect(findingsOf(run)).not.toContain('send.conflict-is-refused failed');
  expect(notPassed(run).join()).toContain('how long it is kept is open');
});
