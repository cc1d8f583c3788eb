import { check, type Check } from '../../harness/check/check.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { hasId } from '../../spec/oracles/answers/overview.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { eventually } from '../arrange/eventually.ts';
import { idsOf, overviewIn } from '../arrange/overview-parts.ts';

/** Lists that are longer than a page is by habit. */
export const overviewLongListChecks: readonly Check[] = [
  // overview.channels.lists-a-known-one: A shared channel that an agent of the workspace uses is among the
  //   `channels`.
  check(
    'overview.lists-more-channels-and-members-than-a-page-has',
    {
      title: 'an overview lists every channel and every active member of a workspace that has over a hundred',
      clauses: ['overview.channels.lists-a-known-one', 'overview.members.lists-somebody'],
      needs: ['provision-hook'],
    },
    async (context) => {
      const { expect, provision } = context;
      const fresh = await provision({ isShared: true });
      const { furtherChannels: channels, furtherMembers: members } = fresh;
      given(channels.length + members > 0, 'hooks.provision made no further channels or members');
      const lacking = (answer: Exchange): readonly string[] =>
        channels.filter((id) => !hasId(overviewIn(answer).channels, id));
      const listed = (answer: Exchange): number => new Set(idsOf(overviewIn(answer).members)).size;
      const shown = await eventually(
        context,
        () => fresh.actor('machine').overview(fresh.workspaceId),
        (answer) => lacking(answer).length === 0 && listed(answer) >= members,
      );
      requireLetIn(shown, 'machine of the fresh workspace');
      const parts = overviewIn(shown);
      if ([...parts.channels, ...parts.members].some(({ id }) => typeof id !== 'string'))
        unmet('not every channel and member of the overview shows an id', shown);

      const some = { expected: `at least ${members} members`, actual: `${listed(shown)}` };
      if (members > 0) expect.holds('overview.members.lists-somebody', listed(shown) >= members, some, shown);
      if (channels.length === 0) return;
      const [missing] = lacking(shown);
      // A channel that its agents do not get to see either may be none that they share.
      const used =
        missing === undefined
          ? undefined
          : await fresh.actor('author').readChannel(missing, { after: 0, limit: 1 });
      given(used === undefined || isAccepted(used), 'a channel that is not listed is closed to author', used);
      const all = {
        expected: `all ${channels.length} channels that were added`,
        actual: `${lacking(shown).length} of them are not listed, ${missing} first`,
      };
      expect.holds(
        'overview.channels.lists-a-known-one',
        missing === undefined,
        all,
        shown,
        ...(used === undefined ? [] : [used]),
      );
    },
  ),
];
