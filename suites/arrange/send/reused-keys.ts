import { randomUUID } from 'node:crypto';
import type { Context } from '../../../harness/check/context.ts';
import { isAccepted, isRefusal, statusOf, type Exchange } from '../../../harness/client/exchange.ts';
import type { ChannelView } from '../../../harness/stream/channel-view.ts';
import type { Draft } from '../../../harness/stream/stream-view.ts';
import { shortestKeyLifeMs } from '../../../spec/oracles/messages/idempotency.ts';
import { requireAccepted, requireAnswered } from './accepted-sends.ts';

/** A text of which two sends at once come in several pieces each, and that no column of a usual size holds, in bytes. */
export const longBytes = 110_000;

/** How often a key is used again until it was surely kept. */
const mostRounds = 6;

/** A message sent under a key, and others sent under it at once. */
interface ReusedKey {
  readonly key: string;
  readonly first: Draft;
  readonly reuses: readonly { readonly draft: Draft; readonly answer: Exchange }[];
  /** The last of those, sent once more when it had been answered. */
  readonly again: Exchange;
  /** Whether the record of the key was surely there: how long one is kept is open. */
  readonly isKept: boolean;
}

/** Uses a key for other messages as soon as its first send was answered; on a slow way several times, each time a fresh one. */
export async function reuseKey(context: Context<'author' | 'channel'>): Promise<ReusedKey> {
  for (let round = 1; ; round += 1) {
    const reused = await reuseFreshKey(context);
    if (reused.isKept || round === mostRounds) return reused;
  }
}

async function reuseFreshKey({
  author,
  channel,
  draft,
  marker,
}: Context<'author' | 'channel'>): Promise<ReusedKey> {
  const [key, olderKey, mark] = [randomUUID(), randomUUID(), marker()];
  const send = (text: string, under = key): Promise<Exchange> =>
    author.send(channel.id, text, { contentType: 'text/plain', key: under });
  // Longer than what is looked at of a text by whoever looks at its beginning, or at both its ends.
  const long = ' and on'.repeat(3_000);
  const drafts = [
    ['a first caf\u00e9 \u{1f44d}\nagain', ', so', '.'],
    ['a first cage\u00e9 \u{1f44d}\nagain', ', so', '.'],
    ['A first caf\u00e9 \u{1f44d}\nagain', ', so', '.'],
    ['a first caf\u00e9 \u{1f44d}\nagain', ', so', '. '],
    ['a first  caf\u00e9 \u{1f44d}\nagain', ', so', '.'],
    ['a first caf\u00e9 \u{1f44d}\nagain', ', no', '.'],
    ['a first caf\u00e9 \u{1f44d}\nagain', ', so', '!'],
    // The same to see, and other code points.
    ['a first cafe\u0301 \u{1f44d}\nagain', ', so', '.'],
    ['a fir\u200bst caf\u00e9 \u{1f44d}\nagain', ', so', '.'],
    ['a first caf\u00e9 \u{1f44d}\r\nagain', ', so', '.'],
    ['a first\tcaf\u00e9 \u{1f44d}\nagain', ', so', '.'],
    // The same to whoever knows no pairs of surrogates, or one byte of each character alone.
    ['a first caf\u00e9 \u{1f44e}\nagain', ', so', '.'],
    ['a first caf\u01e9 \u{1f44d}\nagain', ', so', '.'],
  ].map((parts) => ({
    marker: mark,
    text: `${mark} ${parts.join(long)}`,
  }));
  const [first = draft(), ...similar] = drafts;
  requireAccepted(await send(draft('under an older key').text, olderKey));
  const sent = await send(first.text);
  await requireStored(channel, sent, first);
  const others = [draft('another body'), ...similar];
  const reuses = await Promise.all(
    others.map(async (each) => ({ draft: each, answer: await send(each.text) })),
  );
  const last = draft('a body that comes twice');
  reuses.push({ draft: last, answer: await send(last.text) });
  const again = await send(last.text);
  const answers = [...reuses.map(({ answer }) => answer), again];
  requireAnswered(...answers);
  const accepted = answers.filter(isAccepted);
  // An older key that is still kept shows that this one was.
  const { marker: another } = draft();
  const isOlderKept = isRefusal(await send(`quite another body: ${another}`, olderKey));
  const soonestMs = Math.min(...accepted.map(({ endedMs }) => endedMs)) - sent.startedMs;
  const isNeverKept =
    accepted.length === answers.length && soonestMs <= shortestKeyLifeMs(fastestMs(sent, ...answers));
  return { key, first, reuses, again, isKept: accepted.length === 0 || isOlderKept || isNeverKept };
}

/** What the fastest of some answers took, in ms. */
export function fastestMs(...answered: readonly Exchange[]): number {
  return Math.min(...answered.map(({ startedMs, endedMs }) => endedMs - startedMs));
}

/**
 * Ends the check with its precondition not met unless a send was accepted. Waits for the message of one that was only taken: before it is
 * there its key may be in flight, and not be kept.
 */
export async function requireStored(channel: ChannelView, sent: Exchange, message: Draft): Promise<void> {
  requireAccepted(sent);
  if (statusOf(sent) === 202) await channel.arrival(message);
}
