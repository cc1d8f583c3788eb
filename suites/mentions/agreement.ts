import { randomUUID } from 'node:crypto';
import { validSessions } from '../../generators/spaces/session/session-table.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import type { JsonRecord, PageItem } from '../../harness/stream/page.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { withNeutralNames } from '../../harness/wire/neutral-names.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { judgeFeedMessage, judgeMentionIds, judgeSameOrder } from '../../oracles/answers/feed.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { judgeAscending } from '../../oracles/pages/order.ts';
import { validate } from '../../spec/index.ts';
import { inServersWords } from '../arrange/source-session/sessions.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { exchangesOf, mention, mentionNeeds, ownItems } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import type { Mentioning } from '../arrange/mentions/mentioning.ts';
import { mentionSeries } from '../arrange/mentions/series.ts';

/** A session of each provider, on each kind of surface that has a rule of its own. */
const oneOfEachKind = [
  'provider-a-desktop',
  'provider-b-cli',
  'provider-b-cloud',
  'provider-c-cli',
  'provider-d-six-digits',
].flatMap((slug) => validSessions.find((each) => each.slug === slug)?.session ?? []);

/** What a feed shows agrees with the channel and with other feeds. */
export const mentionAgreementChecks: readonly Check[] = [
  // mention.id.is-the-message-id: The `id` of a mention is that of the message inside it.
  check(
    'mentions.id-is-the-message-id',
    {
      title: 'the id of a mention is that of the message in it',
      clauses: ['mention.id.is-the-message-id'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      const page = await feed.readPage(series.after, 10);
      expect.judgement('mention.id.is-the-message-id', judgeMentionIds(page.items), page.exchange);
    },
  ),
  // mentions.feed-agrees-with-channel: A message reads the same in the listing as in its channel, receipts
  //   and the state of files aside.
  check(
    'mentions.message-reads-as-in-its-channel',
    {
      title: 'a message reads the same in the feed as in its channel',
      clauses: ['mentions.feed-agrees-with-channel'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf } = context;
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      const draft = await sendRichly(context);
      const inChannel = await channel.arrival(draft);
      const { found, exchanges } = await seekListed(context, feed, from, [inChannel]);
      const again = await seekListed(context, feed, from, [inChannel]);
      const inFeed = found[0] ?? unmet('the message is not listed', exchanges[0]);
      given(again.found[0]?.id === inFeed.id, 'the feed shows another id each time', exchanges[0]);
      const judgement = judgeAgreement(context.names, inChannel.message, inFeed.message);
      expect.judgement('mentions.feed-agrees-with-channel', judgement, ...exchanges);
    },
  ),
  // mentions.feed-agrees-with-channel: A message reads the same in the listing as in its channel, receipts
  //   and the state of files aside.
  check(
    'mentions.attached-files-read-as-in-their-channel',
    {
      title: 'a message with a file shows that file in the feed as in its channel',
      clauses: ['mentions.feed-agrees-with-channel'],
      needs: [...mentionNeeds, 'attachments-binding', 'files'],
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf, bindings } = context;
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      const [fileId] = await context.readyFiles(1);
      const draft = context.draft();
      const fields = {
        [bindings.mentions]: [await agentTarget(context, reader)],
        [bindings.attachments]: [fileId],
      };
      const sent = await author.send(channel.id, draft.text, { fields });
      given(isAccepted(sent), 'a message with a file was not accepted', sent);
      const inChannel = await channel.arrival(draft);
      const attached = inChannel.message['attachments'];
      const isShown = Array.isArray(attached) && attached.length > 0;
      given(isShown, 'the message shows no file in its channel', sent);
      const { found, exchanges } = await seekListed(context, feed, from, [inChannel]);
      const inFeed = found[0] ?? unmet('the message is not listed', exchanges[0]);
      const judgement = judgeAgreement(context.names, inChannel.message, inFeed.message);
      expect.judgement('mentions.feed-agrees-with-channel', judgement, ...exchanges);
    },
  ),
  // mentions.feed-agrees-with-channel: A message reads the same in the listing as in its channel, receipts
  //   and the state of files aside.
  check(
    'mentions.sessions-read-as-in-their-channel',
    {
      title: 'messages with a session of each provider show it in the feed as in their channel',
      clauses: ['mentions.feed-agrees-with-channel'],
      needs: [...mentionNeeds, 'source-session-binding'],
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf, bindings, names } = context;
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      const targets = [await agentTarget(context, reader)];
      const sends = await Promise.all(
        oneOfEachKind.map(async (session) => {
          const draft = context.draft();
          const fields = {
            [bindings.mentions]: targets,
            [bindings.sourceSession]: inServersWords(session, names),
          };
          return { draft, sent: await author.send(channel.id, draft.text, { fields }) };
        }),
      );
      // What every session has to be taken for is said elsewhere.
      const accepted = sends.filter(({ sent }) => isAccepted(sent)).map(({ draft }) => draft);
      if (accepted.length === 0)
        unmet('no source session is accepted: see bindings.source_session', sends[0]?.sent);
      const inChannel = await channel.arrivals(accepted);
      const { found, exchanges } = await seekListed(context, feed, from, inChannel);
      const judgements = inChannel.map(({ message }, index) => {
        const inFeed = found[index] ?? unmet('a message is not listed', exchanges[0]);
        return judgeAgreement(names, message, inFeed.message);
      });
      expect.judgement('mentions.feed-agrees-with-channel', allOf(judgements), ...exchanges);
    },
  ),
  // mentions.feeds-agree-on-order: Two feeds list the messages they share in one order.
  check(
    'mentions.feeds-agree-on-the-order',
    {
      title: 'two agents find the messages that name both of them in one order',
      clauses: ['mentions.feeds-agree-on-order'],
      needs: [...mentionNeeds, 'peer'],
    },
    async (context) => {
      const { author, reader, peer, channel, expect, feedOf } = context;
      const feeds = [await feedOf(reader, author), await feedOf(peer, author)] as const;
      const targets = [await agentTarget(context, reader), await agentTarget(context, peer)];
      const naming = { from: author, channelId: channel.id, targets };
      const from = await Promise.all(feeds.map((feed) => feed.since()));
      const drafts = await Promise.all([1, 2, 3, 4].map(() => mention(context, naming)));
      await Promise.all(feeds.map((feed) => feed.arrivals(drafts)));
      const read = async (): Promise<readonly [Walk, Walk]> => [
        await feeds[0].walk(from[0]),
        await feeds[1].walk(from[1]),
      ];
      const [one, other] = await read();
      const again = await read();
      const own = ({ items }: Walk): PageItem[] => ownItems(items, drafts);
      const isSteady = [one, other].every((walk, index) => {
        const later = again[index] ?? walk;
        return (
          judgeSameOrder(own(walk), own(later)).problems.length === 0 &&
          judgeAscending(own(walk)).problems.length === 0
        );
      });
      given(isSteady, 'a feed has no steady order of its own', one.pages[0]?.exchange);
      const evidence = exchangesOf([...one.pages, ...other.pages]);
      expect.judgement('mentions.feeds-agree-on-order', judgeSameOrder(own(one), own(other)), ...evidence);
    },
  ),
];

