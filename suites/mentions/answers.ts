import { isRecord, listMentions } from '../../spec/calls/index.ts';
import { headerOf, isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { readMentions } from '../../harness/stream/mentions-view.ts';
import { provenanceOf } from '../../harness/stream/identities.ts';
import { readPage } from '../../harness/stream/page.ts';
import { walk } from '../../harness/stream/walk.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { isUuid } from '../../spec/index.ts';
import { eventually } from '../arrange/eventually.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { mention, mentionNeeds } from '../arrange/mentions/mentioning.ts';

/** How the call answers a request with nothing wrong in it, and whom it takes the caller for. */
export const mentionAnswerChecks: readonly Check[] = [
  // mentions.status-is-200: A listing of mentions that succeeds has status 200.
  check(
    'mentions.success-is-200',
    {
      title: 'a listing that succeeds has status 200',
      clauses: ['mentions.status-is-200'],
      needs: ['author'],
      needsMemory: true,
    },
    async ({ author, expect, observe }) => {
      const listings = await Promise.all([author.mentions({ after: 0, limit: 10 }), author.mentions()]);
      // Without a body it can only be an empty one, which has a clause of its own.
      const listed = listings.filter((each) => isAccepted(each) && each.response?.json !== undefined);
      given(listed.length > 0, 'no listing was accepted', listings[0]);
      for (const each of listed) expect('mentions.status-is-200', each).toHaveStatus(200);
      const withBody = await author.request({
        ...listMentions({ limit: 1 }),
        call: 'other',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      observe('mentions.get-with-a-body', 'a read of mentions with {} as its body', describeAnswer(withBody));
    },
  ),
  // mentions.empty-page: A caller whom nothing mentions gets a success without items.
  check(
    'mentions.empty-listing-is-a-success',
    {
      title: 'a caller with nothing to list gets a success without items',
      clauses: ['mentions.empty-page'],
      needs: ['author'],
      needsMemory: true,
    },
    async (context) => {
      const { author, expect } = context;
      const [newest, fromZero] = await Promise.all([
        author.mentions({ limit: 10 }),
        author.mentions({ after: 0, limit: 10 }),
      ]);
      given(isAccepted(newest) === isAccepted(fromZero), 'one way of asking is refused', newest);
      const { items, nextAfter } = readPage(newest, 'mentions');
      // Who was mentioned before has nothing to list beyond the end of what there is.
      const isEmpty = !isAccepted(newest) || items.length === 0;
      // A byte cap may have left something behind the newest page, and others may mention the author meanwhile.
      const lookAtEnd = async (): Promise<Exchange> => {
        const { nextAfter: end } = await walk((after) => readMentions(author, after, 10), nextAfter);
        return author.mentions({ after: end, limit: 10 });
      };
      const isAtEnd = (answer: Exchange): boolean =>
        statusOf(answer) !== 409 && readPage(answer, 'mentions').items.length === 0;
      const empty = isEmpty ? newest : await eventually(context, lookAtEnd, isAtEnd);
      // Whether a replica may find a cursor ahead of what it knows has a clause of its own.
      given(isEmpty || statusOf(empty) !== 409, 'the cursor just issued is a conflict', empty);
      given(readPage(empty, 'mentions').items.length === 0, 'others mention the author all the time', empty);
      expect('mentions.empty-page', empty).toBeAccepted();
      const body = empty.response?.json;
      const isList = isRecord(body) && Array.isArray(body['mentions']);
      const problem = {
        expected: 'a listing with a list in it',
        actual: `${describeAnswer(empty)} without one`,
      };
      expect.holds('mentions.empty-page', isList, problem, empty);
    },
  ),
  // mentions.agent-id-header.is-the-caller: The agent id header names the agent that asks, the same one on
  //   every request of one agent token.
  check(
    'mentions.agent-id-names-the-caller',
    {
      title: 'the agent id header is the id under which the caller sends messages and is mentioned',
      clauses: ['mentions.agent-id-header.is-the-caller'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { author, reader, channel, expect, names, identities, feedOf, observe, optional } = context;
      const listing = await reader.mentions({ limit: 1 });
      const header = agentIdOf(listing, names.agentIdHeader);
      const { agentId } = await identities.provenance(reader);
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      // The id that a mention is to name in order to arrive is the agent's, whatever the others say.
      const named = await mention(context, {
        from: author,
        channelId: channel.id,
        targets: [{ kind: 'agent', id: agentId }],
      });
      const { found, exchanges } = await seekListed(context, feed, from, [await channel.arrival(named)]);
      if (found[0] === undefined)
        unmet('naming the author id of its messages does not reach the reader', exchanges[0]);
      expect.equal(
        'mentions.agent-id-header.is-the-caller',
        'the agent id header',
        header,
        agentId.toLowerCase(),
        listing,
      );
      const { agentId: another } = await identities.provenance(author);
      const claims = { [names.agentIdHeader]: another };
      const claimed = await reader.request({ ...listMentions({ limit: 1 }), headers: claims });
      if (isAccepted(claimed))
        expect.equal(
          'mentions.agent-id-header.is-the-caller',
          'the agent id header for a caller whose request has another one',
          agentIdOf(claimed, names.agentIdHeader),
          agentId.toLowerCase(),
          claimed,
        );
      const byKey = await optional('api-key')?.mentions({ limit: 1 });
      if (byKey !== undefined && isAccepted(byKey)) {
        const id = headerOf(byKey, names.agentIdHeader)?.toLowerCase();
        const isAuthor = id === (await identities.agentId(author)).toLowerCase();
        observe(
          'mentions.agent-id-header.of-an-api-key',
          'id that an API key is given',
          isAuthor ? "the author's" : 'another one',
        );
      }
    },
  ),
  // mentions.agent-id-header.api-key-speaks-for: For an API key whose messages show an agent as their author,
  //   the agent id header names that agent.
  check(
    'mentions.agent-id-names-whom-an-api-key-writes-as',
    {
      title: 'the agent id header of an API key is the id under which its messages are shown',
      clauses: ['mentions.agent-id-header.api-key-speaks-for'],
      needs: ['api-key', 'author', 'channel'],
    },
    async ({ apiKey: key, channel, draft, expect, names }) => {
      const written = draft();
      const sent = await key.send(channel.id, written.text);
      given(isAccepted(sent), 'the API key may not send', sent);
      const { message, exchange } = await channel.arrival(written);
      const { agentId } = provenanceOf(message);
      const listing = await key.mentions({ limit: 1 });
      expect.equal(
        'mentions.agent-id-header.api-key-speaks-for',
        'the agent id header of an API key',
        agentIdOf(listing, names.agentIdHeader),
        agentId.toLowerCase(),
        sent,
        exchange,
        listing,
      );
    },
  ),
];

/** The id that a listing names its caller by; whether there is one at all is for others to judge. */
function agentIdOf(listing: Exchange, header: string): string {
  const id = headerOf(listing, header);
  return id !== undefined && isUuid(id)
    ? id.toLowerCase()
    : unmet(`a listing came without a usable ${header}`, listing);
}
