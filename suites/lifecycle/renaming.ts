import { isRecord } from '../../harness/stream/page.ts';
import type { JsonRecord, PageItem } from '../../harness/stream/page.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Always, Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { unarranged } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { judgeTargets } from '../../oracles/messages/targets.ts';
import type { NamedTarget } from '../../oracles/messages/targets.ts';
import { eventually } from '../arrange/eventually.ts';
import { overviewIn } from '../arrange/overview/parts.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

type RenameContext = Context<'provision-hook' | 'rename-hook'>;
const needs = ['provision-hook', 'rename-hook'] as const;
const newName = { agent: 'Nova Agent', user: 'Nova Newname', machine: 'nova-machine' } as const;

/** What a member is called before its renaming is judged. */
const formerName = 'Vera Formername';

/** Names that change after they were written. */
export const renamingChecks: readonly Check[] = [
  check(
    'message.author-keeps-the-names-it-was-written-under',
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
      if (later.agent !== newName.agent) unarranged('a renamed agent writes under its old name');
      const clause = 'message.author.captured-at-write';
      expect.equal(clause, 'author.display_name', again.agent, before.agent, exchange);
      expect.equal(clause, 'author.machine.display_name', again.machine, before.machine, exchange);
    },
  ),
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
      if (later.human !== newName.user) unarranged('a renamed human writes under the old name');
      if (again.agent !== before.agent) unarranged('no name of an author is kept');
      const clause = 'human-user.display-name.captured-at-write';
      expect.equal(clause, 'author.human_user.display_name', again.human, before.human, exchange);
    },
  ),
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
        unarranged(`the message does not show its targets: see bindings.mentions (${bindings.mentions})`);
      await renameAuthor(context, fresh, ['agent']);
      for (const { kind, id } of targets) {
        await context.rename({ kind, id, displayName: newName[kind] });
      }
      const { later, message, exchange } = await readAfterRename(context, fresh, written);
      if (later.agent !== newName.agent) unarranged('a renamed agent writes under its old name');
      const judgement = judgeTargets(targets, message['mentions']);
      expect.judgement('message.mentions.never-re-resolved', judgement, exchange);
    },
  ),
  check(
    'overview.shows-a-renamed-member-under-the-new-name',
    {
      title: 'a member that was renamed is shown under the new name',
      clauses: ['overview.shows-the-current-names'],
      needs,
    },
    async (context) => {
      const fresh = await context.provision();
      const { humanUserId } = await fresh.identities.provenance(fresh.actor('author'));
      const id = humanUserId ?? unarranged('the author that hooks.provision made has no human');
      const renamedTo = async (
        displayName: string,
      ): Promise<{ name: string | undefined; answer: Exchange }> => {
        await context.rename({ kind: 'user', id, displayName });
        const ask = (): Promise<Exchange> => fresh.actor('machine').overview(fresh.workspaceId);
        const answer = await eventually(context, ask, (each) => memberName(each, id) === displayName);
        return { name: memberName(answer, id), answer };
      };
      // A human has one name and a member two: what ties them is not shown, until a first renaming shows it.
      const first = await renamedTo(formerName);
      if (first.name !== formerName) unarranged('hooks.rename gives a member no other name', first.answer);
      const { name, answer } = await renamedTo(newName.user);
      context.expect.equal('overview.shows-the-current-names', 'member', name, newName.user, answer);
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
  if (!isSame('author') || !isSame('mentions')) unarranged('a message does not read the same twice');
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
      unarranged(
        'the author of the fresh workspace has no human: let hooks.provision give it one of its own',
      );
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
  return unarranged('the channel no longer shows the message');
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

/** First and last name of the member that a human is, empty ones aside; `undefined` when none has that id. */
function memberName(overview: Exchange, humanUserId: string | undefined): string | undefined {
  const member = overviewIn(overview).members.find(
    ({ id }) => typeof id === 'string' && humanUserId !== undefined && isSameId(id, humanUserId),
  );
  return (
    member &&
    [member['first_name'], member['last_name']]
      .filter((name) => typeof name === 'string' && name.trim() !== '')
      .join(' ')
  );
}

function recordIn(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}
