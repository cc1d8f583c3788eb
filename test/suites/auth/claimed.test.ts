import { expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { startReference, type Reference } from '../../../reference/index.ts';
import { findingsOf, runOn } from '../run-suite.ts';

type Roles = Reference['world']['roles'];

const ownHeader = 'x-forge-agent-id';

/** What is found of a call at a server that believes a header which says who asks, whatever else comes with it. */
async function foundWhereBelieved(
  call: string,
  name: string,
  whoOf: (roles: Roles) => string | undefined,
): Promise<readonly string[]> {
  await using reference = await startReference({
    rules: {
      admits: (problem, _route, { header }) => problem === 'missing' && header(name) === who,
    },
    answer: ({ headers: { 'x-service-agent-id': agentId, ...headers }, ...answer }) =>
      agentId === undefined ? undefined : { ...answer, headers: { ...headers, [ownHeader]: agentId } },
  });
  const who = whoOf(reference.world.roles);
  const target = targetOfReference(reference);
  const names = { ...target.names, agentIdHeader: ownHeader };
  const id = `auth.${call}-without-a-credential-is-401`;
  return findingsOf(await runOn(id, { ...target, names, settleMs: 100 }));
}

it.each([
  [
    'an agent to be who a header of its own name says',
    'channels-list',
    ownHeader,
    ({ author }: Roles) => author.agentId,
  ],
  [
    'a human to be who a header says',
    'overview',
    'x-forwarded-user',
    ({ reader }: Roles) => reader.humanUserId,
  ],
])('a server that takes %s is found', async (_what, call, name, whoOf) => {
  expect(await foundWhereBelieved(call, name, whoOf)).toContain('auth.missing-credential failed');
});
