import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { isRecord } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { describeAnswer, unarranged } from '../../harness/verdict/outcome.ts';
import { idsIn, textsIn, valuesOf } from '../../oracles/values/json-texts.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { requireAccepted, requireMemory } from '../arrange/auth/closed-call.ts';
import { receiptsListCall } from '../arrange/auth/guarded-calls.ts';

/** Two calls of which the contract shows no more than the path. */
export const listingChecks: readonly Check[] = [
  check(
    'channels-list.answers-an-agent',
    {
      title: 'an agent can list channels',
      clauses: ['channels-list.answers'],
      needs: ['author', 'channel'],
      isReadOnly: true,
    },
    async (context) => {
      const { author, anonymous, expect, observe } = context;
      const refused = await anonymous.channels();
      if (isAccepted(refused)) unarranged('the call is open to everybody', refused);
      const listed = await author.channels();
      requireNoUnknownDemand(listed);
      expect('channels-list.answers', listed).toBeAccepted();
      observe('channels-list.shapes', 'channels-list-fields', fieldsOf(listed));
      await requireMemory(context);
    },
  ),
  check(
    'channels-list.lists-a-known-channel',
    {
      title: 'a channel that an agent uses is in its list of channels',
      clauses: ['channels-list.lists-a-known-one'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const { author, channel, draft, expect } = context;
      const used = draft();
      requireAccepted(await author.send(channel.id, used.text), 'author');
      await channel.arrival(used);
      const listed = await author.channels();
      requireAccepted(listed, 'author');
      const ids = idsIn(listed.response?.json);
      const isListed = ids.some((id) => isSameId(id, channel.id));
      if (ids.length === 0 && textsIn(listed.response?.json).length > 0)
        unarranged('the list tells channels by no id', listed);
      if (!isListed && announcesMore(listed))
        unarranged('the list goes on, and how to read on is not shown', listed);
      const problem = { expected: `channel ${channel.id} in the list`, actual: 'it is not there' };
      expect.holds('channels-list.lists-a-known-one', isListed, problem, listed);
    },
  ),
  check(
    'receipts-list.answers-an-agent',
    {
      title: 'an agent can list the receipts of a channel',
      clauses: ['receipts-list.answers'],
      needs: receiptsListCall.needs,
      isReadOnly: true,
    },
    async (context) => {
      const { author, anonymous, expect, observe } = context;
      const { request } = await receiptsListCall.compose(context);
      const refused = await anonymous.request(request);
      if (isAccepted(refused)) unarranged('the call is open to everybody', refused);
      const listed = await author.request(request);
      requireNoUnknownDemand(listed);
      await requireMemory(context);
      if (isNotThere(listed)) await requireReceipts(context, listed);
      expect('receipts-list.answers', listed).toBeAccepted();
      observe('receipts-list.shapes', 'receipts-list-fields', fieldsOf(listed));
    },
  ),
];

function isNotThere(listed: Exchange): boolean {
  return [404, 405, 410, 501].includes(statusOf(listed) ?? 0);
}

/** Ends the check when the messages show no receipts: an older server may have none, and then has none to list. */
async function requireReceipts(
  { author, channel }: Pick<Context<'author' | 'channel'>, 'author' | 'channel'>,
  listed: Exchange,
): Promise<void> {
  const read = await author.readChannel(channel.id, { after: 0, limit: 1 });
  if (valuesOf(read.response?.json, 'receipts').length > 0) return;
  unarranged(
    `no message shows receipts, and the call for them is not there: ${describeAnswer(listed)}`,
    read,
  );
}

/** Ends the check when the answer may ask for something that the contract does not show: a parameter, or a right. */
function requireNoUnknownDemand(listed: Exchange): void {
  const mayDemand = [400, 401, 403, 409, 422].includes(statusOf(listed) ?? 0);
  if (mayDemand) unarranged(`the call wants something that is not shown: ${describeAnswer(listed)}`, listed);
}

function announcesMore({ response }: Exchange): boolean {
  return valuesOf(response?.json, 'has_more').includes(true) || response?.headers['link'] !== undefined;
}

function fieldsOf({ response }: Exchange): string {
  const json = response?.json;
  if (Array.isArray(json)) return 'a bare list';
  return isRecord(json) ? Object.keys(json).toSorted().join(', ') : typeof json;
}
