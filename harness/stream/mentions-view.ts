import type { Actor } from '../client/actor.ts';
import { readPage, type PageRead } from './page.ts';
import type { Identities } from './identities.ts';
import type { RunState } from './run-state.ts';
import { StreamView } from './stream-view.ts';

/** Where anchors for a view of mentions come from. */
interface MentionsSource {
  readonly run: RunState;
  readonly identities: Identities;
  /** A channel that `author` can send to and `reader` can see. */
  readonly channelId: string;
  readonly author: Actor;
}

/** A page of an agent's mentions. */
export async function readMentions(
  reader: Actor,
  after: bigint | undefined,
  limit: number | undefined,
): Promise<PageRead> {
  return readPage(await reader.mentions({ after, limit }), 'mentions');
}

/** The mentions of an agent as one attempt at a check sees them, ready to be read. */
export async function openMentionsView(
  reader: Actor,
  { run, identities, channelId, author }: MentionsSource,
): Promise<StreamView> {
  const readerId = await identities.agentId(reader);
  const view = new StreamView(
    {
      key: `mentions of ${reader.name}`,
      label: `the mentions of ${reader.name}`,
      start: undefined,
      reader,
      clock: reader.clock,
      readPage: (after, limit) => readMentions(reader, after, limit),
      sendAnchor: ({ text }) =>
        author.send(channelId, text, {
          fields: { [run.target.bindings.mentions]: [{ kind: 'agent', id: readerId }] },
        }),
    },
    run,
  );
  await view.prepare();
  return view;
}
