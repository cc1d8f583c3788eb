import { describe, expect, it } from 'vitest';
import type { AnswerHook } from '../../../reference/model/answer.ts';
import { refusal } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

const id = 'file.metadata-is-open-to-another-agent';

async function foundWhere(answer: AnswerHook) {
  const run = await runAgainst(
    allChecks.filter((check) => check.id === id),
    { answer },
  );
  return { verdict: run.checks.find(({ check }) => check === id)?.verdict, found: findingsOf(run) };
}

describe('the metadata of a file', () => {
  it.each([404, 410])('may be gone with a file that expires: %i', async (status) => {
    let asked = 0;
    const expiring: AnswerHook = ({ status: given }, { route }) =>
      route === 'file' && given === 200 && (asked += 1) > 1 ? refusal(status) : undefined;
    expect(await foundWhere(expiring)).toEqual({ verdict: 'inconclusive', found: [] });
  });

  it('is open to others for as long as it is to its own agent', async () => {
    let own: string | null | undefined;
    const hidden: AnswerHook = ({ status }, { route, actor }) => {
      if (route !== 'file' || status !== 200) return undefined;
      own ??= actor?.agentId;
      return actor?.agentId === own ? undefined : refusal(404);
    };
    expect(await foundWhere(hidden)).toMatchObject({
      found: ['file.visible-to-the-workspace failed'],
    });
  });
});
