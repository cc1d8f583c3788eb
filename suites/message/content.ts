import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import { unitEscape } from '../../generators/texts/json-values.ts';
import { wholeTexts } from '../../generators/texts/whole-texts.ts';
import { anyMarker } from '../../history/markers.ts';
import { integerOf, type PageItem } from '../../harness/stream/page.ts';
import { arrivalsOn, findIn } from '../../harness/stream/stream-view.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { validate } from '../../spec/index.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { judgeUnaltered } from '../../spec/oracles/messages/content.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { acceptedAmong, expectAccepted, readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import { textFamilies } from '../arrange/message/text-families.ts';
import { eventually } from '../arrange/eventually.ts';
import { severalTimes } from '../arrange/several-times.ts';
import { orElse } from '../arrange/or-else.ts';

/** Everything else that a message has to have is there: then it is one, and no mere pointer to one. */
function isWholeButForText(message: JsonRecord): boolean {
  return validate('message', { ...message, content: '' }).every(
    ({ pointer }) => !pointer.includes('/required/'),
  );
}

function authorIdOf({ author }: JsonRecord): unknown {
  return isRecord(author) ? author['id'] : undefined;
}

function textOf({ response }: Exchange): string {
  return Buffer.from(response?.bytes ?? []).toString();
}

/** A body that has a content with each character, and one of its name, spelled as a JSON escape. */
function inEscapes(text: string): string {
  return `{"\\u0063ontent":"${text.split('').map(unitEscape).join('')}"}`;
}

/** The text of a message, character for character. */
export const messageContentChecks: readonly Check[] = [
  ...textFamilies.map(({ slug, what, head, inside, tail, isSpelled }) =>
    // ids: message.content-with-<slug>-is-unaltered
    // slug: suites/arrange/message/text-families.ts
    // send.other-text-accepted: Content of any other characters, as long as its size is right, is accepted.
    check(
      `message.content-with-${slug}-is-unaltered`,
      {
        title: `text with ${what} is accepted and read back unaltered`,
        clauses: ['send.other-text-accepted', 'message.content.unaltered'],
        needs: ['author', 'channel'],
      },
      async (context) => {
        const { author, channel, expect, marker } = context;
        const mark = marker();
        const text = `${head}${mark}${inside}${tail}`;
        const sent = await author.sendRaw(
          channel.id,
          isSpelled === true ? inEscapes(text) : { content: text },
        );
        await expectAccepted(context, 'send.other-text-accepted', sent);
        requireAccepted(sent);
        const { content, exchange } = await channel.arrival({ marker: mark, text });
        expect.judgement('message.content.unaltered', judgeUnaltered(text, content), sent, exchange);
      },
    ),
  ),
  // message.content.unaltered: The text read back is, character for character, the text that was sent.
  check(
    'message.characters-that-chunks-of-the-body-cut-are-unaltered',
    {
      title: 'text whose characters lie in two chunks of the body each is read back unaltered',
      clauses: ['message.content.unaltered'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect }) => {
      const message = draft('é€😀'.repeat(100));
      const headers = { 'transfer-encoding': 'chunked' };
      const sent = await author.send(channel.id, message.text, { headers });
      // HTTP lets a server ask for a length.
      requireAccepted(sent);
      const { content, exchange } = await channel.arrival(message);
      expect.judgement('message.content.unaltered', judgeUnaltered(message.text, content), sent, exchange);
    },
  ),
  // message.content.unaltered: The text read back is, character for character, the text that was sent.
  check(
    'message.texts-that-are-something-else-are-unaltered',
    {
      title:
        'a text that is a number, a keyword, a date, a link or a command as a whole is read back unaltered',
      clauses: ['message.content.unaltered', 'send.other-text-accepted'],
      arranges: ['service.sent-is-readable'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const { author, channel, draft, expect, identities, mayHaveTaken } = context;
      const { agentId } = await identities.provenance(author);
      const from = await channel.since();
      const [before, after] = [draft(), draft()];
      requireAccepted(await author.send(channel.id, before.text));
      const texts = Object.values(wholeTexts);
      const sent = await severalTimes(texts.length, (at) => author.send(channel.id, texts[at] ?? ''));
      for (const each of sent) await expectAccepted(context, 'send.other-text-accepted', each);
      requireAccepted(await author.send(channel.id, after.text));
      await channel.arrivals([before, after]);
      const taken = acceptedAmong(texts, sent);
      const { pages } = await eventually(
        context,
        () => readOn(channel, from),
        (read) => taken.every((text) => read.items.some(({ content }) => content === text)),
      );
      const items = arrivalsOn(pages);
      const own = items.filter(({ message }) => isSameId(asText(authorIdOf(message)), agentId));
      // Where a text is missing, one that was never sent, or always refused, stands in its place; else it may be late, or gone.
      const isStrange = ({ content = '' }: PageItem): boolean =>
        anyMarker.exec(content) === null && !mayHaveTaken(content);
      // What was sent before the texts, and is longer, goes before them: once it is gone they may be, and others of the author stay.
      const strange = findIn(items, before) === undefined ? undefined : own.find(isStrange);
      for (const text of taken) {
        const isThere = own.some(({ content }) => content === text);
        if (!isThere && strange === undefined) continue;
        const problem = {
          expected: `the text ${JSON.stringify(text)}`,
          actual: `none such, and ${JSON.stringify(strange?.content)}, which was not taken`,
        };
        expect.holds(
          'message.content.unaltered',
          isThere,
          problem,
          ...sent.slice(texts.indexOf(text)).slice(0, 1),
          ...(strange === undefined ? [] : [strange.exchange]),
        );
      }
    },
  ),
  // message.content.present: A message always has `content`.
  check(
    'message.text-among-the-mentions-is-that-of-its-channel',
    {
      title: 'a message that the mentions show with its text has that text where its channel shows it',
      clauses: ['message.content.present', 'message.content.type'],
      needs: ['author', 'reader', 'channel', 'mentions-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, feedOf, readyFiles, reader } = context;
      const feed = await feedOf(reader, author);
      const named = draft();
      const targets = [await agentTarget(context, reader)];
      const send = (own: Readonly<Record<string, unknown>>) =>
        author.send(channel.id, named.text, { fields: { [bindings.mentions]: targets, ...own } });
      // With a file, which a feed shows as well, where there are files and a send takes them.
      const files = await orElse(readyFiles(1), () => []);
      const isTaken = files.length > 0 && isAccepted(await send({ [bindings.attachments]: files }));
      if (!isTaken) requireAccepted(await send({}));
      // Without its text a message cannot be told in its channel: there it is known by what its mention says of it.
      const { id, message: listed } = await feed.arrival(named);
      const place = integerOf(listed['sequence']) ?? unmet('a mention shows no usable sequence');
      const { items, exchange } = await channel.readPage(place - 1n, 1);
      given(id !== undefined, 'a mention shows no usable id of its message');
      const item = items.find((each) => isSameId(each.id ?? '', id) && each.sequence === place);
      const { message } = item ?? unmet('the channel shows no such message at that place', exchange);
      const isElsewhere = textOf(exchange).includes(named.marker) && message['content'] === undefined;
      if (isElsewhere || !isWholeButForText(message))
        unmet('the channel shows messages in a form of its own', exchange);
      const missing = { expected: 'content', actual: 'none' };
      expect.holds('message.content.present', Object.hasOwn(message, 'content'), missing, exchange);
      const content = message['content'];
      const problem = { expected: 'a string as content', actual: content === null ? 'null' : typeof content };
      expect.holds('message.content.type', typeof content === 'string', problem, exchange);
    },
  ),
];
