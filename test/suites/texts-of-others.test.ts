import { expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { startReference, type Rules } from '../../reference/index.ts';
import { wholeTexts } from '../../generators/texts/whole-texts.ts';
import { runOn } from './run-suite.ts';

const own = 'message.texts-that-are-something-else-are-unaltered';

/** Keeps nothing that was there when all the texts had been shown once. */
function forgettingOnce(): Pick<Rules, 'retains'> {
  let goneMs = 0;
  return {
    retains: ({ newest, nowMs, stream }) => {
      const isKept = ({ committedMs }: { readonly committedMs: number }): boolean => committedMs > goneMs;
      const isFull =
        stream === 'channel' && newest(200).filter(isKept).length > Object.keys(wholeTexts).length + 2;
      const before = goneMs;
      if (isFull) goneMs = nowMs;
      return ({ committedMs }) => committedMs > before;
    },
  };
}

it('texts that retention took are not those that another program writes under the same token', async () => {
  await using reference = await startReference({ rules: forgettingOnce() });
  const target = { ...targetOfReference(reference), settleMs: 100 };
  const url = `${target.baseUrl}/v0/channels/${String(target.channelId)}/messages`;
  let isOver = false;
  const others = (async () => {
    for (let at = 0; !isOver; at += 1) {
      await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${target.roles.author?.token}`,
          'content-type': 'application/json',
          'idempotency-key': `of another program ${at}`,
        },
        body: JSON.stringify({ content: `what another program writes, number ${at}` }),
      });
      await sleep(20);
    }
  })();
  try {
    const { findings } = await runOn(own, target);
    expect(findings.map(({ clause, actual }) => `${clause}: ${actual}`)).toEqual([]);
  } finally {
    isOver = true;
    await others;
  }
});
