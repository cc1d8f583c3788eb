import { expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import type { AnswerHook } from '../../../reference/model/answer.ts';
import { successAs } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { type ReferenceOptions, findingsOf, runAgainst } from '../run-suite.ts';

function runOf(id: string, options: ReferenceOptions) {
  return runAgainst(
    allChecks.filter((check) => check.id === id),
    options,
  );
}

it.each([
  ['from a cursor on', ({ after }) => after !== undefined],
  ['without one', ({ after }) => after === undefined],
] as const satisfies readonly [string, (query: Readonly<Record<string, string>>) => boolean][])(
  'no listing has a success of its own, be it %s',
  async (_, isMeant) => {
    const other = successAs(203, 'mentions', ({ query }) => isMeant(query));
    const found = findingsOf(await runOf('mentions.success-is-200', other));
    expect(found).toContain('mentions.status-is-200 failed');
  },
);

it('shows by which answers mentions of two channels have no common numbering', async () => {
  const presentMention: typeof contractRules.presentMention = (mention) => ({
    ...mention,
    sequence: mention.message.sequence,
  });
  const { findings } = await runOf('mentions.channels-share-one-numbering', {
    rules: { ...contractRules, presentMention },
  });
  const found = findings.find(({ clause }) => clause === 'mention.sequence.workspace-wide');
  expect(found?.exchanges).not.toEqual([]);
});

it.each(['after', 'limit'])(
  'decides whether %s may be left out behind what closes odd queries',
  async (name) => {
    const answer: AnswerHook = (own, { query }) => {
      const text = JSON.stringify(query);
      return text.length > 4_000 || text.includes(String.raw`\u0000`)
        ? { ...own, ending: 'reset' }
        : undefined;
    };
    const id = `mentions.${name}-may-be-left-out`;
    const { checks } = await runOf(id, { answer });
    expect(checks.find(({ check }) => check === id)?.verdict).toBe('passed');
  },
);
