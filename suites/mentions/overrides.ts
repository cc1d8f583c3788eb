import type { Actor } from '../../harness/client/actor.ts';
import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { readPage } from '../../harness/stream/page.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Provenance } from '../../harness/stream/identities.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { asText } from '../../oracles/values/json-texts.ts';
import { judgeEach } from '../../oracles/values/judgement.ts';
import type { Judgement } from '../../oracles/values/judgement.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { mention, mentionNeeds } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import type { Mentioning } from '../arrange/mentions/mentioning.ts';
import { quietMentions } from '../arrange/mentions/series.ts';

/** The statuses that the call refuses with. */
const documentedRefusals: readonly number[] = [400, 401, 403, 409, 429];

/** A name under which a server might take another recipient, and which of its ids it might want beside the agent's. */
interface RecipientParameter {
  readonly name: string;
  readonly idOf?: (recipient: Provenance) => string | undefined;
}

const humanOf = ({ humanUserId }: Provenance): string | undefined => humanUserId;

const recipientParameters: readonly RecipientParameter[] = [
  ...['agent_id', 'agent', 'recipient', 'recipient_id', 'target_id', 'as', 'for', 'mentioned'].map(
    (name) => ({ name }),
  ),
  { name: 'user_id', idOf: humanOf },
  { name: 'human_user_id', idOf: humanOf },
  { name: 'machine_id', idOf: ({ machineId }) => machineId },
];

const workspaceParameters = ['workspace_id', 'workspace', 'tenant_id', 'team_id', 'org_id'];

/** No parameter turns a listing into that of somebody else. */
export const mentionOverrideChecks: readonly Check[] = [
  ...recipientParameters.map(recipientCheck),
  ...workspaceParameters.map(workspaceCheck),
];

