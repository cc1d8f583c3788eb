import type { JsonRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Always } from '../../harness/check/context.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { hasId, isSameId } from '../../spec/oracles/answers/overview.ts';
import { isShutOut, requireLetIn } from '../arrange/auth/closed-call.ts';
import { eventually, settle } from '../arrange/eventually.ts';
import { arranged, isArranged } from '../arrange/or-else.ts';
import { humanIn, idsOf, nameOf, overviewIn } from '../arrange/overview-parts.ts';
import { requireBehind } from '../arrange/provisioned.ts';

/** The names that a member is given, one after the other. */
const [formerName, newName] = ['Vera Formername', 'Nova Newname'];

/** Members that leave, and members that are renamed. */
export const overviewMemberChecks: readonly Check[] = [
  // overview.members.active-only: A member that is no longer active is not among the `members`.
  check(
    'overview.former-member-is-not-listed',
    {
      title:
        'a member whose membership ended is no longer among the members, the others still are, one whose machine is inactive too, and one that came back is again, once; a machine of another workspace sees none of it',
      clauses: [
        'overview.members.active-only',
        'overview.members.of-the-workspace',
        'overview.members.leave-at-once',
        'overview.members.lists-somebody',
      ],
      needs: ['provision-hook', 'deactivate-hook'],
    },
    async (context) => {
      const { deactivate, expect, provision, restore } = context;
      // Before there is the workspace: whoever is listed elsewhere by now may be a member of both.
      const early = await seenElsewhere(context);
      const fresh = await provision();
      const { identities, workspaceId } = fresh;
      const ask = (): Promise<Exchange> => fresh.actor('machine').overview(workspaceId);
      const { machineId, ...author } = await identities.provenance(fresh.actor('author'));
      // Whoever came last may be shown late.
      await settle(context);
      // Right before it leaves: then whatever remembers members does.
      const before = await ask();
      requireLetIn(before, 'machine of the fresh workspace');
      const humanUserId = requireBehind(author.humanUserId, 'author', 'human');
      const isAnother = !isSameId(humanUserId, humanIn(before));
      given(
        isAnother,
        'the overview says that machine acts for the human of author: hooks.provision can give reader another one',
        before,
      );
      const listed = memberIds(before);
      given(listed.length > 1, 'fewer than two members are listed with an id', before);
      const meanwhileElsewhere = early && (await seenElsewhere(context));

      if (machineId !== undefined) {
        const machine = { kind: 'machine', machineId, workspaceId } as const;
        await arranged(() => deactivate(machine));
        const meanwhile = await ask();
        await arranged(() => restore(machine));
        // A machine that opens nothing now is the author's as well.
        if (isAccepted(meanwhile)) {
          const ids = memberIds(meanwhile);
          const problem = {
            expected: `at least ${listed.length} members while a machine of one is inactive`,
            actual: `${ids.length}`,
          };
          expect.holds(
            'overview.members.lists-somebody',
            ids.length >= listed.length,
            problem,
            before,
            meanwhile,
          );
        }
      }
      const membership = { kind: 'membership', humanUserId, workspaceId } as const;
      await deactivate(membership);
      // Whether the id of a member is that of the human or of the membership is not shown: where it is not the human's, one less is there.
      const [former, isKnown] = [humanUserId, listed.some((id) => isSameId(id, humanUserId))];
      const hasLeft = (answer: Exchange): boolean => {
        const ids = memberIds(answer);
        return isKnown ? !ids.some((id) => isSameId(id, former)) : ids.length < listed.length;
      };
      await settle(context);
      const soon = await ask();
      const after = isAccepted(soon) && hasLeft(soon) ? soon : await eventually(context, ask, hasLeft);
      requireLetIn(after, 'machine after a member left');
      given(memberIds(after).length > 0, 'nobody is listed any more', after);
      const problem = isKnown
        ? { expected: `${humanUserId} not among the members`, actual: 'it is' }
        : {
            expected: `fewer than the ${listed.length} members of before`,
            actual: `${memberIds(after).length}`,
          };
      expect.holds('overview.members.active-only', hasLeft(after), problem, before, after);
      if (isAccepted(soon))
        expect.holds('overview.members.leave-at-once', hasLeft(soon), problem, before, soon);
      const late = meanwhileElsewhere && (await seenElsewhere(context));
      if (early && meanwhileElsewhere && late && hasLeft(after)) {
        const gone = listed.filter((id) => !memberIds(after).some((each) => isSameId(each, id)));
        // Who came and left there, too, when it came and left here, is listed for what it is here.
        const strange = gone.find((id) => {
          const [wasThere, isThere, isLeft] = [early, meanwhileElsewhere, late].map((answer) =>
            hasId(overviewIn(answer).members, id),
          );
          return isThere === true && wasThere === false && isLeft === false;
        });
        const ofOthers = {
          expected: 'no member of a workspace that was made since among the members of another',
          actual: `${String(strange)}, for as long as it was a member there`,
        };
        expect.holds(
          'overview.members.of-the-workspace',
          strange === undefined,
          ofOthers,
          early,
          meanwhileElsewhere,
          after,
          late,
        );
      }

      const isRestored = await arranged(async () => {
        await restore(membership);
        return true;
      });
      if (isRestored !== true) return;
      // Whether it comes back under the membership of before is open: then one more is there.
      const isBack = (answer: Exchange): boolean => memberIds(answer).length > memberIds(after).length;
      const back = await eventually(context, ask, isBack);
      requireLetIn(back, 'machine after a member came back');
      const count = memberIds(back).length;
      expect.holds(
        'overview.members.lists-somebody',
        isBack(back),
        { expected: `more than ${memberIds(after).length} members after one came back`, actual: `${count}` },
        after,
        back,
      );
      const times = memberIds(back).filter((id) => isSameId(id, former)).length;
      expect.holds(
        'overview.members.lists-somebody',
        times <= 1,
        { expected: `${humanUserId} once among the members after its return`, actual: `${times} times` },
        after,
        back,
      );
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
      const reader = await fresh.identities.provenance(fresh.actor('reader'));
      const before = await ask();
      requireLetIn(before, 'machine of the fresh workspace');
      const humanUserId = requireBehind(reader.humanUserId, 'reader', 'human');

      // No answer says whose a machine token is: it is whose membership it hangs on.
      const member = { kind: 'membership', humanUserId, workspaceId: fresh.workspaceId } as const;
      await deactivate(member);
      const without = await eventually(context, ask, isShutOut);
      await restore(member);
      requireLetIn(await eventually(context, ask, isAccepted), 'machine when all is as before');
      given(
        isShutOut(without),
        'the overview stays open without the membership of the reader’s human: its machine token is that of somebody else, or nothing looks at the membership',
        without,
      );
      const expectOwn = (answer: Exchange): void => {
        const whose = humanIn(answer);
        const problem = { expected: `the membership of ${humanUserId}`, actual: `that of ${whose}` };
        expect.holds('overview.membership.is-the-callers', isSameId(whose, humanUserId), problem, answer);
      };
      expectOwn(before);
      // Two of one name are two.
      const { humanUserId: other } = await fresh.identities.provenance(fresh.actor('author'));
      const rename = context.optionalHook('rename-hook')?.rename;
      if (rename === undefined || other === undefined || isSameId(other, humanUserId)) return;
      await rename({ kind: 'user', id: humanUserId, displayName: newName });
      // A server may want names that differ within a workspace: then there are no two of one name.
      const namesake = { kind: 'user', id: other, displayName: newName, isUnusual: true } as const;
      if (!(await isArranged(rename(namesake)))) return;
      await settle(context);
      const namesakes = await ask();
      requireLetIn(namesakes, 'machine beside a namesake');
      expectOwn(namesakes);
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
      const author = await fresh.identities.provenance(fresh.actor('author'));
      const id = requireBehind(author.humanUserId, 'author', 'human');
      const renamedTo = async (
        displayName: string,
        isEnough: (answer: Exchange) => boolean,
      ): Promise<Exchange> => {
        await context.rename({ kind: 'user', id, displayName });
        return eventually(context, () => fresh.actor('machine').overview(fresh.workspaceId), isEnough);
      };
      // A human has one name and a member two, and whose a member's id is is not shown: a first renaming ties them.
      const first = await renamedTo(formerName, (answer) => memberNamed(answer, formerName) !== undefined);
      const member = memberNamed(first, formerName);
      given(member !== undefined, 'no member has the name that hooks.rename gave its human', first);
      given(typeof member['id'] === 'string', 'the overview shows no ids of its members', first);
      const answer = await renamedTo(newName, (each) => nameOf(memberWith(each, member['id'])) === newName);
      const name = nameOf(memberWith(answer, member['id']));
      context.expect.equal('overview.shows-the-current-names', 'member', name, newName, answer);
    },
  ),
];

/** The overview of the target’s own machine; `undefined` where there is none. */
async function seenElsewhere({
  identities,
  optional,
}: Pick<Always, 'identities' | 'optional'>): Promise<Exchange | undefined> {
  const machine = optional('machine');
  if (machine === undefined) return undefined;
  const seen = await arranged(async () => machine.overview(await identities.workspaceId()));
  return seen !== undefined && isAccepted(seen) ? seen : undefined;
}

function memberIds(overview: Exchange): readonly string[] {
  return idsOf(overviewIn(overview).members);
}

function memberNamed(overview: Exchange, name: string): JsonRecord | undefined {
  return overviewIn(overview).members.find((member) => nameOf(member) === name);
}

function memberWith(overview: Exchange, id: unknown): JsonRecord | undefined {
  return overviewIn(overview).members.find((member) => member['id'] === id);
}
