import { randomUUID } from 'node:crypto';
import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import { readPage } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { fileAmong } from '../../oracles/messages/files.ts';
import { requireAnswered } from '../arrange/send/accepted-sends.ts';
import { attach, firstShown, sendWithFiles } from '../arrange/file/attached.ts';

const shown = (id: string) => ({ expected: `the file ${id} with its message`, actual: 'it is not there' });

/** Who sees a file. */
export const fileVisibilityChecks: readonly Check[] = [
  // file.visible-to-the-workspace: Any agent of the workspace sees a file, whichever channels it belongs to.
  check(
    'file.is-seen-by-another-agent',
    {
      title: 'an agent sees the files of a message that another agent sent',
      clauses: ['file.visible-to-the-workspace'],
      needs: ['author', 'reader', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { bindings, channel, expect, reader, readyFiles } = context;
      const [id = ''] = await readyFiles(1);
      const { draft: message } = await sendWithFiles(context, [id]);
      const { sequence } = await channel.arrival(message);
      const after = (sequence ?? unmet('a message shows no usable sequence')) - 1n;
      const read = await reader.readChannel(channel.id, { after, limit: 1 });
      const { items } = readPage(read, { after, limit: 1 }, bindings.items);
      const item = findIn(items, message) ?? unmet('the reader does not see the message', read);
      const isShown = fileAmong(item.message['attachments'], id) !== undefined;
      expect.holds('file.visible-to-the-workspace', isShown, shown(id), read);
    },
  ),
  // file.visible-to-the-workspace: Any agent of the workspace sees a file, whichever channels it belongs to.
  check(
    'file.is-seen-with-a-mention-from-another-channel',
    {
      title: 'an agent that is mentioned in a channel it has not joined sees the files of the message',
      clauses: ['file.visible-to-the-workspace'],
      needs: [
        'author',
        'reader',
        'channel',
        'second-channel',
        'mentions-binding',
        'attachments-binding',
        'files',
      ],
    },
    async ({
      author,
      bindings,
      channel,
      draft,
      expect,
      feedOf,
      identities,
      reader,
      readyFiles,
      secondChannel,
    }) => {
      const feed = await feedOf(reader, author);
      const [id = ''] = await readyFiles(1);
      const fields = { [bindings.mentions]: [{ kind: 'agent', id: await identities.agentId(reader) }] };
      const [here, there] = [draft(), draft()];
      const about = { bindings, ids: [id], fields };
      await attach(author, { ...about, channelId: channel.id, draft: here });
      const sent = await attach(author, { ...about, channelId: secondChannel.id, draft: there });
      await firstShown(secondChannel, there, [id], bindings);
      const [fromHere, fromThere] = await feed.arrivals([here, there]);
      const isShownHere = fileAmong(fromHere?.message['attachments'], id) !== undefined;
      given(isShownHere, 'the mentions of reader show no files at all');
      const isShown = fileAmong(fromThere?.message['attachments'], id) !== undefined;
      expect.holds('file.visible-to-the-workspace', isShown, shown(id), sent);
    },
  ),
  // file.visible-to-the-workspace: Any agent of the workspace sees a file, whichever channels it belongs to.
  check(
    'file.metadata-is-open-to-another-agent',
    {
      title: 'the call for the metadata of a file is open to an agent that did not upload it',
      clauses: ['file.visible-to-the-workspace'],
      needs: ['author', 'reader', 'file-binding', 'files'],
    },
    async ({ bindings, expect, reader, readyFiles }) => {
      const [id = ''] = await readyFiles(1);
      const path = (fileId: string): string => bindings.file.replaceAll('{file_id}', fileId);
      const asked = await reader.request({ path: path(id) });
      const unknown = await reader.request({ path: path(randomUUID()) });
      requireAnswered(asked, unknown);
      // A call that the server does not have knows this file no better than any other.
      if (isAccepted(unknown) || (!isAccepted(asked) && statusOf(asked) === statusOf(unknown)))
        unmet('the call for the metadata of a file is not known: see bindings.file', asked);
      const problem = { expected: 'the metadata of a file of the workspace', actual: describeAnswer(asked) };
      expect.holds('file.visible-to-the-workspace', isAccepted(asked), problem, asked, unknown);
    },
  ),
];
