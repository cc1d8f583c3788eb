import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';

/** Where many services tell their health and their capabilities; the contract shows no path. */
const paths = {
  health: ['/health', '/healthz', '/v0/health'],
  capabilities: ['/capabilities', '/v0/capabilities', '/.well-known/capabilities'],
} as const;

export const openCallChecks: readonly Check[] = [openCallCheck('health'), openCallCheck('capabilities')];

function openCallCheck(subject: keyof typeof paths): Check {
  // ids: discovery.health-needs-no-credential, discovery.capabilities-needs-no-credential
  // discovery.needs-no-credential: Health and capabilities are told to anyone.
  return check(
    `discovery.${subject}-needs-no-credential`,
    {
      title: `${subject} can be asked for without a credential`,
      clauses: ['discovery.needs-no-credential'],
      needs: ['author', 'channel', 'discovery-binding'],
      needsMemory: true,
      isReadOnly: true,
    },
    async ({ author, anonymous, bindings, marker, expect, observe }) => {
      const nowhere = await anonymous.request({ path: `/v0/${marker()}` });
      given(!isAccepted(nowhere), 'any path is answered', nowhere);
      const named = bindings[subject];
      const tried = named === undefined ? paths[subject] : [named];
      const known = (await askAll(author, tried)).filter(isAccepted);
      const [first = unmet(`${subject} is not at ${tried.join(', ')}: see bindings.${subject}`)] = known;
      const open = (await askAll(anonymous, tried)).filter(isAccepted);
      // What stands at a path that nobody named may be anything.
      if (named === undefined && open.length === 0)
        unmet(`${first.request.path} requires a credential; bindings.${subject} is not given`, first);
      const problem = {
        expected: 'an answer without a credential',
        actual: `${first.request.path} only with one`,
      };
      expect.holds('discovery.needs-no-credential', open.length > 0, problem, first);
      observe('discovery.shapes', `${subject}-path`, open[0]?.request.path ?? describeAnswer(first));
    },
  );
}

function askAll(actor: Actor, candidates: readonly string[]): Promise<readonly Exchange[]> {
  return Promise.all(candidates.map((path) => actor.request({ path })));
}
