import { randomUUID } from 'node:crypto';
import type { Context } from '../../../harness/check/context.ts';
import type { FreshWorkspace } from '../../../harness/check/fresh-workspace.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { type Exchange, statusOf } from '../../../harness/client/exchange.ts';
import { principalsOf } from '../../../harness/stream/identities.ts';
import { readMentions } from '../../../harness/stream/mentions-view.ts';
import { readPage, type PageRead } from '../../../harness/stream/page.ts';
import { findIn, type Draft } from '../../../harness/stream/stream-view.ts';
import { walk, type Walk } from '../../../harness/stream/walk.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import type { NamedTarget } from '../../../oracles/messages/targets.ts';
import { tokenOf } from '../auth/credential-faults.ts';
import { seekListed } from '../mentions/listed.ts';
import { arranged, orElse } from '../or-else.ts';
import { requireAccepted } from '../send/accepted-sends.ts';

/** A check of what changes leave as it is. */
export type Changing = Context<'provision-hook'>;

/** What a reader is shown from the oldest on, of its channel or of its mentions. */
export interface View {
  readonly label: string;
  readonly isFeed: boolean;
  readonly pages: readonly PageRead[];
}

/** Who wrote, who reads, and what was sent, the oldest first. */
export interface Scene {
  readonly fresh: FreshWorkspace;
  readonly author: Actor;
  readonly reader: Actor;
  /** Somebody who wrote something too, and stays. */
  readonly stayer: Actor | undefined;
  /** Those who wrote something, and can leave. */
  readonly leavers: readonly Actor[];
  /** Sends what was sent under a key once more, or something else under it. */
  readonly sendAgain: (another?: Draft) => Promise<Exchange>;
  readonly drafts: readonly Draft[];
  /** When the first of them was sent, in monotonic ms. */
  readonly sentMs: number;
  readonly fileId: string | undefined;
}

const limit = 100;

/** Messages that reach a reader in every way: of one who stays, by each name, with a file, and of one who will leave. */
export async function sceneOf(context: Changing, fresh: FreshWorkspace): Promise<Scene> {
  const { bindings, draft, optionalHook } = context;
  const { channel, identities } = fresh;
  const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
  const [stayer, leaver] = fresh.agents;
  const leavers = [leaver, author].filter((each) => each !== undefined);
  const [itself, ...others] = principalsOf(await identities.provenance(reader));
  // Learned now: it takes a message, which would move what is retained of the author's between two looks.
  await identities.provenance(author);
  const files = optionalHook('file-hook')?.files;
  const plain = {
    token: tokenOf(author),
    filename: 'a-file.txt',
    contentType: 'text/plain',
    content: 'bytes\n',
  };
  const fileId = await orElse<string | undefined>(
    files?.upload(plain) ?? Promise.resolve(undefined),
    () => undefined,
  );
  const drafts: Draft[] = [];
  let sentMs = Infinity;
  const send = async (from: Actor, target: NamedTarget | undefined, fields: object = {}): Promise<void> => {
    const own = draft();
    const targets = target === undefined ? {} : { [bindings.mentions]: [target] };
    const sent = await from.send(channel.id, own.text, { fields: { ...targets, ...fields } });
    requireAccepted(sent);
    sentMs = Math.min(sentMs, sent.startedMs);
    drafts.push(own);
  };
  const key = randomUUID();
  const keyed = draft();
  const sendAgain = (another = keyed): Promise<Exchange> => author.send(channel.id, another.text, { key });
  requireAccepted(await sendAgain());
  for (const from of [stayer, author, leaver]) if (from !== undefined) await send(from, itself);
  for (const target of others) await send(author, target);
  if (fileId !== undefined) {
    await arranged(() => send(author, itself, { [bindings.attachments]: [fileId] }));
  }
  const arrived = await channel.arrivals(drafts);
  const feed = await fresh.feedOf(reader, author);
  const { found } = await seekListed(context, feed, 0n, arrived);
  given(found[0] !== undefined, 'a mention of the reader is not listed');
  return { fresh, author, reader, stayer, leavers, sendAgain, drafts, sentMs, fileId };
}

/** The channel and the mentions as the reader sees them, and the channel as another does, unless it has no access any more. */
export async function viewsOf(
  { bindings }: Changing,
  { fresh, reader, stayer }: Scene,
): Promise<readonly View[]> {
  const { id } = fresh.channel;
  const channelOf = (agent: Actor): Promise<Walk> =>
    walk(async (after) => readPage(await agent.readChannel(id, { after, limit }), bindings.items), 0n);
  const [ofStayer, ...ofReader] = await Promise.all([
    stayer && channelOf(stayer),
    channelOf(reader),
    walk((after) => readMentions(reader, after, limit), 0n),
  ]);
  // It may be of the same human as somebody who left, and what becomes of such agents is not said.
  const isRefused = ofStayer?.pages.some(({ exchange }) => [401, 403].includes(statusOf(exchange) ?? 0));
  const walked = ofStayer === undefined || isRefused === true ? ofReader : [...ofReader, ofStayer];
  const ended = walked.flatMap(({ pages }) => pages.slice(-1));
  given(
    walked.every(({ isComplete }) => isComplete),
    'the channel or the mentions could not be read to their end',
    ...ended.map(({ exchange }) => exchange),
  );
  return walked.map(({ pages }, at) => ({
    label: ['the channel', 'the feed', 'the channel of another'][at] ?? '',
    isFeed: at === 1,
    pages,
  }));
}

/** Whether a message is on one of the pages. */
export function shows(view: View | undefined, draft: Draft): boolean {
  return view?.pages.some(({ items }) => findIn(items, draft) !== undefined) ?? false;
}
