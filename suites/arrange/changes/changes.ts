import type { LifecycleFixtures } from '../../../harness/check/hook-fixtures.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted } from '../../../harness/client/exchange.ts';
import { principalsOf } from '../../../harness/stream/identities.ts';
import { isSameId } from '../../../spec/oracles/answers/overview.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { tokenOf } from '../auth/credential-faults.ts';
import { mention } from '../mentions/mentioning.ts';
import { arranged, isArranged } from '../or-else.ts';
import { agreedIdOf } from '../provisioned.ts';
import { report } from '../receipts/reports.ts';
import type { Changing, ReaderName, Scene } from './scene.ts';

/** Something that takes nothing from any view. */
export interface Change {
  /** What is so afterwards. */
  readonly label: string;
  /** What is broken where a mention is gone, and a message. */
  readonly clauses: readonly [mention: ClauseId, message: ClauseId];
  /** The same where a retrieval is gone from the full list; what the contract says of that list where nothing is named. */
  readonly ofRecords?: ClauseId;
  /** Whom it is about: one who may see less than others when it is over. */
  readonly of?: ReaderName;
  /** What the author is without until another change. */
  readonly ends?: 'access' | 'membership';
  readonly deletesFile?: boolean;
  /** What it decides of its own accord. */
  readonly decides?: readonly ClauseId[];
  /** False where nobody can bring it about. */
  readonly act: (context: Changing, scene: Scene) => Promise<boolean>;
}

const vanishing = ['states.mentions-do-not-vanish', 'states.messages-do-not-vanish'] as const;
const outliving = 'states.messages-outlive-their-author';
const returning = both('states.messages-outlive-an-absence');

const reported: Change = {
  label:
    'everybody there reported a message, the first once more, and agents of one human those that name it and its machine',
  clauses: vanishing,
  act: async ({ bindings }, { fresh, reader, readers, messageId, ofOwnersIds }) => {
    const about = { bindings, channelId: fresh.channel.id, messageId };
    const there = [...readers].flatMap(([name, actor]) => (name === 'latecomer' ? [] : actor));
    for (const each of [...there, reader.actor]) await report(each, about);
    // What names several agents in one word is not read by all once one of them has.
    const siblings = [reader.actor, readers.get('peer') ?? reader.actor];
    await Promise.all(
      ofOwnersIds.flatMap((id) => siblings.map((each) => report(each, { ...about, messageId: id }))),
    );
    return true;
  },
};

const joined: Change = {
  label: 'an agent came, and was named twice',
  clauses: vanishing,
  act: async (context, { drafts, fresh: { channel, identities }, readers }) => {
    const [stayer, latecomer] = [readers.get('stayer'), readers.get('latecomer')];
    if (stayer === undefined || latecomer === undefined) return false;
    const target = { kind: 'agent', id: await identities.agentId(latecomer) } as const;
    // Of one who wrote little: what is retained of the others does not move.
    const naming = { from: stayer, channelId: channel.id, targets: [target] };
    const named = await Promise.all([mention(context, naming), mention(context, naming)]);
    await channel.arrivals(named);
    drafts.push(...named);
    return true;
  },
};

const renamed: Change = {
  label: 'everybody was renamed, machines and humans too, and the latter to one name where that can be',
  clauses: vanishing,
  act: async ({ optionalHook }, { author, fresh: { identities }, reader, readers }) => {
    const rename = optionalHook('rename-hook')?.rename;
    if (rename === undefined) return false;
    const others = (['peer', 'stayer'] as const).flatMap((name) => readers.get(name) ?? []);
    const ids = await Promise.all(others.map((actor) => identities.agentId(actor)));
    const all = [author.who, reader.who].flatMap(principalsOf);
    for (const [at, { kind, id }] of [
      ...all,
      ...ids.map((id) => ({ kind: 'agent', id }) as const),
    ].entries()) {
      // People may have one name; a server may want names that differ within a workspace.
      const namesake = { kind, id, displayName: 'Another Human', isUnusual: true };
      if (kind === 'user' && (await isArranged(rename(namesake)))) continue;
      await rename({ kind, id, displayName: `Another ${kind} ${at + 1}` });
    }
    return true;
  },
};

const sentAgain: Change = {
  label: 'a send was repeated under its key, another under it refused, and an empty one',
  clauses: vanishing,
  act: async ({ draft }, { author, fresh, sendAgain }) => {
    await sendAgain();
    await sendAgain(draft());
    await author.actor.send(fresh.channel.id, '');
    return true;
  },
};

const deleted: Change = {
  label: 'one of the files was deleted',
  clauses: vanishing,
  deletesFile: true,
  act: async ({ optionalHook }, { deletedId: id }) => {
    if (id !== undefined) await optionalHook('file-hook')?.files.delete(id);
    return id !== undefined;
  },
};

const credentialsEnded: Change = {
  label: 'credentials of others were revoked and expired',
  clauses: vanishing,
  act: async ({ optionalHook }, { fresh, leaver }) => {
    const [revoke, expire] = [optionalHook('revoke-hook')?.revoke, optionalHook('expire-hook')?.expire];
    const key = fresh.optional('api-key');
    if (key !== undefined) await revoke?.(tokenOf(key));
    if (leaver !== undefined) await expire?.(tokenOf(leaver));
    return revoke !== undefined || expire !== undefined;
  },
};

