import { isRecord, type JsonRecord } from '../../../spec/calls/index.ts';
import { type Exchange, isAccepted } from '../../../harness/client/exchange.ts';
import type { PageItem } from '../../../harness/stream/page.ts';
import type { Arrival } from '../../../harness/stream/stream-view.ts';
import type { Context } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import { asText, textsIn } from '../../../spec/oracles/values/json-texts.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { severalTimes } from '../several-times.ts';
import { requireAccepted, requireRefused } from '../send/accepted-sends.ts';

/** Texts that are too short to stand in a name by more than chance. */
const tellingLength = 8;

/** The agent, the human and the machine that an author names; `undefined` for one that was not available. */
function principalsOf({ message }: PageItem): Readonly<Record<string, JsonRecord | undefined>> {
  const author = isRecord(message['author']) ? message['author'] : {};
  const known = (value: unknown) => (isRecord(value) ? value : undefined);
  return { agent: author, human: known(author['human_user']), machine: known(author['machine']) };
}

/** What an author got by what was reported: an id or a name that is what was reported. */
function grantedBy(reported: JsonRecord, item: PageItem, others: readonly PageItem[]): readonly string[] {
  const told = textsIn(reported);
  return Object.entries(principalsOf(item)).flatMap(([role, { id, display_name: name } = {}]) => {
    const isToken = (value: unknown): boolean =>
      typeof value === 'string' &&
      told.some((text) => value === text || (text.length >= tellingLength && value.includes(text))) &&
      others.every((other) => {
        const usual = principalsOf(other)[role];
        return usual?.['id'] !== value && usual?.['display_name'] !== value;
      });
    return [
      ...(isToken(id) ? [`${role} ${asText(id)}`] : []),
      ...(isToken(name) ? [`${role} named ${asText(name)}`] : []),
    ];
  });
}

/**
 * Ids and names that are others than without what was reported. By itself one is no breach: an agent may have several by turns, as one
 * that runs on many machines. That a human, a machine or a name is there at one write and not at another is the identity provider's affair.
 */
function changedBy(item: PageItem, others: readonly PageItem[]): readonly string[] {
  return Object.entries(principalsOf(item)).flatMap(([role, principal = {}]) =>
    ['id', 'display_name'].flatMap((field) => {
      const shown = principal[field];
      const [known, ...further] = new Set(others.map((other) => principalsOf(other)[role]?.[field]));
      const isOther =
        typeof shown === 'string' && typeof known === 'string' && further.length === 0 && known !== shown;
      return isOther ? [`another ${field} of the ${role}: ${shown}`] : [];
    }),
  );
}

/** What an author has when nothing is reported, and lacks when something is. */
function lostBy(item: PageItem, others: readonly PageItem[]): readonly string[] {
  return Object.entries(principalsOf(item)).flatMap(([role, principal]) =>
    principal === undefined && others.every((other) => principalsOf(other)[role] !== undefined)
      ? [`no ${role}`]
      : [],
  );
}

/** So often in turn it is no chance that a principal is another, or not available, with what is reported, and is as usual without it. */
const rounds = 6;

/** A report, and a message that was sent with it. */
interface Reported {
  readonly fields: JsonRecord;
  readonly item: PageItem;
}

/**
 * Judges that what an agent reports with a send changes neither who its author is nor what is allowed. `requireShown` ends the
 * check with its precondition not met when the message does not show it. `earlier` were sent by the same author: where one looks as if
 * it did, it is sent again. Gives a message that was sent afterwards and reports nothing, and its send.
 */
export async function expectNothingGranted(
  { anonymous, author, channel, draft, expect }: Context<'author' | 'channel'>,
  clause: ClauseId,
  reported: JsonRecord,
  requireShown: (item: PageItem) => void,
  earlier: readonly Reported[] = [],
): Promise<{ readonly item: Arrival; readonly sent: Exchange }> {
  const send = async (fields: JsonRecord) => {
    const message = draft();
    const sent = await author.send(channel.id, message.text, { fields });
    requireAccepted(sent);
    return { item: await channel.arrival(message), sent };
  };
  requireRefused(await anonymous.send(channel.id, draft().text));
  const beside = async (fields: JsonRecord) => {
    const before = (await send({})).item;
    const { item, sent } = await send(fields);
    const after = await send({});
    return { item, sent, after, usual: [before, after.item] as const };
  };
  const { item, sent, after, usual } = await beside(reported);
  requireShown(item);
  // Whatever an author is called by chance is not what is reported.
  const [one, other] = usual.map((each) => principalsOf(each)['agent']?.['id']);
  given(one === other, 'an author does not read the same twice');
  expect.equal(clause, 'granted', grantedBy(reported, item, usual), [], sent, item.exchange);
  const changed = (each: Reported, others: readonly PageItem[]): readonly string[] => [
    ...grantedBy(each.fields, each.item, others),
    ...changedBy(each.item, others),
    ...lostBy(each.item, others),
  ];
  const suspect = [{ fields: reported, item }, ...earlier].find((each) => changed(each, usual).length > 0);
  if (suspect !== undefined) {
    const { fields } = suspect;
    const again = await severalTimes(rounds, () => beside(fields));
    const each = again.map((one) => changed({ fields, item: one.item }, one.usual));
    const always = changed(suspect, usual).filter((what) => each.every((some) => some.includes(what)));
    expect.equal(clause, 'the author', always, [], ...again.flatMap((one) => [one.sent, one.item.exchange]));
  }
  const ask = (fields: JsonRecord): Promise<Exchange> => anonymous.send(channel.id, draft().text, { fields });
  const asked = await ask(reported);
  // Let in now and then, with or without it, is another matter.
  if (isAccepted(asked))
    for (let round = 0; round < rounds; round += 1) {
      requireRefused(await ask({}));
      requireAccepted(await ask(reported));
    }
  expect(clause, asked).toBeRefused();
  return after;
}
