import { isRecord } from '../../harness/stream/page.ts';
import type { JsonRecord, PageItem } from '../../harness/stream/page.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Always, Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { judgeTargets } from '../../oracles/messages/targets.ts';
import type { NamedTarget } from '../../oracles/messages/targets.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

type RenameContext = Context<'provision-hook' | 'rename-hook'>;
const needs = ['provision-hook', 'rename-hook'] as const;
const newName = { agent: 'Nova Agent', user: 'Nova Newname', machine: 'nova-machine' } as const;

/** Names that change after they were written. */
export const renamingChecks: readonly Check[] = [
  // message.author.captured-at-write: The author shows the names of the moment of writing, even after they
  //   changed.
  check(
    'message.author-keeps-the-names-of-its-agent-and-machine',
    {
      title:
        'a message shows the names of its agent and machine as they were written, and a later one the new names',
      clauses: ['message.author.captured-at-write'],
      needs,
    },
    async (context) => {
      const { expect } = context;
      const fresh = await context.provision();
      const written = await writeAndSettle(context, fresh);
      const before = namesOf(written.item);
      await renameAuthor(context, fresh, ['agent', 'machine']);
      const { later, again, exchange } = await readAfterRename(context, fresh, written);
      given(later.agent === newName.agent, 'a renamed agent writes under its old name');
      const clause = 'message.author.captured-at-write';
      expect.equal(clause, 'author.display_name', again.agent, before.agent, exchange);
      expect.equal(clause, 'author.machine.display_name', again.machine, before.machine, exchange);
    },
  ),
  // human-user.display-name.captured-at-write: The name of the human stays what it was at the moment of
  //   writing.
  check(
    'message.author-keeps-the-name-of-its-human',
    {
      title: 'a message shows the name of its human as it was written, and a later one the new name',
      clauses: ['human-user.display-name.captured-at-write'],
      needs,
    },
    async (context) => {
      const { expect } = context;
      const fresh = await context.provision();
      const written = await writeAndSettle(context, fresh);
      const before = namesOf(written.item);
      await renameAuthor(context, fresh, ['agent', 'user']);
      const { later, again, exchange } = await readAfterRename(context, fresh, written);
      given(later.human === newName.user, 'a renamed human writes under the old name');
      given(again.agent === before.agent, 'no name of an author is kept');
      const clause = 'human-user.display-name.captured-at-write';
      expect.equal(clause, 'author.human_user.display_name', again.human, before.human, exchange);
    },
  ),
  // message.mentions.never-re-resolved: The targets of a message stay the same after the principals they name
  //   were renamed.
  check(
    'message.targets-stay-when-their-names-change',
    {
      title: 'a message shows the targets that it was sent with after all of them were renamed',
      clauses: ['message.mentions.never-re-resolved'],
      needs: [...needs, 'mentions-binding'],
    },
    async (context) => {
      const { bindings, expect } = context;
      const fresh = await context.provision();
      const targets = await targetsIn(fresh);
      const written = await writeAndSettle(context, fresh, { [bindings.mentions]: targets });
      if (judgeTargets(targets, written.item.message['mentions']).problems.length > 0)
        unmet(`the message does not show its targets: see bindings.mentions (${bindings.mentions})`);
      await renameAuthor(context, fresh, ['agent']);
      for (const { kind, id } of targets) {
        await context.rename({ kind, id, displayName: newName[kind] });
      }
      const { later, message, exchange } = await readAfterRename(context, fresh, written);
      given(later.agent === newName.agent, 'a renamed agent writes under its old name');
      const judgement = judgeTargets(targets, message['mentions']);
      expect.judgement('message.mentions.never-re-resolved', judgement, exchange);
    },
  ),
];

interface Names {
  readonly agent: unknown;
  readonly human: unknown;
  readonly machine: unknown;
}

interface Written {
  readonly draft: Draft;
  readonly item: PageItem;
  readonly from: bigint | undefined;
}

/** A message of the author's that reads the same twice: one that does not breaks another clause. */
async function writeAndSettle(
  { draft }: Pick<Always, 'draft'>,
  fresh: FreshWorkspace,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Written> {
  const { channel } = fresh;
  const from = await channel.since();
  const written = draft();
  requireAccepted(await fresh.actor('author').send(channel.id, written.text, { fields }));
  await channel.arrival(written);
  const [item, again] = [await readItem(fresh, written, from), await readItem(fresh, written, from)];
  const isSame = (field: 'author' | 'mentions'): boolean =>
    JSON.stringify(item.item.message[field]) === JSON.stringify(again.item.message[field]);
  given(isSame('author') && isSame('mentions'), 'a message does not read the same twice');
  return { draft: written, item: item.item, from };
}

/** Gives the author of a fresh workspace, its human or its machine another name. */
async function renameAuthor(
  { rename }: Pick<RenameContext, 'rename'>,
  fresh: FreshWorkspace,
  kinds: readonly (keyof typeof newName)[],
): Promise<void> {
  const { agentId, humanUserId, machineId } = await fresh.identities.provenance(fresh.actor('author'));
  const ids = { agent: agentId, user: humanUserId, machine: machineId };
  for (const kind of kinds) {
    const id = ids[kind];
    if (id !== undefined) await rename({ kind, id, displayName: newName[kind] });
    else if (kind === 'user')
      unmet('the author of the fresh workspace has no human: let hooks.provision give it one of its own');
  }
}

/** A message written after the renaming, and the one from before it as it reads now. */
async function readAfterRename(
  { draft, settleMs, sleep }: Pick<Always, 'draft' | 'settleMs' | 'sleep'>,
  fresh: FreshWorkspace,
  { draft: first, from }: Written,
): Promise<{ later: Names; again: Names; message: JsonRecord; exchange: Exchange }> {
  await sleep(settleMs);
  const second = draft();
  requireAccepted(await fresh.actor('author').send(fresh.channel.id, second.text));
  const later = namesOf(await fresh.channel.arrival(second));
  const { item, exchange } = await readItem(fresh, first, from);
  return { later, again: namesOf(item), message: item.message, exchange };
}

async function readItem(
  { channel }: FreshWorkspace,
  draft: Draft,
  from: bigint | undefined,
): Promise<{ item: PageItem; exchange: Exchange }> {
  const { pages } = await readOn(channel, from);
  for (const { items, exchange } of pages) {
    const item = findIn(items, draft);
    if (item !== undefined) return { item, exchange };
  }
  return unmet('the channel no longer shows the message');
}

function namesOf({ message }: PageItem): Names {
  const author = recordIn(message['author']);
  return {
    agent: author['display_name'],
    human: recordIn(author['human_user'])['display_name'],
    machine: recordIn(author['machine'])['display_name'],
  };
}

/** The reader in every kind that it can be named as. */
async function targetsIn(
  fresh: FreshWorkspace,
): Promise<readonly (NamedTarget & { readonly kind: keyof typeof newName })[]> {
  const { agentId, humanUserId, machineId } = await fresh.identities.provenance(fresh.actor('reader'));
  return [
    { kind: 'agent', id: agentId },
    ...(humanUserId === undefined ? [] : [{ kind: 'user', id: humanUserId } as const]),
    ...(machineId === undefined ? [] : [{ kind: 'machine', id: machineId } as const]),
  ];
}

function recordIn(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}
