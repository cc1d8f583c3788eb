import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import { readMentions } from '../../harness/stream/mentions-view.ts';
import { readPage, type PageRead } from '../../harness/stream/page.ts';
import { findIn, type Draft } from '../../harness/stream/stream-view.ts';
import { walk } from '../../harness/stream/walk.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { leastKeptMs } from '../../history/world/walks.ts';
import type { NamedTarget } from '../../oracles/messages/targets.ts';
import { clauseOf, type ClauseId } from '../../spec/index.ts';
import { eventually } from '../arrange/eventually.ts';
import { requirePages } from '../arrange/mentions/mentioning.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { tokenOf } from '../arrange/auth/credential-faults.ts';
import { arranged, orElse } from '../arrange/or-else.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

type Changing = Context<'provision-hook'>;

/** What a reader is shown from the oldest on, of its channel or of its mentions. */
interface View {
  readonly label: string;
  readonly isFeed: boolean;
  readonly pages: readonly PageRead[];
}

/** Who wrote, who reads, and what was sent, the oldest first. */
interface Scene {
  readonly fresh: FreshWorkspace;
  readonly author: Actor;
  readonly reader: Actor;
  /** Somebody who wrote something too, and can leave. */
  readonly leaver: Actor | undefined;
  readonly drafts: readonly Draft[];
  /** When the first of them was sent, in monotonic ms. */
  readonly sentMs: number;
  readonly fileId: string | undefined;
}

const limit = 100;

/** What changes leave where it is. */
export const changeChecks: readonly Check[] = [
  // states.mentions-do-not-vanish: A mention that was read is not gone from a later complete read while its
  //   like is retained.
  check(
    'mentions.changes-take-nothing-away',
    {
      title:
        'everything stays listed once those whom it names are renamed or were away, its files deleted and its authors gone',
      clauses: [
        'states.mentions-do-not-vanish',
        'states.messages-do-not-vanish',
        'states.messages-outlive-their-author',
        'states.messages-outlive-an-absence',
      ],
      arranges: ['mentions.feed-agrees-with-channel', 'message.author.immutable'],
      needs: ['provision-hook'],
    },
    async (context) => {
      const scene = await sceneOf(context, await context.provision({ agents: 2 }));
      for (const [change, clauses] of [
        [renameAndDelete, vanishing],
        [takeAccess, outliving],
        [endMembership, outliving],
        [leaveAndReturn, returning],
      ] as const) {
        const before = await viewsOf(context, scene);
        requirePages(...before.flatMap(({ pages }) => pages));
        if (await orElse(change(context, scene), () => false)) await judge(context, scene, before, clauses);
      }
    },
  ),
  // channel-read.survives-a-restart: A message that was accepted or read before a restart of the server is
  //   there after it.
  check(
    'mentions.restart-takes-nothing-away',
    {
      title: 'everything stays listed, as it was written, when the server has begun again since a rename',
      clauses: ['channel-read.survives-a-restart'],
      arranges: ['mentions.feed-agrees-with-channel', 'message.author.immutable'],
      needs: ['provision-hook', 'restart-hook'],
    },
    async (context) => {
      const scene = await sceneOf(context, await context.provision());
      await viewsOf(context, scene);
      await orElse(renameAndDelete(context, scene), () => false);
      requireAccepted(await scene.author.send(scene.fresh.channel.id, context.draft().text));
      const before = await viewsOf(context, scene);
      requirePages(...before.flatMap(({ pages }) => pages));
      await context.restart();
      await judge(context, scene, before, restarting);
    },
  ),
];

/** What is broken where something is gone from a feed, and from a channel. */
type Clauses = readonly [feed: ClauseId, channel: ClauseId];

const vanishing: Clauses = ['states.mentions-do-not-vanish', 'states.messages-do-not-vanish'];
const outliving: Clauses = ['states.messages-outlive-their-author', 'states.messages-outlive-their-author'];
const restarting: Clauses = ['channel-read.survives-a-restart', 'channel-read.survives-a-restart'];
const returning: Clauses = ['states.messages-outlive-an-absence', 'states.messages-outlive-an-absence'];

/** Messages that reach a reader in every way: of one who stays, by each name, with a file, and of one who will leave. */
async function sceneOf(context: Changing, fresh: FreshWorkspace): Promise<Scene> {
  const { bindings, draft, optionalHook } = context;
  const { channel, identities } = fresh;
  const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
  const [stayer, leaver] = fresh.agents;
  const [itself, ...others] = principalsOf(await identities.provenance(reader));
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
  for (const from of [stayer, author, leaver]) if (from !== undefined) await send(from, itself);
  for (const target of others) await send(author, target);
  if (fileId !== undefined) {
    await arranged(() => send(author, itself, { [bindings.attachments]: [fileId] }));
  }
  const arrived = await channel.arrivals(drafts);
  const feed = await fresh.feedOf(reader, author);
  const { found } = await seekListed(context, feed, 0n, arrived);
  given(found[0] !== undefined, 'a mention of the reader is not listed');
  return { fresh, author, reader, leaver, drafts, sentMs, fileId };
}

