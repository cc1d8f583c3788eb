import { expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import { listOf, spoilItems } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

/** What is found where a word for everybody reaches every agent, and messages come as `shown` has them. */
async function foundWhere(shown: (message: Readonly<Record<string, unknown>>) => object) {
  const mentionedBy: typeof contractRules.mentionedBy = (targets, content, agents) =>
    content.startsWith('@here')
      ? agents().map(({ id }) => ({ kind: 'agent', id }))
      : contractRules.mentionedBy(targets, content, agents);
  const run = await runAgainst(
    allChecks.filter(({ id }) => id === 'mentions.names-in-the-text-are-not-listed'),
    { rules: { ...contractRules, mentionedBy }, ...spoilItems('read', shown) },
  );
  return findingsOf(run);
}

it('a word for everybody names nobody where a message shows targets, and that with the word none', async () => {
  const withoutEmpty = await foundWhere(({ mentions, ...message }) =>
    listOf(mentions).length === 0 ? message : { ...message, mentions },
  );
  expect(withoutEmpty).toContain('mentions.only-explicit failed');
  // Where no message shows any, the word may have been resolved when it was sent.
  const withoutAny = await foundWhere((message) => ({ ...message, mentions: undefined }));
  expect(withoutAny).toContain('mentions.at-in-the-text warned');
  expect(withoutAny).not.toContain('mentions.only-explicit failed');
});
