import { randomUUID } from 'node:crypto';
import type { Context } from '../../../harness/check/context.ts';
import type { FreshWorkspace } from '../../../harness/check/fresh-workspace.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { principalsOf, type Provenance } from '../../../harness/stream/identities.ts';
import { findIn, type Draft } from '../../../harness/stream/stream-view.ts';
import { unmet } from '../../../harness/verdict/outcome.ts';
import type { NamedTarget } from '../../../spec/oracles/messages/targets.ts';
import { tokenOf } from '../auth/credential-faults.ts';
import { uploadBeside } from '../message/attached.ts';
import { mention } from '../mentions/mentioning.ts';
import { arranged, orElse } from '../or-else.ts';
import { messageIdOf, report } from '../receipts/reports.ts';
import { requireAccepted } from '../send/accepted-sends.ts';

/** A check of what changes leave as it is. */
export type Changing = Context<'provision-hook'>;

/** Who looks: the peer is of the human and the machine of the reader, and the latecomer asks for nothing until it comes. */
export const readerNames = ['reader', 'peer', 'stayer', 'author', 'latecomer'] as const;
export type ReaderName = (typeof readerNames)[number];

/** Somebody, and all that its messages show of it. */
interface Known {
  readonly actor: Actor;
  readonly who: Provenance;
}

/** Who wrote, who reads, and what was sent. */
export interface Scene {
  readonly fresh: FreshWorkspace;
  readonly secondId: string | undefined;
  /** Those that there are. */
  readonly readers: ReadonlyMap<ReaderName, Actor>;
  readonly author: Known;
  readonly reader: Known;
  /** Somebody who wrote and reported something, and can leave. */
  readonly leaver: Actor | undefined;
  /** Of both channels; more may come. */
  readonly drafts: Draft[];
  /** Those of them that have files. */
  readonly withFiles: readonly Draft[];
  /** When the first of them was sent, in monotonic ms. */
  readonly sentMs: number;
  /** A cursor in the middle of the channel. */
  readonly middle: bigint;
  /** The message that is reported: its id, and what it is found by. */
  readonly messageId: string;
  readonly messageMarker: string;
  /** Those that name the human and the machine of the reader. */
  readonly ofOwnersIds: readonly string[];
  /** Agents that report the first, early or late. */
  readonly reporterIds: readonly string[];
  /** Files of a message in either channel: one that stays, and one that a change deletes. */
  readonly keptId: string | undefined;
  readonly deletedId: string | undefined;
  /** What the bytes of both begin with. */
  readonly content: string;
  /** Sends what was sent under a key once more, or something else under it. */
  readonly sendAgain: (another?: Draft) => Promise<Exchange>;
}

