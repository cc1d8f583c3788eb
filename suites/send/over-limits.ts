import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { attachedIds } from '../arrange/message/files.ts';
import { requireAccepted, requireEffect, requireRefused } from '../arrange/send/accepted-sends.ts';
import { anyCrowdOf, crowdOf } from '../arrange/send/different-targets.ts';

/** What a message may carry of either. */
const most = 20;

/** How much a message may carry beside its content. */
export const overLimitChecks: readonly Check[] = [
  // send.mentions-over-limit: A send with more than 20 mention targets is refused.
  check(
    'send.more-than-20-targets-are-refused',
    {
      title: 'a send with 21 mention targets is refused and stored nowhere, one with 20 is accepted',
      clauses: ['send.mentions-over-limit', 'send.refused-stores-nothing'],
      needs: ['author', 'reader', 'channel', 'mentions-binding'],
    },
    async (context) => {
      const { bindings, draft, expect, optionalHook, reader } = context;
      const hook = optionalHook('provision-hook');
      const crowd =
        hook === undefined ? await anyCrowdOf(most, reader, context) : await crowdOf(most, hook, context);
      const tooMany = draft();
      const fields = { [bindings.mentions]: crowd.targets };
      const refused = await crowd.author.send(crowd.channel.id, tooMany.text, { fields });
      expect('send.mentions-over-limit', refused).toBeRefused();
      requireRefused(refused);
      await expect.stream('send.refused-stores-nothing', crowd.channel).toNeverShow(tooMany);
    },
  ),
  // send.attachments-over-limit: A send with more than 20 attachments is refused.
  check(
    'send.more-than-20-files-are-refused',
    {
      title: 'a send with 21 attachments is refused and stored nowhere, one with 20 is accepted',
      clauses: ['send.attachments-over-limit', 'send.refused-stores-nothing'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async ({ author, bindings, channel, draft, expect, readyFiles }) => {
      // All different: a server may take one that is named again for the same.
      const files = await readyFiles(most + 1);
      const attach = (text: string, count: number) =>
        author.send(channel.id, text, { fields: { [bindings.attachments]: files.slice(0, count) } });
      const [twenty, tooMany] = [draft(), draft()];
      requireAccepted(await attach(twenty.text, most));
      const shown = attachedIds(await channel.arrival(twenty));
      const isShown = shown.some((id) => files.includes(id));
      requireEffect(bindings, 'attachments', isShown);
      const refused = await attach(tooMany.text, most + 1);
      expect('send.attachments-over-limit', refused).toBeRefused();
      requireRefused(refused);
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow(tooMany);
    },
  ),
];
