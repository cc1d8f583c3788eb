import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';

/** Refusals that no other clause speaks of. */
export const refusalChecks: readonly Check[] = [
  // errors.refusals-are-4xx: What the contract forbids is answered with a 4xx status.
  check(
    'errors.body-cut-short-is-refused',
    {
      title: 'a send whose JSON ends too early is refused with a 4xx and stores nothing',
      clauses: ['errors.refusals-are-4xx', 'send.refused-stores-nothing'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect }) => {
      const kept = draft();
      const barred = draft();
      const whole = JSON.stringify({ content: kept.text });
      requireLetIn(await author.sendRaw(channel.id, whole), 'author with the whole body');
      const cutShort = JSON.stringify({ content: barred.text }).slice(0, -1);
      expect('errors.refusals-are-4xx', await author.sendRaw(channel.id, cutShort)).toBeRefused();
      await channel.arrival(kept);
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow(barred);
    },
  ),
];
