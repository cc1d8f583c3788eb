import { isRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Lacking } from '../../harness/check/hook-caller.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../spec/index.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

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

/** What a message shows of principals that nobody knew when it was sent. */
export const unavailablePrincipalChecks: readonly Check[] = principals.map(
  ({ slug, title, clause, lacking, field, shownBy }) =>
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

function authorOf({ message }: PageItem): Readonly<Record<string, unknown>> {
  const { author } = message;
  return isRecord(author) ? author : {};
}
