import { isRecord } from '../../harness/stream/page.ts';
import type { JsonRecord, PageItem } from '../../harness/stream/page.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Always } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { judgeTargets } from '../../oracles/messages/targets.ts';
import { principalsOf } from '../arrange/mentions/mentioning.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

const newName = { agent: 'Nova Agent', user: 'Nova Newname', machine: 'nova-machine' } as const;

/** Names that change after they were written. */
export const renamingChecks: readonly Check[] = [
  // message.author.captured-at-write: The author shows the names of the moment of writing, even after they
  //   changed.
  check(
    'message.stays-as-written-when-names-change',
    {
      title: 'a message shows its author and its targets as they were written after all of them were renamed',
      clauses: [
        'message.author.captured-at-write',
        'human-user.display-name.captured-at-write',
        'message.mentions.never-re-resolved',
      ],
      needs: ['provision-hook', 'rename-hook'],
    },
    async (context) => {
      const { bindings, expect } = context;
      const fresh = await context.provision();
      const targets = principalsOf(await fresh.identities.provenance(fresh.actor('reader')));
      const written = await writeAndSettle(context, fresh, { [bindings.mentions]: targets });
      const before = namesOf(written.item);
      const own = principalsOf(await fresh.identities.provenance(fresh.actor('author')));
      for (const { kind, id } of [...own, ...targets])
        await context.rename({ kind, id, displayName: newName[kind] });
      const { later, again, message, exchange } = await readAfterRename(context, fresh, written);
      given(later.agent === newName.agent, 'a renamed agent writes under its old name');
      const clause = 'message.author.captured-at-write';
      expect.equal(clause, 'author.display_name', again.agent, before.agent, exchange);
      expect.equal(clause, 'author.machine.display_name', again.machine, before.machine, exchange);
      if (judgeTargets(targets, written.item.message['mentions']).problems.length === 0) {
        const judgement = judgeTargets(targets, message['mentions']);
        expect.judgement('message.mentions.never-re-resolved', judgement, exchange);
      }
      const hasHuman = own.some(({ kind }) => kind === 'user');
      given(
        hasHuman,
        'the author of the fresh workspace has no human: let hooks.provision give it one of its own',
      );
      given(later.human === newName.user, 'a renamed human writes under the old name');
      const ofHuman = 'human-user.display-name.captured-at-write';
      expect.equal(ofHuman, 'author.human_user.display_name', again.human, before.human, exchange);
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
  fields: Readonly<Record<string, unknown>>,
): Promise<Written> {
  const { channel } = fresh;
  const from = await channel.since();
  const written = draft();
  const author = fresh.actor('author');
  // Without the targets where those are not taken: the author is there all the same.
  if (!isAccepted(await author.send(channel.id, written.text, { fields })))
    requireAccepted(await author.send(channel.id, written.text));
  await channel.arrival(written);
  const [item, again] = [await readItem(fresh, written, from), await readItem(fresh, written, from)];
  const isSame = (field: 'author' | 'mentions'): boolean =>
    JSON.stringify(item.item.message[field]) === JSON.stringify(again.item.message[field]);
  given(isSame('author') && isSame('mentions'), 'a message does not read the same twice');
  return { draft: written, item: item.item, from };
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

function recordIn(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}
