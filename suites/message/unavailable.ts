import { isRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Lacking } from '../../harness/check/hook-caller.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../spec/index.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

/** Something that an agent may lack, and where its messages would show it. */
interface Unavailable {
  readonly slug: string;
  readonly title: string;
  readonly clause: ClauseId;
  readonly lacking: Lacking;
  readonly field: string;
  /** `undefined` where a message has no place for it. */
  readonly shownBy: (author: Readonly<Record<string, unknown>>) => unknown;
}

const principals: readonly Unavailable[] = [
  {
    slug: 'author-without-a-human-shows-null',
    title: 'the author of what an agent without a human sends has null as its human',
    clause: 'author.human-user.null-when-unavailable',
    lacking: 'human',
    field: 'author.human_user',
    shownBy: (author) => author['human_user'],
  },
  {
    slug: 'author-without-a-machine-shows-null',
    title: 'the author of what an agent without a machine sends has null as its machine',
    clause: 'author.machine.null-when-unavailable',
    lacking: 'machine',
    field: 'author.machine',
    shownBy: (author) => author['machine'],
  },
  {
    slug: 'human-without-a-name-shows-null',
    title: 'the human to whom the identity provider gave no name has null as its name',
    clause: 'human-user.display-name.null-when-unknown',
    lacking: 'human_name',
    field: 'author.human_user.display_name',
    shownBy: ({ human_user: human }) => (isRecord(human) ? human['display_name'] : undefined),
  },
];

const unavailableChecks = principals.map(({ slug, title, clause, lacking, field, shownBy }) =>
  // ids: message.<slug>
  // slug: suites/message/unavailable.ts
  // author.human-user.null-when-unavailable: `human_user` is null if no human was known for the write.
  // author.machine.null-when-unavailable: `machine` is null if no machine was known for the write.
  // human-user.display-name.null-when-unknown: The name of the human is null if the identity provider gave
  //   none.
  check(`message.${slug}`, { title, clauses: [clause], needs: ['provision-hook'] }, async (context) => {
    const { draft, expect, provision } = context;
    const fresh = await provision({ isShared: true });
    const { channel } = fresh;
    const [own, control] = [draft(), draft()];
    const agent = fresh.without(lacking);
    // First somebody who lacks nothing: what was known of him is not what comes next.
    requireAccepted(await fresh.actor('author').send(channel.id, control.text));
    const sent = await agent.send(channel.id, own.text);
    requireAccepted(sent);
    const arrived = await channel.arrivals([own, control]);
    const [shown, known] = arrived.map((item) => shownBy(authorOf(item)));
    if (known === null || known === undefined)
      unmet(`the author of a fresh workspace has no \`${field}\` either`, sent);
    if (shown === undefined) unmet(`a message has no \`${field}\``, sent);
    const read = arrived.slice(0, 1).map(({ exchange }) => exchange);
    expect.equal(clause, field, shown, null, sent, ...read);
  }),
);

/** A name that somebody gets whom the identity provider gave none before. */
const lateName = 'Nova Latecomer';

/** What a message shows of principals that nobody knew when it was sent. */
export const unavailablePrincipalChecks: readonly Check[] = [
  ...unavailableChecks,
  // human-user.display-name.captured-at-write: The name of the human stays what it was at the moment of
  //   writing.
  check(
    'message.human-without-a-name-has-none-there-for-good',
    {
      title: 'what a human without a name had sent shows null as its name after it was given one',
      clauses: ['human-user.display-name.captured-at-write'],
      needs: ['provision-hook', 'rename-hook'],
    },
    async (context) => {
      const { draft, expect, provision, rename, settleMs, sleep } = context;
      const fresh = await provision();
      const { channel, identities } = fresh;
      const agent = fresh.without('human_name');
      const reader = fresh.optional('reader');
      const targets = reader === undefined ? [] : principalsOf(await identities.provenance(reader));
      const views = [channel, ...(reader === undefined ? [] : [await fresh.feedOf(reader, agent)])];
      const starts = await Promise.all(views.map((view) => view.since()));
      const [own, later] = [draft(), draft()];
      const fields = targets.length > 0 ? { [context.bindings.mentions]: targets } : {};
      requireAccepted(await agent.send(channel.id, own.text, { fields }));
      const humanOf = (item: PageItem): Readonly<Record<string, unknown>> => {
        const human = authorOf(item)['human_user'];
        return isRecord(human) ? human : unmet('the message of an agent without a name shows no human');
      };
      const written = await channel.arrival(own);
      const { id, display_name: before } = humanOf(written);
      if (typeof id !== 'string' || before !== null) unmet('the human has a name, or shows no id');
      await rename({ kind: 'user', id, displayName: lateName });
      await sleep(settleMs);
      requireAccepted(await agent.send(channel.id, later.text, { fields }));
      given(
        humanOf(await channel.arrival(later))['display_name'] === lateName,
        'the human still writes without a name',
      );
      for (const [index, view] of views.entries()) {
        const { items, pages } = await readOn(view, starts[index]);
        const shown = findIn(items, own);
        const evidence = pages.filter((page) => shown !== undefined && page.items.includes(shown));
        if (shown !== undefined)
          expect.equal(
            'human-user.display-name.captured-at-write',
            'author.human_user.display_name',
            humanOf(shown)['display_name'],
            null,
            written.exchange,
            ...evidence.map(({ exchange }) => exchange),
          );
      }
    },
  ),
];

function authorOf({ message }: PageItem): Readonly<Record<string, unknown>> {
  const { author } = message;
  return isRecord(author) ? author : {};
}
