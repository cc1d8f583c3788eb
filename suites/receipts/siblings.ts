import { isAccepted } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { messageIdOf, report, requireReported, seePreview } from '../arrange/receipts/reports.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

/** Who is close to the author, and somebody else. */
export const siblingChecks: readonly Check[] = [
  // receipts.siblings-of-the-author-are-listed: An agent that shares its human with the author is no author,
  //   and is listed once it has reported.
  check(
    'receipts.another-agent-of-the-authors-human-is-listed',
    {
      title:
        'where a message names its reader, another agent of the human of its author is listed as that is, and agents without a human or a machine are, once all have reported',
      clauses: ['receipts.siblings-of-the-author-are-listed', 'receipts.reported-agent-is-listed'],
      arranges: ['receipts.agent-ids.no-author'],
      needs: ['provision-hook', 'report-receipt-binding'],
    },
    async (context) => {
      const { bindings, draft, expect, provision } = context;
      const fresh = await provision();
      const { channel, identities } = fresh;
      const author = fresh.actor('author');
      const others = fresh.lacking.filter(({ name }) => name !== fresh.without('machine').name);
      const agents = [fresh.actor('reader'), fresh.without('machine'), ...others];
      const [own, reader, sibling, ...loners] = [
        await identities.provenance(author),
        ...(await Promise.all(agents.map((each) => identities.provenance(each)))),
      ];
      const humans = [own.humanUserId, sibling?.humanUserId];
      const isSibling = humans.every((id) => id !== undefined && isSameId(id, humans[0] ?? ''));
      given(isSibling, 'the agent without a machine is not of the human of the author');
      const isItself = [own, reader].some((each) => each && isSameId(each.agentId, sibling?.agentId ?? ''));
      given(!isItself, 'the agent without a machine is the author or the reader itself');
      const [from, message] = [await channel.since(), draft()];
      // Who reported is listed whomever the message names; where no targets are taken, it names nobody.
      const targets = [{ kind: 'agent', id: reader?.agentId }];
      if (
        !isAccepted(await author.send(channel.id, message.text, { fields: { [bindings.mentions]: targets } }))
      )
        requireAccepted(await author.send(channel.id, message.text));
      const messageId = messageIdOf(await channel.arrival(message));
      const about = { bindings, channelId: channel.id, messageId };
      const reports = await Promise.all(agents.map((each) => report(each, about)));
      requireReported(...reports.slice(0, 2));
      const taken = reports.slice(2).map(isAccepted);
      const reporters = loners.filter(
        ({ agentId }, at) => taken[at] === true && !isSameId(agentId, own.agentId),
      );
      const [readerId = '', siblingId = ''] = [reader, sibling].map((each) => each?.agentId.toLowerCase());
      const { preview, exchange } = await seePreview(
        context,
        channel,
        { draft: message, from },
        ({ agentIds, hasMore }) => hasMore || agentIds.length >= 2 + reporters.length,
      );
      given(preview.agentIds.includes(readerId), 'the report of the reader is not shown either', exchange);
      expect.holds(
        'receipts.siblings-of-the-author-are-listed',
        preview.hasMore || preview.agentIds.includes(siblingId),
        { expected: `${siblingId}, which reported its retrieval`, actual: 'it is not listed' },
        exchange,
      );
      for (const { agentId } of reporters)
        expect.holds(
          'receipts.reported-agent-is-listed',
          preview.hasMore || preview.agentIds.includes(agentId.toLowerCase()),
          { expected: `${agentId}, which reported its retrieval`, actual: 'it is not listed' },
          exchange,
        );
    },
  ),
];
