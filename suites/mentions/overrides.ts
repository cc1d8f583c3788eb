import type { Actor } from '../../harness/client/actor.ts';
import { isAccepted, isRefusal, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { principalsOf, type Provenance } from '../../harness/stream/identities.ts';
import { readPage, type PageItem } from '../../harness/stream/page.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn, type Draft } from '../../harness/stream/stream-view.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { judgeEach, type Judgement } from '../../spec/oracles/values/judgement.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { mentionsStatuses } from '../../spec/oracles/answers/server-errors.ts';
import { acceptedAmong } from '../arrange/send/accepted-sends.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { mention, mentionNeeds, type Mentioning } from '../arrange/mentions/mentioning.ts';
import { arranged } from '../arrange/or-else.ts';
import { lacking } from '../arrange/provisioned.ts';
import { agentTarget } from '../arrange/send/proof.ts';

/** Who tries to see what is not for it, with which values of the parameter, and what of a listing shows that it does. */
interface Trial {
  readonly asker: Actor;
  readonly values: readonly string[];
  /** A cursor that something of it comes next after: the newest page may be cut before that. */
  readonly before: bigint;
  readonly isForeign: (item: PageItem) => boolean;
  /** Somebody who names with the parameter what its listing is of anyway, and by which value: also that is an override, and refused. */
  readonly own: { readonly asker: Actor; readonly value: string };
}

/** Names under which a server might take a recipient, and which of its ids it might want beside the agent's. */
const recipients: readonly (readonly [name: string, idOf?: (recipient: Provenance) => string | undefined])[] =
  [
    ['agent_id'],
    ['agent'],
    ['recipient'],
    ['recipient_id'],
    ['target_id'],
    ['as'],
    ['for'],
    ['mentioned'],
    ['user_id', ({ humanUserId }) => humanUserId],
    ['human_user_id', ({ humanUserId }) => humanUserId],
    ['machine_id', ({ machineId }) => machineId],
  ];

const workspaces = ['workspace_id', 'workspace', 'tenant_id', 'team_id', 'org_id'];

/** No parameter turns a listing into that of somebody else. */
export const mentionOverrideChecks: readonly Check[] = [
  ...recipients.map(([name, idOf]) =>
    overrideCheck(name, 'recipient', (context) => tryForTheAuthor(context, idOf)),
  ),
  ...workspaces.map((name) => overrideCheck(name, 'workspace', tryFromAbroad)),
];

function overrideCheck(
  name: string,
  subject: 'recipient' | 'workspace',
  arrange: (context: Mentioning) => Promise<Trial>,
): Check {
  const clause = `mentions.no-${subject}-override` as const;
  // ids: mentions.parameter-<name>-does-not-change-the-<subject>
  // mentions.no-recipient-override: No query parameter makes the listing show the mentions of another
  //   recipient.
  // mentions.no-workspace-override: No query parameter makes the listing show another workspace.
  return check(
    `mentions.parameter-${name.replaceAll('_', '-')}-does-not-change-the-${subject}`,
    {
      title: `a listing with the parameter ${name} shows nothing of another ${subject}`,
      clauses: [clause, 'mentions.override-is-400'],
      needs: subject === 'workspace' ? [...mentionNeeds, 'stranger'] : mentionNeeds,
    },
    async (context) => {
      const { asker, values, before, isForeign, own } = await arrange(context);
      const isShown = (listing: Exchange): boolean => itemsOf(listing).some(isForeign);
      const plain = await asker.mentions({ limit: 100 });
      given(isAccepted(plain), 'a listing without the parameter was not accepted', plain);
      const withUnknown = await asker.mentions({ limit: 100, order: 'desc' });
      given(!isShown(plain), `the listing shows another ${subject} without being asked`, plain);
      const asked = await Promise.all(values.map((value) => asker.mentions({ limit: 100, [name]: value })));
      const undecided = asked.find((each) => !isAccepted(each) && !isRefusal(each));
      given(
        undecided === undefined,
        'a listing with the parameter was neither accepted nor refused',
        undecided,
      );
      const taken = acceptedAmong(values, asked);
      const there = await Promise.all(
        taken.map((value) => asker.mentions({ after: before, limit: 100, [name]: value })),
      );
      // What shares a human with the subject has its messages for its own, only later, or behind the newest page.
      const again = await Promise.all([
        asker.mentions({ limit: 100 }),
        asker.mentions({ after: before, limit: 100 }),
      ]);
      const unasked = again.find(isShown);
      given(unasked === undefined, `the listing shows another ${subject} without being asked`, unasked);
      const problem = { expected: `nothing of another ${subject}`, actual: 'a message of it' };
      const shown = [...asked, ...there].filter(isShown);
      const evidence = shown.length > 0 ? shown : [...asked, ...there];
      context.expect.holds(clause, shown.length === 0, problem, plain, ...evidence);
      const ofItsOwn = await own.asker.mentions({ limit: 100, [name]: own.value });
      for (const each of [...asked.slice(0, 1), ofItsOwn])
        context.expect.judgement('mentions.override-is-400', judgeOverride(each, withUnknown), each);
    },
  );
}

/** The reader tries to see what names the author alone, by its peer and, where there is one, by an API key: with that it shares nobody. */
async function tryForTheAuthor(
  context: Mentioning,
  idOf: (recipient: Provenance) => string | undefined = () => undefined,
): Promise<Trial> {
  const { author, reader: asker, identities, optional } = context;
  const key = optional('api-key');
  const placed = await mentionOf(context, 'author');
  const byKey = key && (await arranged(() => mentionOf(context, 'author', key)));
  const all = byKey === undefined ? [placed] : [placed, byKey];
  const before = all.map((each) => each.before).reduce((least, each) => (each < least ? each : least));
  const recipient = await identities.provenance(author);
  const reader = await identities.provenance(asker);
  const values = [...new Set([recipient.agentId, idOf(recipient) ?? recipient.agentId])];
  const own = { asker, value: idOf(reader) ?? reader.agentId };
  const isForeign = (item: PageItem): boolean => all.some(({ draft }) => findIn([item], draft) !== undefined);
  return { asker, values, before, own, isForeign };
}

/** A stranger tries to see the workspace of the others, who are all mentioned there: whomever the parameter leads to. */
async function tryFromAbroad(context: Mentioning): Promise<Trial> {
  const asker = context.optional('stranger') ?? unmet(lacking('stranger'));
  const id = await context.identities.workspaceId();
  const { draft: other } = await mentionOf(context, 'author');
  const { draft, before } = await mentionOf(context, 'reader');
  await arranged(() => mentionFromAbroad(context, asker));
  const own = { asker: context.author, value: id };
  // What shows the workspace of whoever asks is known by its text.
  const isForeign = (item: PageItem) =>
    isSameId(asText(item.message['workspace_id']), id) ||
    [draft, other].some((each) => findIn([item], each) !== undefined);
  return { asker, values: [id], before, own, isForeign };
}

/**
 * An override is refused with 400. Decides nothing on a server that treats any parameter it does not have like that one,
 * nor by a status that the call does not have at all: both have clauses of their own. Nor by a limit, which says nothing of the parameter.
 */
function judgeOverride(overridden: Exchange, unknown: Exchange): Judgement {
  const status = statusOf(overridden);
  const isDocumented =
    isAccepted(overridden) || (isRefusal(overridden) && mentionsStatuses.includes(status ?? 0));
  const judged = isDocumented && statusOf(unknown) === 400 ? [status] : [];
  return judgeEach(judged, (each) =>
    each === 400 ? undefined : { expected: 'status 400', actual: describeAnswer(overridden) },
  );
}

/** Names somebody of another workspace, where the server takes that: a parameter may change the workspace alone. */
function mentionFromAbroad(context: Mentioning, stranger: Actor): Promise<PageItem> {
  const { author, channel, shared } = context;
  return shared('a mention of somebody from abroad', async () => {
    const targets = [await agentTarget(context, stranger)];
    return channel.arrival(await mention(context, { from: author, channelId: channel.id, targets }));
  });
}

/** A message, and a cursor right before it. */
interface Placed {
  readonly draft: Draft;
  readonly before: bigint;
}

/**
 * A message that names an agent in every way, as its feed lists it; by default from neither of the two askers where that is possible. It is
 * on the newest page, where no byte cap cuts that.
 */
async function mentionOf(context: Mentioning, who: 'author' | 'reader', sender?: Actor): Promise<Placed> {
  const { author, reader, channel, feedOf, identities, optional, shared } = context;
  const [named, other] = who === 'author' ? [author, reader] : [reader, author];
  const make = async (): Promise<Placed> => {
    const targets = principalsOf(await identities.provenance(named));
    const feed = await feedOf(named, other);
    const since = await feed.since();
    const from = sender ?? (who === 'author' ? optional('peer') : undefined) ?? other;
    const draft = await mention(context, { from, channelId: channel.id, targets });
    const { found } = await seekListed(context, feed, since, [await channel.arrival(draft)]);
    const place =
      found[0]?.sequence ?? unmet(`the mentions of the ${who} do not show a message that names it`);
    return { draft, before: place - 1n };
  };
  const known = await shared(`a mention of the ${who} in every way by ${sender?.name ?? 'another'}`, make);
  return findIn(itemsOf(await named.mentions({ limit: 100 })), known.draft) === undefined ? make() : known;
}

function itemsOf(listing: Exchange): readonly PageItem[] {
  return readPage(listing, 'mentions').items;
}
