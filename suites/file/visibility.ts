import { randomUUID } from 'node:crypto';
import { isAccepted, isRedirection, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { readPage, type PageItem } from '../../harness/stream/page.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { fileAmong } from '../../spec/oracles/messages/files.ts';
import { asText, valuesOf } from '../../spec/oracles/values/json-texts.ts';
import { judgeEach, type Problem } from '../../spec/oracles/values/judgement.ts';
import { eventually } from '../arrange/eventually.ts';
import { sendWithFiles } from '../arrange/message/attached.ts';
import { requireAnswered, requireEffect } from '../arrange/send/accepted-sends.ts';
import { severalTimes } from '../arrange/several-times.ts';
import { actorOf, type Populating } from '../population/people.ts';
import { populationOf } from '../population/population.ts';
import { copiesOf, each, isOfChannel, isOfFeed, type Copy } from '../population/rule.ts';

/** Who sees a file. */
export const fileVisibilityChecks: readonly Check[] = [
  // file.visible-to-the-workspace: Any agent of the workspace sees a file, whichever channels it belongs to.
  check(
    'file.is-seen-by-another-agent',
    {
      title:
        'an agent sees the files of what others sent, in a channel and among its mentions from any channel',
      clauses: ['file.visible-to-the-workspace'],
      needs: ['author', 'reader', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const population = await populationOf(context);
      // Whoever else speaks for the author may send the texts of one byte, which carry no marker.
      const copies = copiesOf(population, () => true).filter(
        ({ sent }) => sent.files.length > 0 && sent.text.length > 1,
      );
      // As its sender sees it: a server may call the field of a send otherwise, or leave all files out of feeds.
      const isOwn = ({ sent, page }: Copy): boolean => isOfChannel(page) && page.reader === sent.case.sender;
      const whole = new Set(copies.filter((copy) => isOwn(copy) && showsAll(copy)).map(({ sent }) => sent));
      requireEffect(context.bindings, 'attachments', whole.size > 0);
      const feedsShow = copies.some((copy) => isOfFeed(copy.page) && showsAll(copy));
      const others = copies.filter((copy) => !isOwn(copy));
      // An older release behind the same address may answer now and then, without any files.
      const showing = new Set(others.filter(showsAll).map(viewOf));
      // A page that holds much may leave out what need not be shown, whoever reads it.
      const shortened = new Set(
        copies.filter((copy) => isOwn(copy) && isWithout(copy)).map(({ sent }) => sent),
      );
      const isLeftOut = (copy: Copy): boolean =>
        isWithout(copy) && (showing.has(viewOf(copy)) || shortened.has(copy.sent));
      const hidden = await hiddenByChannel(
        context,
        others.filter((copy) => whole.has(copy.sent)),
        showing,
      );
      const { evidence, ...judgement } = each(
        others.filter(
          (copy) =>
            whole.has(copy.sent) &&
            (!isOfFeed(copy.page) || feedsShow) &&
            (!isLeftOut(copy) || hidden.includes(copy)),
        ),
        (copy) => judgeEach([copy], problemOf),
        ({ sent, page }) => [sent.exchange, page.exchange],
      );
      context.expect.judgement('file.visible-to-the-workspace', judgement, ...evidence);
    },
  ),
  // file.visible-to-the-workspace: Any agent of the workspace sees a file, whichever channels it belongs to.
  check(
    'file.metadata-is-open-to-another-agent',
    {
      title: 'the call for the metadata of a file is open to an agent that did not upload it',
      clauses: ['file.visible-to-the-workspace'],
      needs: ['author', 'channel', 'reader', 'file-binding', 'files'],
    },
    async (context) => {
      const { author, bindings, channel, expect, reader, readyFiles } = context;
      const inChannel = await reader.readChannel(channel.id, { limit: 1 });
      given(
        isAccepted(inChannel),
        'the reader may be of another workspace: the channel is closed to it',
        inChannel,
      );
      const [id = ''] = await readyFiles(1);
      const path = (fileId: string): string => bindings.file.replaceAll('{file_id}', fileId);
      const own = await author.request({ path: path(id) });
      // What was just put there may come to be known elsewhere later.
      const asked = await eventually(
        context,
        () => reader.request({ path: path(id) }),
        (each) => isAccepted(each) && showsMetadata(each, id),
      );
      const unknown = await reader.request({ path: path(randomUUID()) });
      // What is said of one that expires meanwhile is not shown, to whoever asks.
      const still = isAccepted(asked) ? own : await author.request({ path: path(id) });
      requireAnswered(own, unknown, still);
      // A call that the server does not have knows this file no better than any other.
      if (isAccepted(unknown) || !isAccepted(own) || !showsMetadata(own, id))
        unmet('the call for the metadata of a file is not known: see bindings.file', own);
      given(isAccepted(still), 'the file is no longer shown to its own agent either', still);
      expect(
        'file.visible-to-the-workspace',
        asked,
        'for the metadata of a file of another agent',
      ).toBeAccepted();
      const problem = {
        expected: 'the metadata of a file of another agent',
        actual: 'an answer without them',
      };
      expect.holds('file.visible-to-the-workspace', showsMetadata(asked, id), problem, own, asked);
    },
  ),
  // file.only-in-its-workspace: An agent of another workspace sees nothing of a file, and no message of its
  //   own shows it.
  check(
    'file.is-not-seen-from-another-workspace',
    {
      title:
        'an agent of another workspace gets neither a file nor its metadata, be it without a human, by an API key, or by attaching it',
      clauses: ['file.only-in-its-workspace'],
      needs: ['author', 'channel', 'attachments-binding', 'file-binding', 'files', 'provision-hook'],
    },
    async (context) => {
      const { author, bindings, draft, expect, identities, provision, readyFiles } = context;
      const clause = 'file.only-in-its-workspace';
      const ids = await readyFiles(1);
      const [id = ''] = ids;
      await sendWithFiles(context, ids);
      const fresh = await provision({ isShared: true });
      const stranger = fresh.actor('author');
      const [home, abroad] = await Promise.all([
        identities.provenance(author),
        fresh.identities.provenance(stranger),
      ]);
      const isAnother = !isSameId(home.workspaceId ?? '', abroad.workspaceId ?? '');
      given(isAnother, 'hooks.provision made agents of the same workspace: none of them is a stranger to it');
      // Who has no human, and what no agent was given itself, may be looked for elsewhere.
      const key = fresh.optional('api-key');
      const strangers = [stranger, ...fresh.lacking.values(), ...(key === undefined ? [] : [key])];
      const open: string[] = [];
      for (const form of [bindings.file, bindings.fileContent]) {
        const path = form.replaceAll('{file_id}', id);
        const [own, unknown, ...theirs] = await Promise.all([
          author.request({ path }),
          author.request({ path: form.replaceAll('{file_id}', randomUUID()) }),
          ...strangers.map((each) => each.request({ path })),
        ]);
        requireAnswered(own, unknown, ...theirs);
        // Where its own workspace cannot ask either, or any id will do, the call is another one.
        if (!isOpen(own) || isOpen(unknown)) continue;
        open.push(form);
        for (const answer of theirs) expect(clause, answer).toBeRefused();
      }
      const message = draft();
      const fields = { [bindings.attachments]: ids };
      const sent = await stranger.send(fresh.channel.id, message.text, { fields });
      requireAnswered(sent);
      const arrived = isAccepted(sent) ? [await fresh.channel.arrival(message)] : [];
      // Nothing else was attached: whatever is there is the file, be it as a copy with an id of its own.
      const shown = arrived.flatMap(({ message: { attachments } }) => attachments ?? []);
      const problem = { expected: 'nothing of a file of another workspace', actual: asText(shown) };
      expect.holds(clause, shown.length === 0, problem, sent, ...arrived.map(({ exchange }) => exchange));
      given(
        open.length > 0,
        'neither the metadata nor the bytes of a file can be asked for: see bindings.file and bindings.file_content',
      );
    },
  ),
];

/** So often in a row a release that has no files hardly answers, where another does as well. */
const looks = 8;

/** Who looks, and whether among its mentions. */
function viewOf({ page }: Copy): string {
  return `${page.reader} ${String(isOfFeed(page))}`;
}

/** Copies without files in views that show those of another channel, of each such view and channel one; looked at again and again. */
async function hiddenByChannel(
  context: Populating,
  others: readonly Copy[],
  showing: ReadonlySet<string>,
): Promise<readonly Copy[]> {
  const ofChannel = (copy: Copy): string => `${viewOf(copy)} ${copy.sent.case.channel}`;
  const seen = new Set(others.filter(showsAll).map(ofChannel));
  const suspects = new Map<string, Copy>();
  for (const copy of others)
    if (isWithout(copy) && showing.has(viewOf(copy)) && !seen.has(ofChannel(copy)))
      suspects.set(ofChannel(copy), copy);
  const looked = await Promise.all(
    [...suspects.values()].map(async (copy) => {
      const again = await severalTimes(looks, () => lookAgain(context, copy));
      return again.every((item) => item !== undefined && isWithout({ item })) ? [copy] : [];
    }),
  );
  return looked.flat();
}

/** The same item alone, as its reader sees it now. */
async function lookAgain(context: Populating, { item, page }: Copy): Promise<PageItem | undefined> {
  const actor = actorOf(context, page.reader);
  const channelId = page.of === 'second' ? context.secondChannelId : context.channel.id;
  if (actor === undefined || item.sequence === undefined || channelId === undefined) return undefined;
  const asked = { after: item.sequence - 1n, limit: 1 };
  const read = isOfFeed(page) ? actor.mentions(asked) : actor.readChannel(channelId, asked);
  const { items } = readPage(await read, isOfFeed(page) ? undefined : context.bindings.items);
  return items.find(({ id }) => id === item.id);
}

/** Whether a call leads to a file: a redirect does too, to where its bytes are stored. */
function isOpen(exchange: Exchange): boolean {
  return isAccepted(exchange) || isRedirection(statusOf(exchange));
}

function showsAll({ sent, item }: Copy): boolean {
  return sent.files.every((id) => fileAmong(item.message['attachments'], id) !== undefined);
}

/** Whether a message is shown without any files, as every message may be. */
function isWithout({ item }: Pick<Copy, 'item'>): boolean {
  return item.message['attachments'] === undefined;
}

function problemOf(copy: Copy): Problem | undefined {
  const { sent, page } = copy;
  if (showsAll(copy)) return undefined;
  const expected = `${page.reader} to see all ${sent.files.length} files of a message by ${sent.case.sender}`;
  return { expected, actual: 'it does not' };
}

/** Whether an answer holds the metadata of a file: what else a server may have at that path need not be open to others. */
function showsMetadata({ response }: Exchange, id: string): boolean {
  const body = response?.json;
  const isShown = (key: string): boolean => valuesOf(body, key).some((value) => typeof value === 'string');
  return (
    valuesOf(body, 'id').some((each) => isSameId(asText(each), id)) &&
    isShown('filename') &&
    isShown('sha256')
  );
}
