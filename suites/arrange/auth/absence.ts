import type { Context } from '../../../harness/check/context.ts';
import type { FreshWorkspace } from '../../../harness/check/fresh-workspace.ts';
import { statusOf } from '../../../harness/client/exchange.ts';
import { principalsOf, type Provenance } from '../../../harness/stream/identities.ts';
import { readMentions } from '../../../harness/stream/mentions-view.ts';
import { findIn, type Draft } from '../../../harness/stream/stream-view.ts';
import { walk } from '../../../harness/stream/walk.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { eventually, untilNoConflict } from '../eventually.ts';
import { mention } from '../mentions/mentioning.ts';
import { reportAlone, type ReportedAlone } from '../receipts/reported.ts';
import { arranged } from '../or-else.ts';

/** By what the judges of the history judge what is seen of an agent that loses its access, and what it sees once it has it again. */
export const clausesOfAbsence = [
  'mentions.matches-agent-target',
  'mentions.matches-human-target',
  'mentions.matches-machine-target',
  'receipts.agent-ids.earlier-is-a-prefix',
] as const satisfies readonly ClauseId[];

/** The author of a fresh workspace, before it loses its access. */
export interface Absent {
  readonly fresh: FreshWorkspace;
  readonly who: Provenance | undefined;
  /** A message of the reader whose retrieval it reported. */
  readonly reported: ReportedAlone['sent'] | undefined;
}

/** Learns who stands behind an author, and has it report a message of the reader: what of it can be arranged. */
export async function beforeAbsence(
  context: Context<'deactivate-hook'>,
  fresh: FreshWorkspace,
): Promise<Absent> {
  const { channel, identities } = fresh;
  const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
  const [who, reported] = await Promise.all([
    arranged(() => identities.provenance(author)),
    arranged(async () => {
      const { sent } = await reportAlone({ ...context, author: reader, reader: author, channel });
      await channel.readPage(sent.from, 1);
      return sent;
    }),
  ]);
  return { fresh, who, reported };
}

/** Has the reader name an author without access, its human and its machine: a target that is refused is left out. */
export async function nameAbsent(
  context: Context<'deactivate-hook'>,
  { fresh, who }: Absent,
): Promise<readonly Draft[]> {
  const [from, channelId] = [fresh.actor('reader'), fresh.channel.id];
  const targets = who === undefined ? [] : principalsOf(who);
  const sent = targets.map((target) =>
    arranged(() => mention(context, { from, channelId, targets: [target] })),
  );
  return (await Promise.all(sent)).flatMap((draft) => draft ?? []);
}

/**
 * Has an author with access again read its mentions. Then it leaves for good, and the reader looks who retrieved its message: by now the
 * report is older than the settle time.
 */
export async function afterAbsence(
  context: Context<'deactivate-hook'>,
  { fresh, who, reported }: Absent,
  drafts: readonly Draft[],
): Promise<void> {
  const { channel, workspaceId } = fresh;
  const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
  const { nextAfter: end } = await eventually(
    context,
    () => walk((after) => readMentions(author, after, 100), 0n),
    ({ items }) => drafts.every((draft) => findIn(items, draft) !== undefined),
  );
  // What came meanwhile stands behind the cursors that were asked with before: nothing stands behind this one.
  if (end !== undefined) {
    const empty = await untilNoConflict(context, () => author.mentions({ after: end, limit: 1 }));
    if (statusOf(empty) !== 409)
      context.expect('mentions.membership-rechecked', empty, 'at the end of its mentions').toBeAccepted();
  }
  if (who === undefined || reported === undefined) return;
  await context.deactivate({ kind: 'access', agentId: who.agentId, workspaceId });
  await reader.readChannel(channel.id, { after: reported.from, limit: 1 });
}
