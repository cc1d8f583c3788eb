import { isAccepted } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { hasId, isSameId } from '../../oracles/answers/overview.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { eventually } from '../arrange/eventually.ts';
import { humanIn, overviewIn } from '../arrange/overview/parts.ts';

/** The names that a member is given, one after the other. */
const [formerName, newName] = ['Vera Formername', 'Nova Newname'];

/** Members that leave, and members that are renamed. */
export const overviewMemberChecks: readonly Check[] = [
  // overview.members.active-only: A member that is no longer active is not among the `members`.
  check(
    'overview.former-member-is-not-listed',
    {
      title: 'a member whose membership ended is no longer among the members, and the others still are',
      clauses: ['overview.members.active-only'],
      needs: ['provision-hook', 'deactivate-hook'],
    },
    async (context) => {
      const { deactivate, expect, provision } = context;
      const fresh = await provision();
      const ask = (): Promise<Exchange> => fresh.actor('machine').overview(fresh.workspaceId);
      const before = await ask();
      requireLetIn(before, 'machine of the fresh workspace');
      const own = humanIn(before);
      const { humanUserId } = await fresh.identities.provenance(fresh.actor('author'));
      given(humanUserId !== undefined && !isSameId(humanUserId, own), 'author has no human of its own');
      const lists = (answer: Exchange, id: string): boolean => hasId(overviewIn(answer).members, id);
      given(lists(before, humanUserId), 'the members have other ids than the humans they are', before);

      await deactivate({ kind: 'membership', humanUserId, workspaceId: fresh.workspaceId });
      const after = await eventually(context, ask, (answer) => !lists(answer, humanUserId));
      requireLetIn(after, 'machine after a member left');
      given(!lists(before, own) || lists(after, own), 'nobody is listed any more', after);
      const problem = { expected: `${humanUserId} not among the members`, actual: 'it is' };
      expect.holds('overview.members.active-only', !lists(after, humanUserId), problem, after);
    },
  ),
  // overview.membership.is-the-callers: The membership shown belongs to the human behind the machine token.
  check(
    'overview.the-membership-is-the-callers-own',
    {
      title: 'the membership in an overview is that of the human whose leaving closes it to the machine',
      clauses: ['overview.membership.is-the-callers'],
      needs: ['provision-hook', 'deactivate-hook'],
    },
    async (context) => {
      const { deactivate, expect, provision, restore } = context;
      const fresh = await provision();
      const ask = (): Promise<Exchange> => fresh.actor('machine').overview(fresh.workspaceId);
      const { humanUserId } = await fresh.identities.provenance(fresh.actor('reader'));
      const before = await ask();
      requireLetIn(before, 'machine of the fresh workspace');
      const shown = humanIn(before);
      given(humanUserId !== undefined, 'reader has no human in the fresh workspace');

      // No answer says whose a machine token is: it is whose membership it hangs on.
      const member = { kind: 'membership', humanUserId, workspaceId: fresh.workspaceId } as const;
      await deactivate(member);
      const without = await eventually(context, ask, (answer) => !isAccepted(answer));
      await restore(member);
      requireLetIn(await eventually(context, ask, isAccepted), 'machine when all is as before');
      given(!isAccepted(without), 'the machine token hangs on another human than the reader’s', without);
      const problem = { expected: `the membership of ${humanUserId}`, actual: `that of ${shown}` };
      expect.holds('overview.membership.is-the-callers', isSameId(shown, humanUserId), problem, before);
    },
  ),
  // overview.shows-the-current-names: The overview shows a renamed principal under its present name.
  check(
    'overview.shows-a-renamed-member-under-the-new-name',
    {
      title: 'a member that was renamed is shown under the new name',
      clauses: ['overview.shows-the-current-names'],
      needs: ['provision-hook', 'rename-hook'],
    },
    async (context) => {
      const fresh = await context.provision();
      const { humanUserId } = await fresh.identities.provenance(fresh.actor('author'));
      const id = humanUserId ?? unmet('the author that hooks.provision made has no human');
      const renamedTo = async (
        displayName: string,
      ): Promise<{ name: string | undefined; answer: Exchange }> => {
        await context.rename({ kind: 'user', id, displayName });
        const ask = (): Promise<Exchange> => fresh.actor('machine').overview(fresh.workspaceId);
        const answer = await eventually(context, ask, (each) => memberName(each, id) === displayName);
        return { name: memberName(answer, id), answer };
      };
      // A human has one name and a member two: what ties them is not shown, until a first renaming shows it.
      const first = await renamedTo(formerName);
      given(first.name === formerName, 'hooks.rename gives a member no other name', first.answer);
      const { name, answer } = await renamedTo(newName);
      context.expect.equal('overview.shows-the-current-names', 'member', name, newName, answer);
    },
  ),
];

/** First and last name of the member that a human is, empty ones aside; `undefined` when none has that id. */
function memberName(overview: Exchange, humanUserId: string | undefined): string | undefined {
  const member = overviewIn(overview).members.find(
    ({ id }) => typeof id === 'string' && humanUserId !== undefined && isSameId(id, humanUserId),
  );
  return (
    member &&
    [member['first_name'], member['last_name']]
      .filter((name) => typeof name === 'string' && name.trim() !== '')
      .join(' ')
  );
}
