import { expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import { objectOf } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { withAround } from '../../fixtures/hooks.ts';
import { runAgainst } from '../run-suite.ts';

const id = 'receipts.another-agent-of-the-authors-human-is-listed';

it('holds a server that takes all agents of a human for one author to no more than what is inferred', async () => {
  const humans = new Map<string, string | null>();
  const rules = {
    ...contractRules,
    capturedAgentId: (agent: { readonly id: string; readonly humanUserId: string | null }) => {
      humans.set(agent.id, agent.humanUserId);
      return agent.id;
    },
    isPreviewed: ({ agentId }: { readonly agentId: string }, authorId: string) =>
      agentId !== authorId && (humans.get(agentId) ?? agentId) !== humans.get(authorId),
  };
  // Then only the reader has siblings: its peer, and one whose human has no name.
  const withoutSiblings = withAround(['provision'], async (_input, provision) => {
    const { without, ...made } = objectOf(await provision());
    const { machine: _, ...others } = objectOf(without);
    return { ...made, without: others };
  });
  const run = await runAgainst(
    allChecks.filter((check) => check.id === id),
    { rules },
    { target: withoutSiblings },
  );
  const { clauses = [] } = run.checks.find(({ check }) => check === id) ?? {};
  expect(Object.fromEntries(clauses.map(({ clause, verdict }) => [clause, verdict]))).toMatchObject({
    'receipts.siblings-of-the-author-are-listed': 'warned',
    'receipts.reported-agent-is-listed': 'passed',
  });
});
