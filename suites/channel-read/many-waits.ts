import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Always } from '../../harness/check/context.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { readPage, type PageRead } from '../../harness/stream/page.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { beginWait, pauseOfWaitsMs, promptAnswer, soon, type Wait } from '../arrange/channel-read/waits.ts';
import { eventually } from '../arrange/eventually.ts';
import { arranged, orElse } from '../arrange/or-else.ts';
import { mention } from '../arrange/mentions/mentioning.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { agentTarget } from '../arrange/send/proof.ts';

/** Waits of one agent at one time: one more than a round number that a server may count to. */
const waitsOfOne = 11;

/** Of the further channels of the shared workspace those at every fifth place are written to; these are not. */
const unusedPlaces = [1, 2, 3];

/** How many read that wait for one message. */
export const manyWaitsChecks: readonly Check[] = [
  // channel-read.wait-wakes: A waiting read returns soon after a message arrives.
  check(
    'channel-read.many-waits-in-an-empty-channel-wake',
    {
      title:
        'eleven reads of an agent that wait in an empty channel, and one of an API key, return soon after its first message, unless they are refused as too many',
      clauses: ['channel-read.wait-wakes'],
      // What a woken read shows of a message is what any read shows of it.
      arranges: ['message.mentions.captured', 'message.immutable', 'errors.limit-elsewhere-is-429'],
      needs: ['provision-hook'],
      isExclusive: true,
    },
    async (context) => {
      const { bindings, clock, expect, provision } = context;
      const fresh = await provision({ isShared: true });
      const [author, key] = [fresh.actor('author'), fresh.optional('api-key')];
      const channelId = await emptyChannel(context, fresh);
      const read = async (): Promise<PageRead> =>
        readPage(await author.readChannel(channelId, { after: 0, limit: 100 }), bindings.items);
      const begin = (actor: typeof author): Wait =>
        beginWait(actor, channelId, { after: 0n, obeysRateLimit: false });
      const waits = [...Array.from({ length: waitsOfOne }, () => author), ...(key ? [key] : [])].map(begin);
      await clock.pause(pauseOfWaitsMs);
      const told = await tell(context, fresh, channelId);
      const [first, shown] = await Promise.all([
        Promise.all(waits.map((each) => soon(context, each))),
        eventually(context, read, ({ items }) => findIn(items, told) !== undefined),
      ]);
      given(
        findIn(shown.items, told) !== undefined,
        'a plain read does not find the message',
        shown.exchange,
      );
      // What is shown only now may wake them only now.
      const answers = await Promise.all(waits.map(async (each, at) => first[at] ?? soon(context, each)));
      const left = answers.filter((each) => each === undefined).length;
      given(left > 0 || answers.some((each) => each && isAccepted(each)), 'none of the reads may wait');
      const problem = {
        expected: `${promptAnswer(context, 0n)}, once there was a message in the empty channel`,
        actual: `of ${waits.length} that waited ${left} kept waiting, and a plain read showed the message`,
      };
      expect.holds('channel-read.wait-wakes', left === 0, problem, shown.exchange);
    },
  ),
];

/** A shared channel that has no message yet; ends the check with its precondition not met where there is none. */
async function emptyChannel({ bindings }: Pick<Always, 'bindings'>, fresh: FreshWorkspace): Promise<string> {
  for (const place of unusedPlaces) {
    const id = fresh.furtherChannels[place];
    if (id === undefined) continue;
    const answer = await fresh.actor('author').readChannel(id, { after: 0, limit: 1 });
    const { items, hasMore } = readPage(answer, bindings.items);
    if (isAccepted(answer) && items.length === 0 && hasMore === false) return id;
  }
  return unmet('hooks.provision made no channel that is open to author and empty');
}

/** Sends a message that names two agents, where names are taken. */
async function tell(
  context: Pick<Always, 'bindings' | 'draft'>,
  fresh: FreshWorkspace,
  channelId: string,
): ReturnType<typeof mention> {
  const from = fresh.actor('author');
  const others = [fresh.optional('reader'), fresh.optional('peer')].filter((each) => each !== undefined);
  const targets = await arranged(() => Promise.all(others.map((each) => agentTarget(fresh, each))));
  return orElse(mention(context, { from, channelId, targets: targets ?? [] }), async () => {
    const plain = context.draft();
    requireAccepted(await from.send(channelId, plain.text));
    return plain;
  });
}
