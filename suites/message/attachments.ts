import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { requireAccepted, requireEffect } from '../arrange/send/accepted-sends.ts';
import { attachedIds } from '../arrange/message/files.ts';

/** As many files as a message has room for. */
const most = 20;

/** Which files come with a message. */
export const messageAttachmentChecks: readonly Check[] = [
  // message.attachments.captured: The files given with a send are the ones that the message shows.
  check(
    'message.shows-the-files-it-was-sent-with',
    {
      title: 'each message shows the files that its send attached, and no others',
      clauses: ['message.attachments.captured'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async ({ author, bindings, channel, draft, expect, readyFiles }) => {
      const uploaded = await readyFiles(4);
      const pairs = [uploaded.slice(0, 2), uploaded.slice(2)];
      const [bare, ...withFiles] = [draft(), draft(), draft()];
      const sent = await Promise.all([
        author.send(channel.id, bare.text),
        ...pairs.map((ids, index) =>
          author.send(channel.id, withFiles[index]?.text, { fields: { [bindings.attachments]: ids } }),
        ),
      ]);
      requireAccepted(...sent);
      const shown = (await channel.arrivals([bare, ...withFiles])).map((item) =>
        attachedIds(item).toSorted(),
      );
      const isShown = shown.flat().some((id) => uploaded.includes(id));
      requireEffect(bindings, 'attachments', isShown);
      const wanted = [[], ...pairs.map((ids) => ids.toSorted())];
      expect.equal('message.attachments.captured', 'file ids', shown, wanted, ...sent);
    },
  ),
  // message.attachments.captured: The files given with a send are the ones that the message shows.
  check(
    'message.shows-twenty-files',
    {
      title: 'a message that twenty files were attached to shows all of them',
      clauses: ['message.attachments.captured'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async ({ author, bindings, channel, draft, expect, readyFiles }) => {
      const ids = await readyFiles(most);
      const full = draft();
      const sent = await author.send(channel.id, full.text, { fields: { [bindings.attachments]: ids } });
      requireAccepted(sent);
      const shown = attachedIds(await channel.arrival(full));
      const isShown = shown.some((id) => ids.includes(id));
      requireEffect(bindings, 'attachments', isShown);
      expect.equal('message.attachments.captured', 'file ids', shown.toSorted(), ids.toSorted(), sent);
    },
  ),
];
