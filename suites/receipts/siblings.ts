import type { Actor } from '../../harness/client/actor.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { readPage } from '../../harness/stream/page.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Provenance } from '../../harness/stream/identities.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import type { Preview } from '../../spec/oracles/answers/receipts.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { eventually } from '../arrange/eventually.ts';
import { arranged } from '../arrange/or-else.ts';
import { messageIdOf, report, requireReported, seePreviewAtLast } from '../arrange/receipts/reports.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

/** Who is close to the author, and somebody else. */
export const siblingChecks: readonly Check[] = [
  // receipts.siblings-of-the-author-are-listed: An agent that shares its human with the author is no author,
  //   and is listed once it has reported.
  check(
    'receipts.another-agent-of-the-authors-human-is-listed',
    {
      title:
        'where a message names its reader, another agent of the human of its author is listed as that is, and agents without a human or a machine are, once all have reported; so is the reader in a second channel',
      clauses: ['receipts.siblings-of-the-author-are-listed', 'receipts.reported-agent-is-listed'],
      arranges: ['receipts.agent-ids.no-author'],
      needs: ['provision-hook', 'report-receipt-binding'],
    },
    async (context) => {
      const { bindings, draft, expect, provision } = context;
      const fresh = await provision();
      const { channel, identities } = fresh;
      const roles = [fresh.actor('author'), fresh.actor('reader')];
      const actors = [
        ...roles,
        ...fresh.lacking.values(),
        ...[fresh.optional('peer')].filter((each) => each !== undefined),
      ];
      const everybody = await Promise.all(
        actors.map(async (actor) => ({ actor, is: await identities.provenance(actor) })),
      );
      const { own, reader, sibling, loners } = familyIn(everybody);
      const [from, message] = [await channel.since(), draft()];
      // Who reported is listed whomever the message names; where no targets are taken, it names nobody.
      const targets = [{ kind: 'agent', id: reader.is.agentId }];
      if (
        !isAccepted(
          await own.actor.send(channel.id, message.text, { fields: { [bindings.mentions]: targets } }),
        )
      )
        requireAccepted(await own.actor.send(channel.id, message.text));
      const messageId = messageIdOf(await channel.arrival(message));
      const about = { bindings, channelId: channel.id, messageId };
      const agents = [reader, sibling, ...loners];
      const reports = await Promise.all(agents.map(({ actor }) => report(actor, about)));
      requireReported(...reports.slice(0, 2));
      const taken = reports.slice(2).map(isAccepted);
      const reporters = loners.filter((_loner, at) => taken[at] === true);
      const [readerId, siblingId] = [reader, sibling].map(({ is }) => is.agentId.toLowerCase()) as [
        string,
        string,
      ];
      const dueIds = [readerId, siblingId, ...reporters.map(({ is }) => is.agentId.toLowerCase())];
      const { preview, exchange } = await seePreviewAtLast(
        context,
        channel,
        { draft: message, from },
        ({ agentIds, hasMore }) => hasMore || dueIds.every((id) => agentIds.includes(id)),
      );
      given(preview.agentIds.includes(readerId), 'the report of the reader is not shown either', exchange);
      expect.holds(
        'receipts.siblings-of-the-author-are-listed',
        preview.hasMore || preview.agentIds.includes(siblingId),
        { expected: `${siblingId}, which reported its retrieval`, actual: 'it is not listed' },
        exchange,
      );
      for (const { agentId } of reporters.map(({ is }) => is))
        expect.holds(
          'receipts.reported-agent-is-listed',
          preview.hasMore || preview.agentIds.includes(agentId.toLowerCase()),
          { expected: `${agentId}, which reported its retrieval`, actual: 'it is not listed' },
          exchange,
        );
      // Whether both may write and report there is open.
      await arranged(() =>
        expectListedElsewhere(context, fresh, { author: own.actor, reporter: reader.actor, readerId }),
      );
    },
  ),
];

/** An agent whose report counts in one channel is listed by a message of the second channel that it reports there. */
async function expectListedElsewhere(
  context: Context<'provision-hook'>,
  fresh: FreshWorkspace,
  {
    author,
    reporter,
    readerId,
  }: { readonly author: Actor; readonly reporter: Actor; readonly readerId: string },
): Promise<void> {
  const { bindings, draft, expect } = context;
  if (fresh.secondChannelId === undefined) return;
  const { secondChannel } = fresh;
  const [from, message] = [await secondChannel.since(), draft()];
  requireAccepted(await author.send(secondChannel.id, message.text));
  const messageId = messageIdOf(await secondChannel.arrival(message));
  // Who may not read a channel may be passed over by a report, or not have joined it.
  const asked = { after: from, limit: 100 };
  const own = await eventually(
    context,
    async () => readPage(await reporter.readChannel(secondChannel.id, asked), bindings.items),
    ({ items }) => findIn(items, message) !== undefined,
  );
  given(findIn(own.items, message) !== undefined, 'who reports is not shown the message', own.exchange);
  requireReported(await report(reporter, { bindings, channelId: secondChannel.id, messageId }));
  const lists = ({ agentIds, hasMore }: Preview): boolean => hasMore || agentIds.includes(readerId);
  const { preview, exchange } = await seePreviewAtLast(
    context,
    secondChannel,
    { draft: message, from },
    lists,
  );
  const problem = {
    expected: `${readerId}, which reported its retrieval in the second channel`,
    actual: 'it is not listed, and was with a message of the first channel',
  };
  expect.holds('receipts.reported-agent-is-listed', lists(preview), problem, exchange);
}

interface Known {
  readonly actor: Actor;
  readonly is: Provenance;
}

/**
 * An author, a reader, an agent of the author's human and whoever is of another or of none. Who shares a human with the author is the
 * operator's to say; the peer does with the reader, who then is the author.
 */
function familyIn([author, reader, ...rest]: readonly Known[]) {
  const isOther = (one: Known | undefined, other: Known | undefined): boolean =>
    !isSameId(one?.is.agentId ?? '', other?.is.agentId ?? '');
  for (const [own, named] of [
    [author, reader],
    [reader, author],
  ]) {
    const human = own?.is.humanUserId;
    const free = rest.filter((each) => isOther(each, own) && isOther(each, named));
    const isSibling = ({ is }: Known): boolean =>
      human !== undefined && isSameId(is.humanUserId ?? '', human);
    const sibling = free.find(isSibling);
    if (own === undefined || named === undefined || sibling === undefined) continue;
    return { own, reader: named, sibling, loners: free.filter((each) => !isSibling(each)) };
  }
  return unmet('no agent that hooks.provision made is of the human of its author or of its reader');
}