function recipientCheck({ name, idOf }: RecipientParameter): Check {
  // ids: mentions.parameter-<name>-does-not-change-the-recipient
  // mentions.no-recipient-override: No query parameter makes the listing show the mentions of another
  //   recipient.
  return check(
    `mentions.parameter-${slugOf(name)}-does-not-change-the-recipient`,
    {
      title: `a listing with the parameter ${name} shows nothing that is another recipient's`,
      clauses: ['mentions.no-recipient-override', 'mentions.override-is-400'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { author, reader, expect, identities } = context;
      const named = await mentionOfTheAuthor(context);
      const recipient = await identities.provenance(author);
      const { plain, unknown } = await askPlainly(reader);
      const isShown = (listing: Exchange): boolean => findIn(itemsOf(listing), named) !== undefined;
      given(!isShown(plain), 'the listing shows what names another recipient without being asked', plain);
      const byAgent = await reader.mentions({ limit: 100, [name]: recipient.agentId });
      const byPrincipal = await reader.mentions({
        limit: 100,
        [name]: idOf?.(recipient) ?? recipient.agentId,
      });
      const isNowhere = !isShown(byAgent) && !isShown(byPrincipal);
      const problem = { expected: 'nothing that names the author alone', actual: 'a mention of the author' };
      expect.holds('mentions.no-recipient-override', isNowhere, problem, plain, byAgent, byPrincipal);
      expect.judgement('mentions.override-is-400', judgeOverride(byAgent, unknown), byAgent);
    },
  );
}

function workspaceCheck(name: string): Check {
  // ids: mentions.parameter-workspace-id-does-not-change-the-workspace,
  //   mentions.parameter-workspace-does-not-change-the-workspace,
  //   mentions.parameter-tenant-id-does-not-change-the-workspace,
  //   mentions.parameter-team-id-does-not-change-the-workspace,
  //   mentions.parameter-org-id-does-not-change-the-workspace
  // mentions.no-workspace-override: No query parameter makes the listing show another workspace.
  return check(
    `mentions.parameter-${slugOf(name)}-does-not-change-the-workspace`,
    {
      title: `a listing with the parameter ${name} shows nothing of another workspace`,
      clauses: ['mentions.no-workspace-override', 'mentions.override-is-400'],
      needs: [...mentionNeeds, 'stranger'],
    },
    async (context) => {
      const { stranger, expect, identities } = context;
      const workspaceId = await identities.workspaceId();
      // There are mentions to be seen in that workspace, whichever of its agents the parameter leads to.
      await quietMentions(context);
      await mentionOfTheReader(context);
      const { plain, unknown } = await askPlainly(stranger);
      const isForeign = (listing: Exchange): boolean =>
        itemsOf(listing).some(({ message }) => isSameId(asText(message['workspace_id']), workspaceId));
      given(!isForeign(plain), 'the listing shows another workspace without being asked', plain);
      const overridden = await stranger.mentions({ limit: 100, [name]: workspaceId });
      const problem = { expected: `nothing of workspace ${workspaceId}`, actual: 'one of its messages' };
      expect.holds('mentions.no-workspace-override', !isForeign(overridden), problem, plain, overridden);
      expect.judgement('mentions.override-is-400', judgeOverride(overridden, unknown), overridden);
    },
  );
}

/** The control requests: a listing with only a limit, and the same with a parameter that overrides nothing. */
async function askPlainly(actor: Actor): Promise<{ readonly plain: Exchange; readonly unknown: Exchange }> {
  const plain = await actor.mentions({ limit: 100 });
  given(isAccepted(plain), 'a listing without the parameter was not accepted', plain);
  return { plain, unknown: await actor.mentions({ limit: 100, order: 'desc' }) };
}

/**
 * An override is refused with 400. Decides nothing on a server that treats any parameter it does not have like that one,
 * nor by a status that the call does not have at all: both have clauses of their own.
 */
function judgeOverride(overridden: Exchange, unknown: Exchange): Judgement {
  const status = statusOf(overridden);
  const isDocumented = isAccepted(overridden) || documentedRefusals.includes(status ?? 0);
  const judged = isDocumented && statusOf(unknown) === 400 ? [status] : [];
  return judgeEach(judged, (each) =>
    each === 400 ? undefined : { expected: 'status 400', actual: describeAnswer(overridden) },
  );
}

/** A message that names the author in every way, from somebody who is neither the author nor, where possible, the reader. */
function mentionOfTheAuthor(context: Mentioning): Promise<Draft> {
  const { author, reader, channel, feedOf, identities, optional, shared } = context;
  return shared('mention-of-the-author', async () => {
    const { agentId, humanUserId, machineId } = await identities.provenance(author);
    const targets = [
      { kind: 'agent', id: agentId },
      ...(humanUserId === undefined ? [] : [{ kind: 'user', id: humanUserId }]),
      ...(machineId === undefined ? [] : [{ kind: 'machine', id: machineId }]),
    ];
    const feed = await feedOf(author, reader);
    const named = await mention(context, {
      from: optional('peer') ?? reader,
      channelId: channel.id,
      targets,
    });
    const { found } = await seekListed(context, feed, undefined, [await channel.arrival(named)]);
    return found[0] === undefined ? unmet('a message that names the author is not listed for it') : named;
  });
}

/** A message that names the reader, as its feed lists it. */
function mentionOfTheReader(context: Mentioning): Promise<Draft> {
  const { author, reader, channel, feedOf, shared } = context;
  return shared('mention-of-the-reader', async () => {
    const feed = await feedOf(reader, author);
    const targets = [await agentTarget(context, reader)];
    const named = await mention(context, { from: author, channelId: channel.id, targets });
    const { found } = await seekListed(context, feed, undefined, [await channel.arrival(named)]);
    return found[0] === undefined ? unmet('a message that names the reader is not listed for it') : named;
  });
}

function itemsOf(listing: Exchange): readonly PageItem[] {
  return readPage(listing, { after: undefined, limit: 100 }, 'mentions').items;
}

function slugOf(name: string): string {
  return name.replaceAll('_', '-');
}
