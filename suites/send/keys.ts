import { randomInt, randomUUID } from 'node:crypto';
import { contentOfSize } from '../../generators/spaces/content/content.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { isAccepted, isRefusal, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';
import { findIn, showing, type Draft } from '../../harness/stream/stream-view.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { isRecord } from '../../spec/calls/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import { judgeStored, shortestKeyLifeMs } from '../../spec/oracles/messages/idempotency.ts';
import { eventually } from '../arrange/eventually.ts';
import { takenTogether } from '../arrange/features.ts';
import { arranged } from '../arrange/or-else.ts';
import { readOn, requireAccepted, requireAnswered, requireRefused } from '../arrange/send/accepted-sends.ts';
import { fastestMs, longBytes, requireStored, reuseKey } from '../arrange/send/reused-keys.ts';

const once = { atLeast: 1, atMost: 1 };

/** Texts that are one number, or one truth, to whoever compares them as such. */
const numbersAlike = [
  ['1000', '1e3'],
  ['01', '1'],
  ['1', '1.0'],
  ['0e1', '0e2'],
  ['true', '1'],
] as const;

/** True while a message that was sent once is still there, and there once: then retention has not reached what came later. */
function isThereOnce(items: Walk['items'], draft: Draft): boolean {
  const { judged, problems } = judgeStored(items.filter(showing(draft)), draft.marker, once);
  return judged > 0 && problems.length === 0;
}

/** Reads the feed of the reader, where there is one, from where it ends now. */
async function feedFromNow({
  author,
  feedOf,
  optional,
}: Context<'author' | 'channel'>): Promise<(() => Promise<Walk>) | undefined> {
  const reader = optional('reader');
  if (reader === undefined) return undefined;
  const feed = await feedOf(reader, author);
  const end = await feed.since();
  return () => feed.walk(end);
}

/** In rounds, three keys: two that begin alike and two that end alike. */
function similarKeys(): readonly (readonly string[])[] {
  const key = randomUUID();
  const other = (digit: string): string => (digit === 'a' ? 'b' : 'a');
  return [[key], [other(key.charAt(0)) + key.slice(1), key.slice(0, -1) + other(key.charAt(key.length - 1))]];
}

/**
 * Keys that are one to whoever reads them as something else than a text, or only so far; a server may refuse any of them. What may be read alike
 * stands in different rounds.
 */
function alikeKeys(): readonly (readonly string[])[] {
  const word = randomUUID().replaceAll('-', '');
  const digits = (count: number): string =>
    Array.from({ length: count }, () => String(randomInt(1, 10))).join('');
  const [number, long] = [digits(9), digits(21)];
  const longWord = `Key.${word}`.padEnd(130, 'x');
  // Between the parts of a value that is read as a list, a record, an address or words.
  const parted = (...signs: readonly string[]): readonly string[] => signs.map((sign) => `${word}${sign}1`);
  return [
    [`Key.${word}`, longWord, number, `${long}1`, `k-${word}`, word],
    [`KEY.${word.toUpperCase()}`, `${longWord.slice(0, -1)}y`, `0${number}`, `${long}2`, `k_${word}`],
    [`${longWord}${'z'.repeat(100)}`, `${number}.0`, `k${word}`, ...parted(',', '/', ' ')],
    [`k/${word}`, ...parted(';', '//', '+', '.', '=')],
    [`k%2F${word}`, ...parted(':', '  ', '&', '~', '#')],
    parted('|', '@'),
  ];
}

/** Sends under the keys of one round after the other, so that none of those before is in flight when the next ones come. */
async function inRounds(
  rounds: readonly (readonly string[])[],
  send: (key: string) => Promise<Exchange>,
): Promise<readonly Exchange[]> {
  const sent: Exchange[] = [];
  for (const keys of rounds) sent.push(...(await Promise.all(keys.map(send))));
  return sent;
}

