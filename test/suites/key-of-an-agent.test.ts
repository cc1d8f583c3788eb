import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { type AnswerHook, startReference } from '../../reference/index.ts';
import { listOf, objectOf } from '../../selftest/mutants/base/spoil-answer.ts';
import { withAround } from '../fixtures/hooks.ts';
import { findingsOf, runOn, type SuiteRun } from './run-suite.ts';

/** Lists to a key of the workspace nothing that names the human of its agent. */
const withoutHuman: AnswerHook = (answer, { route, headers }) => {
  const isOfKey = String(headers['authorization']).startsWith('Bearer key_');
  if (route !== 'mentions' || !isOfKey || answer.status !== 200) return undefined;
  const { mentions, ...body } = objectOf(answer.body);
  const namesUser = (item: unknown): boolean =>
    listOf(objectOf(objectOf(item)['message'])['mentions']).some(
      (target) => objectOf(target)['kind'] === 'user',
    );
  return { ...answer, body: { ...body, mentions: listOf(mentions).filter((each) => !namesUser(each)) } };
};

/** Who reaches whom at a server whose workspace keys speak for the author's agent. */
async function runWith(answer?: AnswerHook): Promise<SuiteRun> {
  const authors = new Map<string | null, string>();
  await using reference = await startReference({
    rules: { agentBehind: ({ agentId }) => authors.get(agentId) ?? agentId },
    ...(answer && { answer }),
  });
  const speakingForAuthors = withAround(['provision'], async (_, provision) => {
    const made = (await provision()) as { roles: { author: string; api_key: string } };
    const [author, key] = [made.roles.author, made.roles.api_key].map((token) =>
      reference.operator.agentOf(token),
    );
    if (author !== undefined && key !== undefined) authors.set(key.id, author.id);
    return made;
  });
  const target = speakingForAuthors({ ...targetOfReference(reference), settleMs: 100 });
  return await runOn('mentions.everybody-reaches-everybody', target);
}

describe('a workspace key that speaks for an agent which has a token of its own', () => {
  it('is no mistake', async () => {
    const run = await runWith();
    expect(findingsOf(run)).toEqual([]);
    expect(run.checks[0]?.verdict).toBe('passed');
  });

  it('lists what names that agent in each way', async () => {
    const run = await runWith(withoutHuman);
    expect(findingsOf(run)).toContain('mentions.matches-human-target failed');
  });
});
