import { describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import type { Target } from '../../../harness/config/target.ts';
import { contractRules, startReference, type Rules } from '../../../reference/index.ts';
import { listOf, objectOf, refusal } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst, runOn } from '../run-suite.ts';

const check = 'send.equal-messages-under-different-keys-are-both-stored';

/** Repeats in the channel what others say there, until it is stopped. */
async function repeatAll({ baseUrl, channelId, roles }: Target, { signal }: AbortController): Promise<void> {
  const url = `${baseUrl}/v0/channels/${channelId}/messages`;
  const headers = { authorization: `Bearer ${roles.peer?.token}`, 'content-type': 'application/json' };
  for (let after: unknown = 0; !signal.aborted; await sleep(5)) {
    const read = await fetch(`${url}?after=${String(after)}&limit=100`, { headers });
    const page = objectOf(await read.json());
    after = objectOf(page['page'])['next_after'];
    for (const item of listOf(page['messages'])) {
      const content = String(objectOf(item)['content']);
      if (content.startsWith(repeated)) continue;
      const body = JSON.stringify({ content: `${repeated}${content}` });
      const key = { 'idempotency-key': `again ${String(objectOf(item)['id'])}` };
      await fetch(url, { method: 'POST', headers: { ...headers, ...key }, body });
    }
  }
}

const repeated = 'again: ';

/** The verdict on equal texts under keys of their own. */
async function verdictWith(
  rules: Partial<Rules>,
  { isRepeated = false }: { isRepeated?: boolean } = {},
): Promise<string | undefined> {
  await using reference = await startReference({ rules: { ...contractRules, ...rules } });
  const target = { ...targetOfReference(reference), settleMs: 200 };
  const stop = new AbortController();
  const repeater = isRepeated ? repeatAll(target, stop) : undefined;
  try {
    const run = await runOn(
      allChecks.filter(({ id }) => id === check),
      target,
    );
    return run.checks.find((each) => each.check === check)?.verdict;
  } finally {
    stop.abort();
    await repeater;
  }
}

/** Takes the text for the key. */
const byText: Partial<Rules> = { comparedKey: (_key, { content }) => String(content) };

describe('the same text under keys of its own', () => {
  it('is not refused for being equal', async () => {
    expect(await verdictWith({ ...byText, onKeyReuse: () => 'conflict' })).toBe('failed');
  });

  it('is told from what somebody makes of it who repeats all that is said', async () => {
    expect(await verdictWith({}, { isRepeated: true })).toBe('passed');
    expect(await verdictWith(byText, { isRepeated: true })).toBe('failed');
  });
});

it('a key is in flight until the message that was only taken under it is there', async () => {
  const inFlight = new Set<unknown>();
  const run = await runAgainst(
    allChecks.filter(({ id }) => id === 'send.repeated-send-leaves-one-message'),
    {
      answer: (answer, { route, headers: { 'idempotency-key': key } }) => {
        if (route === 'read') inFlight.clear();
        if (route !== 'send' || answer.status >= 300) return undefined;
        if (inFlight.has(key)) return refusal(409);
        inFlight.add(key);
        return { ...answer, status: 202 };
      },
    },
  );
  expect(findingsOf(run)).toEqual([]);
});