/** Messages that reach readers in every way: of one who stays, by each name, with files, in either channel, and of one who can leave. */
export async function sceneOf(context: Changing): Promise<Scene> {
  const { bindings, draft, marker, optionalHook, provision } = context;
  const fresh = await provision({ agents: 3 });
  const { channel, identities } = fresh;
  const [author, reader, peer] = [fresh.actor('author'), fresh.actor('reader'), fresh.optional('peer')];
  const [stayer, leaver, latecomer] = fresh.agents;
  const second = await arranged(async () => fresh.secondChannel);
  const files = optionalHook('file-hook')?.files;
  const uploader = leaver ?? author;
  const agentsOf = (...actors: readonly (Actor | undefined)[]): Promise<readonly NamedTarget[]> =>
    Promise.all(there(actors).map(async (each) => agent(await identities.agentId(each))));
  const content = marker();
  const file = { token: tokenOf(uploader), filename: 'a-file.txt', contentType: 'text/plain', content };
  const uploads = async (): Promise<{ kept?: string; deleted?: string | undefined }> => {
    const kept = await files?.upload(file);
    if (files === undefined || kept === undefined) return {};
    // By somebody with a human, where the other has none; and of one name, where a server takes that twice.
    const beside = { ...file, token: tokenOf(author) };
    const namesake = await arranged(() => files.upload({ ...beside, isUnusual: true }));
    if (namesake !== undefined && namesake !== kept) return { kept, deleted: namesake };
    const other = { ...beside, filename: 'another-file.txt' };
    return { kept, deleted: await arranged(() => uploadBeside(files, kept, other)) };
  };
  // Learned now: it takes messages, which would move what is retained of an author's between two looks.
  const [ofReader, ofAuthor, toPeer, toStayer, toLeaver, { kept, deleted } = {}] = await Promise.all([
    identities.provenance(reader),
    identities.provenance(author),
    agentsOf(peer),
    agentsOf(stayer),
    agentsOf(leaver),
    arranged(uploads),
  ]);
  const itself = agent(ofReader.agentId);
  const toOthers = [agent(ofAuthor.agentId), ...toStayer];
  const name = (from: Actor, targets: readonly NamedTarget[], channelId = channel.id): Promise<Draft> =>
    mention(context, { from, channelId, targets });
  const [key, keyed] = [randomUUID(), draft()];
  const sendAgain = (another = keyed): Promise<Exchange> => author.send(channel.id, another.text, { key });
  const attach = async (channelId: string, attachments: readonly string[]): Promise<Draft> => {
    const withFile = draft();
    const targets = [itself, ...toPeer, ...(uploader === author ? [] : toOthers)];
    const fields = { [bindings.mentions]: targets, [bindings.attachments]: attachments };
    requireAccepted(await uploader.send(channelId, withFile.text, { fields }));
    return withFile;
  };
  const sentMs = performance.now();
  const [again, elsewhere = [], shared, ofOwners, ...namings] = await Promise.all([
    sendAgain(),
    second &&
      arranged(() => Promise.all([name(author, [itself], second.id), name(reader, toOthers, second.id)])),
    name(author, [itself, ...toPeer]),
    Promise.all(
      principalsOf(ofReader)
        .slice(1)
        .map((target) => name(author, [target])),
    ),
    ...there([stayer, leaver]).map((from) => name(from, [itself])),
    // The human and the machine of who leaves stay named.
    name(reader, [...toOthers, ...principalsOf(ofAuthor).slice(1)]),
  ]);
  requireAccepted(again);
  // The last, so that others outlive it. In the other channel in the other order: a view may look at the first file alone.
  // Retention may take what has files before others: an older one has some, too.
  const attachedBefore = kept === undefined ? undefined : await arranged(() => attach(channel.id, [kept]));
  const attached =
    kept === undefined || deleted === undefined
      ? undefined
      : await arranged(() =>
          // Whether a file of another agent is taken, or one of another message, is another question.
          orElse(attach(channel.id, [deleted, kept]), () => attach(channel.id, [deleted])),
        );
  const attachedElsewhere =
    attachedBefore === undefined || second === undefined
      ? undefined
      : await arranged(() => attach(second.id, there([kept, deleted])));
  const early = [keyed, shared, ...there([attachedBefore, attached]), ...ofOwners, ...namings];
  const arrived = await channel.arrivals(early);
  const idOf = (sent: Draft): string =>
    messageIdOf(
      findIn(arrived, sent) ?? unmet('the channel does not show a message that was just sent to it'),
    );
  const messageId = idOf(shared);
  const inSecond = [...elsewhere, ...there([attachedElsewhere])];
  const places = arrived
    .flatMap(({ sequence }) => sequence ?? [])
    .toSorted((one, other) => Number(one - other));
  await Promise.all([
    second?.arrivals(inSecond),
    leaver && report(leaver, { bindings, channelId: channel.id, messageId }),
  ]);
  const readers = { reader, peer, stayer, author, latecomer };
  return {
    fresh,
    secondId: second?.id,
    readers: new Map(readerNames.flatMap((each) => there([readers[each]]).map((actor) => [each, actor]))),
    author: { actor: author, who: ofAuthor },
    reader: { actor: reader, who: ofReader },
    leaver,
    drafts: [...early, ...inSecond],
    withFiles: there([attachedBefore, attached, attachedElsewhere]),
    sentMs,
    middle: places[Math.floor(places.length / 2)] ?? unmet('messages show no usable sequence'),
    messageId,
    messageMarker: shared.marker,
    ofOwnersIds: ofOwners.map(idOf),
    reporterIds: [itself, ...toPeer, ...toStayer, ...toLeaver].map(({ id }) => id.toLowerCase()),
    keptId: kept,
    deletedId: deleted,
    content,
    sendAgain,
  };
}

function agent(id: string): NamedTarget {
  return { kind: 'agent', id };
}

/** Those of some that there are. */
function there<Value>(values: readonly (Value | undefined)[]): readonly Value[] {
  return values.filter((each) => each !== undefined);
}
