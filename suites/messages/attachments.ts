import { check } from '../../harness/engine/check.ts';
import type { Check } from '../../harness/engine/check.ts';
import { unarranged } from '../../harness/engine/outcome.ts';
import { requireAccepted } from '../sending/acceptance.ts';
import { attachedIds, uploadFile } from './files.ts';

const captured = check(
  'message.shows-the-files-it-was-sent-with',
  {
    title: 'a message shows the files that its send attached, and no others',
    clauses: ['message.attachments.captured'],
    needs: ['author', 'channel', 'attachments-binding', 'file-binding'],
  },
  async ({ author, bindings, channel, draft, expect, marker }) => {
    const files = [await uploadFile(author, marker()), await uploadFile(author, marker())].toSorted();
    const [both, bare] = [draft(), draft()];
    const fields = { [bindings.attachments]: files };
    const sent = [
      await author.send(channel.id, both.text, { fields }),
      await author.send(channel.id, bare.text),
    ];
    requireAccepted(...sent);
    const [withBoth, withNone] = [await channel.arrival(both), await channel.arrival(bare)];
    if (!attachedIds(withBoth).some((id) => files.includes(id))) {
      unarranged(`the field ${bindings.attachments} of a send has no effect: see bindings.attachments`);
    }
    expect.equal(
      'message.attachments.captured',
      'file ids',
      [...attachedIds(withBoth)].toSorted(),
      files,
      ...sent,
    );
    expect.equal('message.attachments.captured', 'file ids', attachedIds(withNone), [], ...sent);
  },
);

/** Which files come with a message. */
export const messageAttachmentChecks: readonly Check[] = [captured];