async function renameAndDelete({ optionalHook }: Changing, scene: Scene): Promise<boolean> {
  const { fresh, author, reader, fileId } = scene;
  const rename = optionalHook('rename-hook')?.rename;
  const both = await Promise.all([author, reader].map((each) => fresh.identities.provenance(each)));
  for (const [at, { kind, id }] of both.flatMap(principalsOf).entries())
    await rename?.({ kind, id, displayName: `Another ${kind} ${at + 1}` });
  if (fileId !== undefined) await optionalHook('file-hook')?.files.delete(fileId);
  return rename !== undefined || fileId !== undefined;
}

async function takeAccess({ optionalHook }: Changing, { fresh, leaver }: Scene): Promise<boolean> {
  const deactivate = optionalHook('deactivate-hook')?.deactivate;
  if (deactivate === undefined || leaver === undefined) return false;
  const { identities, workspaceId } = fresh;
  await deactivate({ kind: 'access', agentId: await identities.agentId(leaver), workspaceId });
  return true;
}

/** Of a human that the reader does not share: what becomes of its own agents is not said. */
async function endMembership({ optionalHook }: Changing, { fresh, author, reader }: Scene): Promise<boolean> {
  const deactivate = optionalHook('deactivate-hook')?.deactivate;
  const { identities, workspaceId } = fresh;
  const { humanUserId } = await identities.provenance(author);
  const { humanUserId: ofReader } = await identities.provenance(reader);
  if (deactivate === undefined || humanUserId === undefined) return false;
  if (ofReader !== undefined && isSameId(humanUserId, ofReader)) return false;
  await deactivate({ kind: 'membership', humanUserId, workspaceId });
  return true;
}

/** The reader is without access for a while, and is told so. */
async function leaveAndReturn({ optionalHook }: Changing, { fresh, reader }: Scene): Promise<boolean> {
  const hook = optionalHook('deactivate-hook');
  if (hook === undefined) return false;
  const { identities, workspaceId } = fresh;
  const who = { kind: 'access', agentId: await identities.agentId(reader), workspaceId } as const;
  await hook.deactivate(who);
  await reader.mentions({ limit: 1 });
  await hook.restore(who);
  return true;
}

/** The channel and the mentions as the reader sees them. */
async function viewsOf({ bindings }: Changing, { fresh, reader }: Scene): Promise<readonly View[]> {
  const { id } = fresh.channel;
  const [channel, feed] = await Promise.all([
    walk(async (after) => {
      const asked = { after, limit };
      return readPage(await reader.readChannel(id, asked), asked, bindings.items);
    }, 0n),
    walk((after) => readMentions(reader, after, limit), 0n),
  ]);
  const whole = channel.isComplete && feed.isComplete;
  const ended = [...channel.pages.slice(-1), ...feed.pages.slice(-1)];
  given(
    whole,
    'the channel or the mentions could not be read to their end',
    ...ended.map(({ exchange }) => exchange),
  );
  return [
    { label: 'the channel', isFeed: false, pages: channel.pages },
    { label: 'the feed', isFeed: true, pages: feed.pages },
  ];
}

/** Nothing was sent meanwhile: what was shown is shown again, as far as it is retained. */
async function judge(
  context: Changing,
  scene: Scene,
  before: readonly View[],
  [ofFeed, ofChannel]: Clauses,
): Promise<void> {
  const goneFrom = (views: readonly View[], at: number): readonly Draft[] =>
    scene.drafts.filter((draft) => shows(before[at], draft) && !shows(views[at], draft));
  const after = await eventually(
    context,
    () => viewsOf(context, scene),
    (views) => views.every((_, at) => goneFrom(views, at).length === 0),
  );
  requirePages(...after.flatMap(({ pages }) => pages));
  const [channel] = after;
  after.forEach((view, at) => {
    // Retention takes the older first. A mention may go sooner than its message, but hardly does, and not as soon as this.
    const lookedMs = view.pages.at(-1)?.exchange.startedMs ?? Infinity;
    const isSoon = lookedMs - scene.sentMs <= leastKeptMs(context.settleMs);
    const isKept = isSoon || clauseOf(ofFeed).level === 'inferred';
    const gone = goneFrom(after, at).filter(
      (draft) =>
        scene.drafts.slice(0, scene.drafts.indexOf(draft)).some((older) => shows(view, older)) ||
        (view.isFeed && isKept && shows(channel, draft)),
    );
    const problem = {
      expected: `${view.label} shows the message ${gone[0]?.marker ?? ''} as before the change`,
      actual: `${gone.length} of ${scene.drafts.length} messages are gone`,
    };
    const evidence = [...(before[at]?.pages ?? []), ...view.pages].map(({ exchange }) => exchange);
    context.expect.holds(view.isFeed ? ofFeed : ofChannel, gone.length === 0, problem, ...evidence);
  });
}

function shows(view: View | undefined, draft: Draft): boolean {
  return view?.pages.some(({ items }) => findIn(items, draft) !== undefined) ?? false;
}