const restarted: Change = {
  label: 'the server was restarted',
  clauses: both('channel-read.survives-a-restart'),
  ofRecords: 'receipts.survive-a-restart',
  act: async ({ optionalHook }) => {
    const restart = optionalHook('restart-hook')?.restart;
    await restart?.();
    return restart !== undefined;
  },
};

/** Those without access: the author, and somebody else who wrote and reported. */
async function leaversOf({ author, fresh, leaver }: Scene): Promise<readonly LifecycleFixtures[]> {
  const { identities, workspaceId } = fresh;
  const agentIds = [
    author.who.agentId,
    ...(leaver === undefined ? [] : [await agreedIdOf(identities, leaver)]),
  ];
  return agentIds.map((agentId) => ({ kind: 'access', agentId, workspaceId }));
}

/** The membership of a human that the reader does not share: what becomes of its own agents is not said. */
function memberOf({ author, reader, fresh: { workspaceId } }: Scene): Promise<readonly LifecycleFixtures[]> {
  const [humanUserId, ofReader] = [author.who.humanUserId, reader.who.humanUserId];
  const isShared = ofReader !== undefined && isSameId(humanUserId ?? ofReader, ofReader);
  const isOwn = humanUserId !== undefined && !isShared;
  return Promise.resolve(isOwn ? [{ kind: 'membership', humanUserId, workspaceId }] : []);
}

const accessEnded: Change = {
  label: 'the author and another had lost their access',
  clauses: both(outliving),
  ofRecords: outliving,
  of: 'author',
  ends: 'access',
  act: (context, scene) => setEach(context, 'deactivate', leaversOf(scene)),
};

const accessGivenBack: Change = {
  label: 'the author and another had their access back',
  clauses: returning,
  act: (context, scene) => setEach(context, 'restore', leaversOf(scene)),
};

const membershipEnded: Change = {
  label: 'the membership of the author’s human had ended',
  clauses: both(outliving),
  ofRecords: outliving,
  of: 'author',
  ends: 'membership',
  act: (context, scene) => setEach(context, 'deactivate', memberOf(scene)),
};

const membershipGivenBack: Change = {
  label: 'the author’s human was a member again',
  clauses: returning,
  act: (context, scene) => setEach(context, 'restore', memberOf(scene)),
};

const away: Change = {
  label: 'the machine of the author, and the reader, were out for a while',
  clauses: returning,
  of: 'reader',
  decides: ['mentions.membership-rechecked'],
  act: async (context, { author, reader, readers, fresh: { channel, workspaceId } }) => {
    const { machineId } = author.who;
    if (machineId !== undefined)
      await arranged(() =>
        leaveAndReturn(context, author.actor, { kind: 'machine', machineId, workspaceId }, async () => {
          await author.actor.mentions({ limit: 1 });
          // Messages name the machine all the same: history/judges/capture.ts says so.
          if (!isSameId(reader.who.machineId ?? '', machineId))
            await reader.actor.readChannel(channel.id, { after: 0, limit: 100 });
        }),
      );
    const { agentId } = reader.who;
    const wasLetIn = isAccepted(await reader.actor.mentions({ limit: 1 }));
    return leaveAndReturn(context, reader.actor, { kind: 'access', agentId, workspaceId }, async () => {
      // Of another of its human and its machine, whose access is no word about its own.
      await readers.get('peer')?.mentions({ limit: 1 });
      const refused = await reader.actor.mentions({ limit: 1 });
      if (wasLetIn) context.expect('mentions.membership-rechecked', refused).toHaveStatus(401, 403);
    });
  },
};

/** Changes in a row, in phases: in each, a view has one reader. */
export type Course = readonly (readonly [Change, ...Change[]])[];

/** Every course has a workspace of its own. */
export const courses = {
  acts: [
    [renamed, reported, joined],
    [sentAgain, deleted, credentialsEnded],
  ],
  absences: [[accessEnded, accessGivenBack], [membershipEnded, membershipGivenBack], [away]],
  restart: [[restarted]],
} as const satisfies Readonly<Record<string, Course>>;

/** What comes before a course, and is not followed: a restart is of what may be read again otherwise. */
export const before = { absences: [joined], restart: [renamed, reported, joined, deleted] } as const;

/** Each of some is ended, or given back; false where there is none, or nobody can. */
async function setEach(
  { optionalHook }: Changing,
  set: 'deactivate' | 'restore',
  those: Promise<readonly LifecycleFixtures[]>,
): Promise<boolean> {
  const hook = optionalHook('deactivate-hook');
  const who = await those;
  for (const each of who) await hook?.[set](each);
  return hook !== undefined && who.length > 0;
}

/** Ends something of somebody, who is told so, and gives it back. */
async function leaveAndReturn(
  { optionalHook }: Changing,
  actor: Actor,
  who: LifecycleFixtures,
  tell: () => Promise<unknown> = () => actor.mentions({ limit: 1 }),
): Promise<boolean> {
  const hook = optionalHook('deactivate-hook');
  await hook?.deactivate(who);
  if (hook !== undefined) await tell();
  await hook?.restore(who);
  return hook !== undefined;
}

function both(clause: ClauseId): Change['clauses'] {
  return [clause, clause];
}
