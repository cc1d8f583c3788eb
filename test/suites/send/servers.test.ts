import { describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import type { Target } from '../../../harness/config/target.ts';
import { contractRules, startReference, type Rules } from '../../../reference/index.ts';
import { listOf, objectOf, refusal } from '../../../selftest/mutants/base/spoil-answer.ts';
import { judgeServers, type JudgedServer } from '../judged-servers.ts';
import { runOn } from '../run-suite.ts';

/** One whose sends take so long, and do not see one another; those of the first key that comes see each other. */
function racing(pauseMs: (content: string) => number): JudgedServer {
  const keyOfText = new Map<unknown, string>();
  return {
    by: 'send.short-messages-at-once-under-one-key-leave-one',
    rules: {
      comparedKey: (key, body) => {
        keyOfText.set(body['content'], key);
        return contractRules.comparedKey(key, body);
      },
      pauseBeforeCommitMs: (content) => {
        const [first] = keyOfText.values();
        return keyOfText.get(content) === first ? 0 : pauseMs(content);
      },
      onKeyInFlight: () => 'ignore',
    },
    finds: [],
  };
}

/** One that compares keys in its own way, which come again for another text. */
function comparing(comparedKey: Rules['comparedKey']): JudgedServer {
  return { by: 'send.key-of-another-message-is-refused-beside-anything', rules: { comparedKey } };
}

/** One to which a key counts beside these fields. */
function scopedBy(...fields: readonly string[]): JudgedServer {
  return comparing((key, body) => {
    const scope = Object.entries(body).filter(([name]) => fields.includes(name));
    return `${key} ${JSON.stringify(scope)}`;
  });
}

/** One to which a key beside this field is another one for each body. */
function conflictingBeside(field: string): JudgedServer {
  const compared = comparing((key, body) =>
    body[field] === undefined ? key : `${key} ${JSON.stringify(body)}`,
  );
  return { ...compared, finds: ['send.conflict-is-refused failed'] };
}

/** One to which a key counts beside this field, and that forgets it there sooner than elsewhere. */
function forgettingBeside(field: string): JudgedServer {
  const inScope = new Set<string>();
  return {
    ...scopedBy(field),
    rules: {
      ...scopedBy(field).rules,
      fingerprint: (body) => {
        const fingerprint = contractRules.fingerprint(body);
        if (body[field] !== undefined) inScope.add(fingerprint);
        return fingerprint;
      },
      isKeyRecordAlive: ({ fingerprint, recordedMs }, nowMs) =>
        !inScope.has(fingerprint) || nowMs - recordedMs < 280,
      // Whoever waits to see a message comes late with its key.
      statusOfSend: () => 202,
      commitDelayMs: () => 320,
    },
  };
}

/** One whose operator adds nobody: only a few agents are known. */
function without(rules: Partial<Rules>): JudgedServer {
  return {
    by: 'send.more-than-20-targets-are-refused',
    rules,
    target: (target) => ({ ...target, hooks: {} }),
  };
}

/** Ways to take twenty different targets of somebody who knows only a few agents. */
const takesUnknown: Partial<Rules> = { acceptsTarget: () => true };
const showsRepeated: Partial<Rules> = { capturedTargets: (targets) => [...targets] };
/** What it keeps of them breaks another rule as well. */
const found = ['message.mentions.max failed', 'send.mentions-over-limit warned'];

judgeServers({
  'several sends at once under one key are found to be stored where each of them is slow': {
    ...racing(() => 600),
    verdicts: { 'send.concurrent-conflict-stores-one': 'warned' },
  },
  'several sends at once under one key prove nothing where one is so late that the key may be gone': {
    ...racing((text) => (text.includes('the last') ? 6_000 : 40)),
    why: 'the key may have been forgotten',
  },
  'a key that counts for one host is no mistake': scopedBy('agent_host'),
  'a key that counts for one session is no mistake': scopedBy('source_session'),
  'a key that counts for one host and one session is no mistake': scopedBy('agent_host', 'source_session'),
  'a key that counts for one host may be forgotten there sooner than elsewhere':
    forgettingBeside('agent_host'),
  'a key that counts for one session may be forgotten there sooner than elsewhere':
    forgettingBeside('source_session'),
  'a key that counts for one host conflicts there': conflictingBeside('agent_host'),
  'a key that counts for one session conflicts there': conflictingBeside('source_session'),
  'a key is in flight until the message that was only taken under it is there': () => {
    const inFlight = new Set<unknown>();
    return {
      by: 'send.repeated-send-leaves-one-message',
      answer: (answer, { route, headers: { 'idempotency-key': key } }) => {
        if (route === 'read') inFlight.clear();
        if (route !== 'send' || answer.status >= 300) return undefined;
        if (inFlight.has(key)) return refusal(409);
        inFlight.add(key);
        return { ...answer, status: 202 };
      },
    };
  },
  'without a hook 21 targets are judged where a server takes targets that it does not know': {
    ...without(takesUnknown),
    passes: true,
    finds: [],
  },
  'and found taken': { ...without({ ...takesUnknown, maxMentions: () => 21 }), found },
  'without a hook 21 targets are judged where a server shows a repeated target each time': {
    ...without(showsRepeated),
    passes: true,
    finds: [],
  },
  'and found taken as well': { ...without({ ...showsRepeated, maxMentions: () => 21 }), found },
  'without a hook 21 targets are inconclusive where whom nobody knows is refused and who is named twice counts once':
    {
      ...without({ countedTargets: (targets) => new Set(targets).size }),
      why: 'hooks.provision can make them',
    },
});

const repeated = 'again: ';

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

/** Takes the text for the key. */
const byText: Partial<Rules> = { comparedKey: (_key, { content }) => String(content) };

describe('the same text under keys of its own', () => {
  it.each<[string, Partial<Rules>, boolean, string]>([
    ['is not refused for being equal', { ...byText, onKeyReuse: () => 'conflict' }, false, 'failed'],
    ['is told from what somebody makes of it who repeats all that is said', {}, true, 'passed'],
    ['is not taken for what somebody makes of it who repeats all that is said', byText, true, 'failed'],
  ])('%s', async (_, rules, isRepeated, verdict) => {
    await using reference = await startReference({ rules });
    const target = { ...targetOfReference(reference), settleMs: 200 };
    const stop = new AbortController();
    const repeater = isRepeated ? repeatAll(target, stop) : undefined;
    const id = 'send.equal-messages-under-different-keys-are-both-stored';
    const run = await runOn(id, target);
    stop.abort();
    await repeater;
    expect(run.checks.find(({ check }) => check === id)?.verdict).toBe(verdict);
  });
});
