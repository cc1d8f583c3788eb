import { isRecord } from '../../../harness/stream/page.ts';
import type { PageItem } from '../../../harness/stream/page.ts';
import type { Context } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { requireAccepted, requireRefused } from '../send/accepted-sends.ts';

/** Ids and names of the agent, the human and the machine that an author names. */
function namesOf({ message }: PageItem): readonly unknown[] {
  const author = isRecord(message['author']) ? message['author'] : {};
  return [author, author['human_user'], author['machine']].map((each) =>
    isRecord(each) ? [each['id'], each['display_name']] : null,
  );
}

/**
 * Judges that what an agent reports with a send changes neither who its author is nor what is allowed. `requireShown` ends the
 * check as not arranged when the message does not show it.
 */
export async function expectNothingGranted(
  { anonymous, author, channel, draft, expect }: Context<'author' | 'channel'>,
  clause: ClauseId,
  reported: Readonly<Record<string, unknown>>,
  requireShown: (item: PageItem) => void,
): Promise<void> {
  const send = async (fields: typeof reported) => {
    const message = draft();
    const sent = await author.send(channel.id, message.text, { fields });
    requireAccepted(sent);
    return { item: await channel.arrival(message), sent };
  };
  requireRefused(await anonymous.send(channel.id, draft().text));
  const before = namesOf((await send({})).item);
  const { item, sent } = await send(reported);
  requireShown(item);
  const after = namesOf((await send({})).item);
  // Whoever is renamed meanwhile is not renamed by what is reported.
  given(JSON.stringify(before) === JSON.stringify(after), 'an author does not read the same twice');
  expect.equal(clause, 'author', namesOf(item), after, sent);
  expect(clause, await anonymous.send(channel.id, draft().text, { fields: reported })).toBeRefused();
}
