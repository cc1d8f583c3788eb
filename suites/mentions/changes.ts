import { check, type Check } from '../../harness/check/check.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { leastKeptMs } from '../../history/world/walks.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { clauseOf, type ClauseId } from '../../spec/index.ts';
import { judgeListings, listingIn, listings } from '../arrange/changes/channel-lists.ts';
import { sceneOf, shows, viewsOf, type Changing, type Scene, type View } from '../arrange/changes/scene.ts';
import { eventually } from '../arrange/eventually.ts';
import { requirePages } from '../arrange/mentions/mentioning.ts';
import { orElse } from '../arrange/or-else.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

/** What changes leave where it is. */
export const changeChecks: readonly Check[] = [
  // states.mentions-do-not-vanish: A mention that was read is not gone from a later complete read while its
  //   like is retained.
  check(
    'mentions.changes-take-nothing-away',
    {
      title:
        'everything stays listed, its channel too, once those whom it names are renamed or were away, its files deleted and its authors gone',
      clauses: [
        'states.mentions-do-not-vanish',
        'states.messages-do-not-vanish',
        'states.messages-outlive-their-author',
        'states.messages-outlive-an-absence',
        ...listings.map(({ clause }) => clause),
      ],
      arranges: [
        'mentions.feed-agrees-with-channel',
        'message.author.immutable',
        'message.immutable',
        'send.equal-replay-is-no-conflict',
      ],
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
        const listing = await listingIn(scene, listings);
        if (!(await orElse(change(context, scene), () => false))) continue;
        await judge(context, scene, before, clauses);
        await judgeListings(context, scene, listing);
        // Under present names it is the send that it was.
        if (change === renameAndDelete) await scene.sendAgain();
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
      arranges: [
        'mentions.feed-agrees-with-channel',
        'message.author.immutable',
        'send.equal-replay-is-no-conflict',
        'send.conflict-is-refused',
      ],
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
      await scene.sendAgain();
      await scene.sendAgain(context.draft());
    },
  ),
];

/** What is broken where something is gone from a feed, and from a channel. */
type Clauses = readonly [feed: ClauseId, channel: ClauseId];

const vanishing: Clauses = ['states.mentions-do-not-vanish', 'states.messages-do-not-vanish'];
const outliving: Clauses = ['states.messages-outlive-their-author', 'states.messages-outlive-their-author'];
const restarting: Clauses = ['channel-read.survives-a-restart', 'channel-read.survives-a-restart'];
const returning: Clauses = ['states.messages-outlive-an-absence', 'states.messages-outlive-an-absence'];

async function renameAndDelete({ optionalHook }: Changing, scene: Scene): Promise<boolean> {
  const { fresh, author, reader, fileId } = scene;
  const rename = optionalHook('rename-hook')?.rename;
  const both = await Promise.all([author, reader].map((each) => fresh.identities.provenance(each)));
  for (const [at, { kind, id }] of both.flatMap(principalsOf).entries())
    await rename?.({ kind, id, displayName: `Another ${kind} ${at + 1}` });
  if (fileId !== undefined) await optionalHook('file-hook')?.files.delete(fileId);
  return rename !== undefined || fileId !== undefined;
}

async function takeAccess({ optionalHook }: Changing, { fresh, leavers }: Scene): Promise<boolean> {
  const deactivate = optionalHook('deactivate-hook')?.deactivate;
  if (deactivate === undefined) return false;
  const { identities, workspaceId } = fresh;
  const agentIds = await Promise.all(leavers.map((each) => identities.agentId(each)));
  for (const agentId of agentIds) await deactivate({ kind: 'access', agentId, workspaceId });
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
