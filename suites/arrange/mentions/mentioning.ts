import type { JsonRecord } from '../../../spec/calls/index.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import type { PageItem, PageRead } from '../../../harness/stream/page.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { describeAnswer, unmet } from '../../../harness/verdict/outcome.ts';
import { findIn, type Draft } from '../../../harness/stream/stream-view.ts';
import { asText } from '../../../spec/oracles/values/json-texts.ts';
import { isSameId } from '../../../spec/oracles/answers/overview.ts';
import { showsTarget, type NamedTarget } from '../../../spec/oracles/messages/targets.ts';

/** What it takes to mention somebody and to see it. */
export const mentionNeeds = ['author', 'reader', 'channel', 'mentions-binding'] as const;
export type Mentioning = Context<(typeof mentionNeeds)[number]>;

/** By the kind of a target, what lists the messages that name it. */
export const reaching = {
  agent: 'mentions.matches-agent-target',
  user: 'mentions.matches-human-target',
  machine: 'mentions.matches-machine-target',
} as const satisfies Readonly<Record<NamedTarget['kind'], ClauseId>>;

/** A message to be sent that names somebody. */
interface Naming {
  readonly from: Actor;
  readonly channelId: string;
  readonly targets: readonly NamedTarget[];
  readonly text?: string;
  /** What it carries beside. */
  readonly others?: JsonRecord;
}

/** Sends a message that names `targets`; ends the check with its precondition not met when it is not accepted. */
export async function mention(
  { draft: newDraft, bindings }: Pick<Always, 'draft' | 'bindings'>,
  { from, channelId, targets, text, others }: Naming,
): Promise<Draft> {
  const draft = newDraft(text);
  const fields = { ...(targets.length === 0 ? {} : { [bindings.mentions]: targets }), ...others };
  const sent = await from.send(channelId, draft.text, { fields });
  return isAccepted(sent) ? draft : unmet(`a send with a mention got ${describeAnswer(sent)}`, sent);
}

/** Ends the check unless the channel shows that a message was stored with the target that its send named. */
export function requireTarget(item: PageItem | undefined, target: NamedTarget): void {
  if (!showsTarget(item?.message['mentions'], target)) {
    unmet(`the channel does not show that the message names a target of kind ${target.kind}`);
  }
}

/** Items of one channel: their order is told by either of their numbers, should those be confused. */
export function ofChannel(items: readonly PageItem[], channelId: string): PageItem[] {
  return items.filter(({ message }) => isSameId(asText(message['channel_id']), channelId));
}

/** Ends the check unless every page was answered: a refused one has no items to be judged by. */
export function requirePages(...pages: readonly PageRead[]): void {
  const refused = pages.find(({ exchange }) => !isAccepted(exchange));
  if (refused !== undefined) unmet('a listing was not accepted', refused.exchange);
}

/** Whether what is missing from a page with this limit may follow on the next one: a byte cap leaves room on it. */
export function isCutShort({ hasMore, items }: PageRead, limit: number): boolean {
  return hasMore === true && items.length < limit;
}

/** The items that carry one of the drafts, told by its marker in place of the id that the server gave the message. */
export function ownItems(items: readonly PageItem[], drafts: readonly Draft[]): PageItem[] {
  return items.flatMap((item) => {
    const own = drafts.find((draft) => findIn([item], draft) !== undefined);
    return own === undefined ? [] : [{ ...item, id: own.marker }];
  });
}

/** Evidence enough of a walk: its first pages. */
export function exchangesOf(pages: readonly PageRead[]): Exchange[] {
  return pages.slice(0, 3).map(({ exchange }) => exchange);
}