/** A message reads the same in the feed as in its channel, where it is well-formed in both: the rest has clauses of its own. */
function judgeAgreement(
  names: Mentioning['names'],
  inChannel: JsonRecord,
  inFeed: JsonRecord,
): ReturnType<typeof judgeFeedMessage> {
  const malformed = new Set([...malformedFields(names, inChannel), ...malformedFields(names, inFeed)]);
  const wellFormed = (message: JsonRecord): JsonRecord =>
    Object.fromEntries(Object.entries(message).filter(([field]) => !malformed.has(field)));
  return judgeFeedMessage(wellFormed(inChannel), wellFormed(inFeed));
}

/** Fields of a message that are missing or hold something malformed, however deep. */
function malformedFields(names: Mentioning['names'], message: JsonRecord): string[] {
  return validate('message', withNeutralNames(message, names)).map(
    ({ pointer, instancePath }) =>
      instancePath.split('/')[1] ?? /^message#\/required\/(.+)$/.exec(pointer)?.[1] ?? '',
  );
}

/**
 * A message that carries whatever a server may take: another target before the reader, a host, a source session, another
 * content type, and a text that is neither short nor plain. Where a server takes less, the targets and the text.
 */
async function sendRichly(context: Mentioning): Promise<Draft> {
  const { author, reader, channel, bindings, names } = context;
  const targets = [await agentTarget(context, author), await agentTarget(context, reader)];
  const text = ` tabs\tand “quotes”, \u{1f600} and e\u0301, twice  spaced ${'and so on '.repeat(80)}`;
  const draft = context.draft(text);
  const session = { provider: names.providers.provider_a, surface: 'cli', session_id: randomUUID() };
  const sent = await author.send(channel.id, draft.text, {
    contentType: 'text/markdown',
    fields: {
      [bindings.mentions]: targets,
      [bindings.agentHost]: 'conformance suite',
      [bindings.sourceSession]: session,
    },
  });
  return isAccepted(sent) ? draft : mention(context, { from: author, channelId: channel.id, targets, text });
}
