import { isAccepted } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { idsIn, textsIn } from '../../spec/oracles/values/json-texts.ts';
import { mayGoOn } from '../../spec/oracles/answers/channel-list.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { fieldsOf, requireNoUnknownDemand } from '../arrange/listings.ts';

/** A call of which the contract shows no more than the path. */
export const listingChecks: readonly Check[] = [
  // channels-list.answers: Channels can be listed by an agent.
  check(
    'discovery.channels-list-answers-an-agent',
    {
      title: 'an agent can list channels',
      clauses: ['channels-list.answers'],
      needs: ['author', 'channel'],
      needsMemory: true,
      isReadOnly: true,
    },
    async ({ author, anonymous, expect, observe }) => {
      const refused = await anonymous.channels();
      given(!isAccepted(refused), 'a request without a credential was let in', refused);
      const listed = await author.channels();
      requireNoUnknownDemand(listed);
      expect('channels-list.answers', listed).toBeAccepted();
      observe('channels-list.shapes', 'fields of the list of channels', fieldsOf(listed));
    },
  ),
  // channels-list.lists-a-known-one: A channel that the agent uses is found in the list.
  check(
    'discovery.channels-list-shows-a-known-channel',
    {
      title: 'a channel that an agent uses is in its list of channels',
      clauses: ['channels-list.lists-a-known-one'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect }) => {
      const used = draft();
      requireLetIn(await author.send(channel.id, used.text), 'author');
      await channel.arrival(used);
      const listed = await author.channels();
      requireLetIn(listed, 'author');
      const ids = idsIn(listed.response?.json);
      const isListed = ids.some((id) => isSameId(id, channel.id));
      const hasIds = ids.length > 0 || textsIn(listed.response?.json).length === 0;
      given(hasIds, 'the list shows no channel ids', listed);
      const isPart = listed.response !== undefined && mayGoOn(listed.response);
      given(isListed || !isPart, 'the list goes on, and how to read on is not shown', listed);
      const problem = { expected: `channel ${channel.id} in the list`, actual: 'it is not there' };
      expect.holds('channels-list.lists-a-known-one', isListed, problem, listed);
    },
  ),
];
