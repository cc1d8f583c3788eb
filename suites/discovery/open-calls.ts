import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { acceptedAmong } from '../arrange/send/accepted-sends.ts';

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
      // Where a page stands at any address, what is at one that nobody named is none of these calls.
      const elsewhere = tried.map((path) => path.replace(/[^/]+$/, marker()));
      const beside = await askAll(anonymous, named === undefined ? elsewhere : []);
      const anything = acceptedAmong(tried, beside);
      const meant = tried.filter((path) => !anything.includes(path));
      const known = (await askAll(author, meant)).filter(isAccepted);
      const [first = unmet(`${subject} is not at ${tried.join(', ')}: see bindings.${subject}`)] = known;
      const told = await askAll(anonymous, meant);
      const [open = first] = [...told.filter(isAccepted), ...told];
      // What stands at a path that nobody named may be anything.
      if (named === undefined && !isAccepted(open))
        unmet(`${first.request.path} requires a credential; bindings.${subject} is not given`, first);
      expect('discovery.needs-no-credential', open, 'without a credential').toBeAccepted();
      observe('discovery.shapes', `path of ${subject}`, open.request.path);
    },
  );
}

function askAll(actor: Actor, candidates: readonly string[]): Promise<readonly Exchange[]> {
  return Promise.all(candidates.map((path) => actor.request({ path })));
}
