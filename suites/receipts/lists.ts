import { listReceipts } from '../../spec/calls/index.ts';
import { check, requireMemory, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { isAccepted, notThere, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { judgeListed, tiesRetrievals } from '../../spec/oracles/answers/receipts.ts';
import { asText, valuesOf } from '../../spec/oracles/values/json-texts.ts';
import { receiptsListCall } from '../arrange/auth/guarded-calls.ts';
import { eventually } from '../arrange/eventually.ts';
import { fieldsOf, requireNoUnknownDemand } from '../arrange/listings.ts';
import type { FullList } from '../arrange/receipts/full-list.ts';
import { reportedMessages } from '../arrange/receipts/reported.ts';

/** The full list of retrievals. */
export const fullListChecks: readonly Check[] = [
  // receipts-list.paginates-all: Paging through the receipts returns every reported retrieval.
  check(
    'receipts.list-has-every-report',
    {
      title:
        'the receipts of a channel, whole or with one on each page, hold every retrieval that messages show',
      clauses: ['receipts-list.paginates-all', 'receipts-list.answers'],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding', 'list-receipts-binding'],
    },
    async (context) => {
      const { channel } = context;
      const { lists, messages, together } = await reportedMessages(context);
      // A server whose messages show who reported is none of the older ones.
      const [begun] = lists.whole.answers;
      if (begun !== undefined && (isAccepted(begun) || isNotThere(begun)))
        context.expect('receipts-list.answers', begun).toBeAccepted();
      const reported = [...messages, ...together];
      const whole = bodiesOf(lists.whole);
      const ids = reported.map(({ messageId }) => messageId);
      const agents = reported.flatMap(({ reporters }) => reporters);
      const isByIds =
        tiesRetrievals(ids, agents, whole) ||
        tiesRetrievals(
          (await channel.walk(0n)).items.flatMap(({ id }) => id ?? []),
          agents,
          whole,
        );
      given(isByIds, 'the list ties no message of the channel to an agent by their ids', begun);
      const read = [lists.whole, lists.shortPages].map((list) => ({
        ...list,
        judgement: judgeListed(reported, bodiesOf(list)),
      }));
      // What is missing from a list that goes on in a way which is not shown may come there.
      const judgeable = read.filter(
        (each) => each.judgement.problems.length === 0 || each.problem === undefined,
      );
      given(judgeable.length > 0, `the list could not be read to its end: ${lists.whole.problem}`);
      for (const { answers, judgement } of judgeable)
        context.expect.judgement('receipts-list.paginates-all', judgement, ...answers.slice(-2));
    },
  ),
  // receipts-list.answers: The receipts of a channel can be listed.
  check(
    'receipts.list-answers-an-agent',
    {
      title: 'an agent can list the receipts of a channel',
      clauses: ['receipts-list.answers'],
      needs: receiptsListCall.needs,
      isReadOnly: true,
    },
    async (context) => {
      const { author, anonymous, expect, observe } = context;
      const request = listReceipts(context.channel.id);
      const refused = await anonymous.request(request);
      given(!isAccepted(refused), 'a request without a credential was let in', refused);
      const listed = await author.request(request);
      requireNoUnknownDemand(listed);
      await requireMemory(context);
      if (isNotThere(listed)) await requireReceipts(context, listed);
      expect('receipts-list.answers', listed).toBeAccepted();
      observe('receipts-list.shapes', 'fields of the list of receipts', fieldsOf(listed));
    },
  ),
];

function bodiesOf({ answers }: FullList): readonly unknown[] {
  return answers.map(({ response }) => response?.json);
}

function isNotThere(listed: Exchange): boolean {
  return notThere.includes(statusOf(listed) ?? 0);
}

/**
 * Ends the check when no message shows receipts, in the channel or among mentions: an older server may have none, and then has
 * none to list.
 */
async function requireReceipts(context: Context<'author' | 'channel'>, listed: Exchange): Promise<void> {
  const { author, channel, optional } = context;
  const readers = [author, optional('reader'), optional('peer')].filter((each) => each !== undefined);
  const reads = [
    await author.readChannel(channel.id, { after: 0, limit: 1 }),
    ...(await Promise.all(readers.map(newestOf))),
  ];
  if (reads.some(showsReceipts) || showsReceipts(await aMention(context))) return;
  unmet(`no message shows receipts, and the call for them is not there: ${describeAnswer(listed)}`, reads[0]);
}

function showsReceipts(read: Exchange | undefined): boolean {
  return valuesOf(read?.response?.json, 'receipts').length > 0;
}

function newestOf(reader: Actor): Promise<Exchange> {
  return reader.mentions({ limit: 20 });
}

/** The newest mentions of the reader with one that is sent now; `undefined` where nothing can be sent, or may be. */
async function aMention({
  author,
  bindings,
  channel,
  clock,
  draft,
  identities,
  isReadOnly,
  optional,
  settleMs,
}: Context<'author' | 'channel'>): Promise<Exchange | undefined> {
  const reader = optional('reader');
  if (reader === undefined || isReadOnly) return undefined;
  const target = { kind: 'agent', id: await identities.agentId(reader) };
  const { marker, text } = draft();
  const sent = await author.send(channel.id, text, { fields: { [bindings.mentions]: [target] } });
  if (!isAccepted(sent)) return undefined;
  const isIn = ({ response }: Exchange): boolean =>
    valuesOf(response?.json, 'content').some((content) => asText(content).includes(marker));
  return eventually({ clock, settleMs }, () => newestOf(reader), isIn);
}
