import { check } from '../../harness/engine/check.ts';
import type { Check } from '../../harness/engine/check.ts';
import { unarranged } from '../../harness/engine/outcome.ts';
import { attachedIds, uploadFile } from '../messages/files.ts';
import { agentTarget, sendMentioning } from '../messages/proof.ts';
import { requireAccepted, requireRefused } from './acceptance.ts';

/** What a message may carry of either. */
const most = 20;

const mentions = check(
  'send.more-than-20-targets-are-refused',
  {
    title: 'a send with 21 mention targets is refused and stored nowhere, one with 20 is accepted',
    clauses: ['send.mentions-over-limit', 'send.refused-stores-nothing'],
    needs: ['author', 'reader', 'channel', 'mentions-binding'],
  },
  async (context) => {
    const { author, bindings, channel, draft, expect, reader } = context;
    // One target over and over: a server may refuse those that it does not know.
    const target = await agentTarget(context, reader);
    const others = (count: number) => Array.from({ length: count - 1 }, () => target);
    await sendMentioning(context, reader, [target, ...others(most)]);

    const tooMany = draft();
    const fields = { [bindings.mentions]: [target, ...others(most + 1)] };
    const refused = await author.send(channel.id, tooMany.text, { fields });
    expect('send.mentions-over-limit', refused).toBeRefused();
    requireRefused(refused);
    await expect.stream('send.refused-stores-nothing', channel).toNeverShow(tooMany);
  },
);

const attachments = check(
  'send.more-than-20-files-are-refused',
  {
    title: 'a send with 21 attachments is refused and stored nowhere, one with 20 is accepted',
    clauses: ['send.attachments-over-limit', 'send.refused-stores-nothing'],
    needs: ['author', 'channel', 'attachments-binding', 'file-binding'],
  },
  async ({ author, bindings, channel, draft, expect, marker }) => {
    const file = await uploadFile(author, marker());
    const attach = (text: string, count: number) =>
      author.send(channel.id, text, {
        fields: { [bindings.attachments]: Array.from({ length: count }, () => file) },
      });
    const [twenty, tooMany] = [draft(), draft()];
    requireAccepted(await attach(twenty.text, most));
    if (!attachedIds(await channel.arrival(twenty)).includes(file)) {
      unarranged(`the field ${bindings.attachments} of a send has no effect: see bindings.attachments`);
    }
    const refused = await attach(tooMany.text, most + 1);
    expect('send.attachments-over-limit', refused).toBeRefused();
    requireRefused(refused);
    await expect.stream('send.refused-stores-nothing', channel).toNeverShow(tooMany);
  },
);

/** How much a message may carry beside its content. */
export const overLimitChecks: readonly Check[] = [mentions, attachments];