/** Sends one text under many keys, and sees a message for each that was accepted. */
async function expectEachStored(
  context: Context<'author' | 'channel'>,
  clause: ClauseId,
  sendAll: (send: (key: string) => Promise<Exchange>) => Promise<readonly Exchange[]>,
): Promise<void> {
  const { author, channel, draft, expect } = context;
  const from = await channel.since();
  const [before, each, after] = [draft(), draft(), draft()];
  requireAccepted(await author.send(channel.id, before.text));
  await channel.arrival(before);
  const sent = (await sendAll((key) => author.send(channel.id, each.text, { key }))).filter(isAccepted);
  requireAccepted(await author.send(channel.id, after.text));
  await channel.arrivals([each, after]);
  const bounds = { atLeast: sent.length, atMost: Number.POSITIVE_INFINITY };
  const judged = (read: Walk) => judgeStored(read.items.filter(showing(each)), each.marker, bounds);
  // What was only acknowledged may come in any order, the last of them behind what was sent after it.
  const read = await eventually(
    context,
    () => readOn(channel, from),
    (now) => findIn(now.items, after) !== undefined && judged(now).problems.length === 0,
  );
  const { items } = read;
  given(isThereOnce(items, before) && findIn(items, after) !== undefined, 'the channel keeps too little');
  const told = answersWithOneId(sent);
  const shown = read.pages.map(({ exchange }) => exchange).slice(-2);
  expect.judgement(clause, judged(read), ...(told.length > 0 ? told : sent), ...shown);
}

/** Two answers that tell the same id, as those to keys that are one to the server do. */
function answersWithOneId(sent: readonly Exchange[]): readonly Exchange[] {
  const byId = new Map<unknown, Exchange>();
  for (const exchange of sent) {
    const { json } = exchange.response ?? {};
    const id = isRecord(json) ? json['id'] : undefined;
    const other = byId.get(id);
    if (id !== undefined && other !== undefined) return [other, exchange];
    byId.set(id, exchange);
  }
  return [];
}

/** Sends each text under the key that another of the same value has just been taken under, and gives the answers of those whose key was surely kept. */
async function underKeysOfNumbersAlike({
  author,
  channel,
}: Context<'author' | 'channel'>): Promise<readonly Exchange[]> {
  const answers = await Promise.all(
    numbersAlike.map(async ([text, other]) => {
      const key = randomUUID();
      const first = await author.send(channel.id, text, { key });
      // What was only taken may be in flight.
      if (!isAccepted(first) || statusOf(first) === 202) return [];
      const second = await author.send(channel.id, other, { key });
      const isKept = second.endedMs - first.startedMs <= shortestKeyLifeMs(fastestMs(first, second));
      return isKept || isRefusal(second) ? [second] : [];
    }),
  );
  requireAnswered(...answers.flat());
  return answers.flat();
}

