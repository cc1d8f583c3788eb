import { isRecord, type JsonRecord } from '../../../calls/index.ts';
import type { PageItem } from '../../../harness/stream/page.ts';
import type { Context } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import { textsIn } from '../../../oracles/values/json-texts.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { requireAccepted, requireRefused } from '../send/accepted-sends.ts';

/** Texts that are too short to stand in a name by more than chance. */
const tellingLength = 8;

/** The agent, the human and the machine that an author names; `undefined` for one that was not available. */
function principalsOf({ message }: PageItem): Readonly<Record<string, JsonRecord | undefined>> {
  const author = isRecord(message['author']) ? message['author'] : {};
  const known = (value: unknown) => (isRecord(value) ? value : undefined);
  return { agent: author, human: known(author['human_user']), machine: known(author['machine']) };
}

/**
 * What an author got by what was reported: an id that is another than without it, or an id or a name that is what was reported.
 * That a human, a machine or a name is there at one write and not at another is the identity provider's affair.
 */
function grantedBy(reported: JsonRecord, item: PageItem, others: readonly PageItem[]): readonly string[] {
  const told = textsIn(reported);
  return Object.entries(principalsOf(item)).flatMap(([role, { id, display_name: name } = {}]) => {
    const usual = others.map((other) => principalsOf(other)[role]).filter((each) => each !== undefined);
    const isOther = id !== undefined && usual.length > 0 && usual.every((each) => each['id'] !== id);
    const isToken = (value: unknown): boolean =>
      typeof value === 'string' &&
      told.some((text) => value === text || (text.length >= tellingLength && value.includes(text))) &&
      usual.every((each) => each['id'] !== value && each['display_name'] !== value);
    return [
      ...(isOther || isToken(id) ? [`${role} ${String(id)}`] : []),
      ...(isToken(name) ? [`${role} named ${String(name)}`] : []),
    ];
  });
}

/**
 * Judges that what an agent reports with a send changes neither who its author is nor what is allowed. `requireShown` ends the
 * check with its precondition not met when the message does not show it. Gives a message that was sent afterwards and reports nothing.
 */
export async function expectNothingGranted(
  { anonymous, author, channel, draft, expect }: Context<'author' | 'channel'>,
  clause: ClauseId,
  reported: JsonRecord,
  requireShown: (item: PageItem) => void,
): Promise<PageItem> {
  const send = async (fields: JsonRecord) => {
    const message = draft();
    const sent = await author.send(channel.id, message.text, { fields });
    requireAccepted(sent);
    return { item: await channel.arrival(message), sent };
  };
  requireRefused(await anonymous.send(channel.id, draft().text));
  const before = (await send({})).item;
  const { item, sent } = await send(reported);
  requireShown(item);
  const after = (await send({})).item;
  // Whatever an author is called by chance is not what is reported.
  const [one, other] = [before, after].map((each) => principalsOf(each)['agent']?.['id']);
  given(one === other, 'an author does not read the same twice');
  expect.equal(clause, 'granted', grantedBy(reported, item, [before, after]), [], sent);
  expect(clause, await anonymous.send(channel.id, draft().text, { fields: reported })).toBeRefused();
  return after;
}
