import { describe, expect, it } from 'vitest';
import type { Rules } from '../../../reference/index.ts';
import type { Target } from '../../../harness/config/target.ts';
import { listOf, objectOf } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { withAround } from '../../fixtures/hooks.ts';
import { runAgainst } from '../run-suite.ts';

/** By check the verdicts of its clauses. */
async function verdictsOf(
  ids: readonly string[],
  rules: Partial<Rules>,
  target: (target: Target) => Target,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const run = await runAgainst(
    allChecks.filter((check) => ids.includes(check.id)),
    { rules },
    { target },
  );
  const named = run.checks.filter(({ check }) => ids.includes(check));
  return Object.fromEntries(
    named.map(({ check, clauses }) => [check, clauses.map(({ verdict }) => verdict)]),
  );
}

/** Who is of the human of an author counts as that. */
function takingAHumanForOneAuthor(): Partial<Rules> {
  const humans = new Map<string, string | null>();
  return {
    capturedAgentId: ({ id, humanUserId }) => {
      humans.set(id, humanUserId);
      return id;
    },
    isPreviewed: ({ agentId }, authorId, agent) =>
      agentId !== authorId &&
      (agent?.()?.humanUserId ?? humans.get(agentId) ?? agentId) !== humans.get(authorId),
  };
}

describe('where all agents of a human are one author', () => {
  it('nothing is said of an agent of its human among many', async () => {
    const checks = [
      'receipts.page-of-a-hundred-retrievals-lists-all',
      'receipts.more-agents-than-fit-are-announced',
      'receipts.author-that-reported-takes-no-place',
    ];
    const amongThem = withAround(['provision'], async (_input, provision) => {
      const { agents, ...made } = objectOf(await provision());
      const sibling = objectOf(made['without'])['machine'];
      const all = listOf(agents);
      return { ...made, ...(all.length > 0 && { agents: [...all.slice(0, -1), sibling] }) };
    });
    const verdicts = await verdictsOf(checks, takingAHumanForOneAuthor(), amongThem);
    expect(Object.keys(verdicts).toSorted()).toEqual(checks.toSorted());
    expect(Object.values(verdicts).flat()).not.toContain('failed');
  });

  it('nothing is said of a reader of its human', async () => {
    const checks = [
      'receipts.agent-that-reported-is-listed',
      'receipts.recorded-retrieval-is-listed-or-announced',
    ];
    const asSiblings = (target: Target): Target => {
      const { author, reader, peer, ...others } = target.roles;
      return {
        ...target,
        roles: { ...others, author: reader, reader: peer, peer: author } as Target['roles'],
      };
    };
    const verdicts = await verdictsOf(checks, takingAHumanForOneAuthor(), asSiblings);
    expect(Object.keys(verdicts).toSorted()).toEqual(checks.toSorted());
    expect(Object.values(verdicts).flat()).not.toContain('failed');
  });
});