/** What an idempotency key is for. */
export const keyChecks: readonly Check[] = [
  // send.distinct-keys-store-each: Sends under different keys each leave a message, equal texts included.
  check(
    'send.equal-messages-under-different-keys-are-both-stored',
    {
      title: 'the same text sent under keys that differ in one character makes a message for each',
      clauses: ['send.distinct-keys-store-each'],
      needs: ['author', 'channel'],
    },
    (context) =>
      expectEachStored(context, 'send.distinct-keys-store-each', async (send) => {
        const sent = await inRounds(similarKeys(), send);
        requireAccepted(...sent.slice(0, 1));
        // The text was taken: who refuses it now takes it for the one before.
        for (const each of sent.filter(isRefusal))
          context
            .expect('send.distinct-keys-store-each', each, 'with the text of another under a key of its own')
            .toBeAccepted();
        requireAccepted(...sent);
        return sent;
      }),
  ),
  // send.similar-keys-are-different: Keys that differ in letter case, in zeros, in a sign or in how a sign is
  //   encoded or repeated, or at their far end are different keys.
  check(
    'send.keys-that-look-alike-are-different',
    {
      title:
        'the same text sent under keys that differ in letter case, in zeros, in a sign or its encoding, behind a sign, or in the last of many characters makes a message for each',
      clauses: ['send.similar-keys-are-different'],
      needs: ['author', 'channel'],
    },
    (context) =>
      expectEachStored(context, 'send.similar-keys-are-different', async (send) => {
        const sent = await inRounds(alikeKeys(), send);
        given(sent.filter(isAccepted).length > 1, 'the server takes no keys of this form', sent[0]);
        return sent;
      }),
  ),
  // send.conflict-is-refused: A key that was used for one message does not serve to send another.
  check(
    'send.key-of-another-message-is-refused',
    {
      title:
        'a key is refused for any other message, if only in a letter, in letter case, in a space or far behind, and once more',
      clauses: ['send.conflict-is-refused', 'send.conflict-status-409', 'send.conflict-stores-nothing'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const { author, channel, draft, expect, observe, optional, secondChannelId } = context;
      const { key, first, reuses, again, isKept } = await reuseKey(context);
      const accepted = reuses.find(({ answer }) => isAccepted(answer));
      given(
        isKept,
        'the key may have been forgotten when it came again: how long it is kept is open',
        accepted?.answer,
      );
      reuses.forEach(({ answer }) => expect('send.conflict-is-refused', answer).toBeRefused());
      // A conflict takes nothing into the record.
      expect('send.conflict-is-refused', again).toBeRefused();
      for (const answer of await underKeysOfNumbersAlike(context))
        expect(
          'send.conflict-is-refused',
          answer,
          'under a key used before, of another text of the same value as a number',
        ).toBeRefused();
      const [other, ...similar] = reuses;
      if (other !== undefined) expect('send.conflict-status-409', other.answer).toHaveStatus(409);
      await channel.arrival(first);
      const [test, letter] = similar.map(({ draft: { text } }) => ({ marker: text, text }));
      for (const each of [other?.draft, test, letter])
        if (each !== undefined)
          await expect.stream('send.conflict-stores-nothing', channel).toNeverShow(each);

      const note = (clause: ClauseId, what: string, answer: Exchange): void =>
        observe(clause, what, describeAnswer(answer));
      // What makes two bodies conflict is not shown: content that differs does, of its type nothing is said.
      const retyped = await author.send(channel.id, first.text, { key, contentType: 'text/markdown' });
      note('send.equal-replay', 'the same content of another type under a key', retyped);
      const byAnother = await optional('reader')?.send(channel.id, draft('a third body').text, { key });
      if (byAnother !== undefined) note('send.key-scope', 'a key that another agent used', byAnother);
      if (secondChannelId === undefined) return;
      const elsewhere = await author.send(secondChannelId, draft('a fourth body').text, { key });
      note('send.key-scope', 'a key that was used in another channel', elsewhere);
    },
  ),
  // send.equal-replay-is-no-conflict: Repeating a send under its key after its answer does not get a 409.
  check(
    'send.repeated-send-leaves-one-message',
    {
      title:
        'repeating a send under its key, a long one and one with all that a send may carry too, draws no conflict, and leaves one message and one mention',
      clauses: ['send.equal-replay-is-no-conflict'],
      arranges: [
        'send.retry-stores-once',
        'mentions.duplicate-message',
        'message.mentions.captured',
        'message.attachments.captured',
        'source-session.valid-is-accepted',
      ],
      needs: ['author', 'channel'],
      bodyBytes: 3 * longBytes,
    },
    async (context) => {
      const { author, channel, draft, expect, marker, observe, settleMs, sleep } = context;
      const from = await channel.since();
      const readFeed = await arranged(() => feedFromNow(context));
      const [repeated, key] = [draft(), randomUUID()];
      const send = (text: string, under = key, fields = {}): Promise<Exchange> =>
        author.send(channel.id, text, { key: under, fields });
      await requireStored(channel, await send(repeated.text), repeated);
      const again = await send(repeated.text);
      const [long, keyOfLong] = [contentOfSize(marker(), longBytes), randomUUID()];
      await requireStored(channel, await send(long.text, keyOfLong), long);
      const longAgain = await send(long.text, keyOfLong);
      const [laden, keyOfLaden] = [draft(), randomUUID()];
      const everything = await arranged(() => takenTogether(context));
      const ladenFirst = everything && (await send(laden.text, keyOfLaden, everything));
      const ladenAgain: Exchange[] = [];
      if (ladenFirst !== undefined && isAccepted(ladenFirst)) {
        await requireStored(channel, ladenFirst, laden);
        ladenAgain.push(await send(laden.text, keyOfLaden, everything));
        // What a long message lacks of all that it was sent with is known on a page with a short one that shows it.
        const longLaden = contentOfSize(marker(), longBytes);
        const taken = await send(longLaden.text, randomUUID(), everything);
        if (isAccepted(taken)) await channel.arrival(longLaden);
      }
      requireAnswered(again, longAgain, ...ladenAgain);
      observe('send.equal-replay', 'answer to the same send under the same key', describeAnswer(again));
      // A server that forgets its keys breaks another clause.
      requireRefused(await send(draft('another').text));

      for (const answer of [again, longAgain, ...ladenAgain]) {
        const problem = { expected: 'any status but 409', actual: describeAnswer(answer) };
        expect.holds('send.equal-replay-is-no-conflict', statusOf(answer) !== 409, problem, answer);
      }
      // How many messages each key left is judged by history/judges/keys.ts, once all of them have been read.
      await channel.arrival(repeated);
      await sleep(settleMs);
      await readOn(channel, from);
      // What became of the targets of a repeated send is judged by history/judges/pages.ts.
      await readFeed?.();
    },
  ),
];
