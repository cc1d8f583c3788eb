import type { Send } from '../../history/operation.ts';
import { push } from '../../history/world/sorted.ts';
import type { ClientFindings, ClientJudge } from '../client-judge.ts';
import type { Caller } from '../traffic.ts';

/** Who repeats a send does so within this time, in ms; later it is another message with the same words. */
const longestRetryMs = 60_000;

/** A key stands for one message, and a message that is sent again keeps its key. */
export const keys: ClientJudge = ({ callers }, findings) => {
  for (const caller of callers) {
    const [byKey, byContent] = [new Map<string, Send[]>(), new Map<string, Send[]>()];
    for (const send of caller.sends) {
      if (send.key === undefined || send.content === undefined || send.stores === 'nothing') continue;
      push(byKey, `${send.channel} ${send.key}`, send);
      push(byContent, `${send.channel} ${send.content.digest} ${send.targets.join(' ')}`, send);
    }
    for (const sends of byKey.values()) judgeKey(findings, sends);
    for (const sends of byContent.values()) judgeRetries(findings, sends, caller);
  }
};

function judgeKey(findings: ClientFindings, sends: readonly Send[]): void {
  const [first] = sends;
  const other = sends.find(({ content }) => content?.digest !== first?.content?.digest);
  if (first === undefined) return;
  if (other === undefined) findings.count('client.keys.one-message');
  else
    findings.add({
      name: 'key-reused',
      clause: 'client.keys.one-message',
      expected: 'a key of its own for each message',
      actual: `two messages to one channel under the key ${first.key}`,
      witness: [other, first],
      root: `key ${first.key}`,
    });
}

/**
 * Sends of one content. Who sends the same words now and then sends other messages; who does so only where each send before has had
 * no answer sends one message again.
 */
function judgeRetries(findings: ClientFindings, sends: readonly Send[], caller: Caller): void {
  const pairs = sends.slice(1).map((retry, index) => ({ first: sends[index] as Send, retry }));
  for (const { first, retry } of pairs)
    if (retry.key === first.key) findings.count('client.keys.kept-for-retries');
  const fresh = pairs.filter(({ first, retry }) => retry.key !== first.key);
  const areRetries = fresh.every(
    ({ first, retry }) =>
      first.outcome === 'indeterminate' &&
      retry.startedMs >= first.endedMs &&
      retry.startedMs - first.endedMs <= longestRetryMs &&
      !hasLooked(caller, first, retry),
  );
  const [pair] = fresh;
  if (pair === undefined || !areRetries) return;
  findings.add({
    name: 'fresh-key',
    clause: 'client.keys.kept-for-retries',
    expected: `the key ${pair.first.key} again, under which the message may have been stored`,
    actual: `the key ${pair.retry.key}`,
    witness: [pair.retry, pair.first],
    root: `key ${pair.first.key}`,
  });
}

/** Whether the caller has read the channel in between: then it may know that nothing was stored. */
function hasLooked({ readsOf }: Caller, first: Send, retry: Send): boolean {
  return (readsOf.get(`channel ${first.channel}`) ?? []).some(
    ({ startedMs, endedMs }) => startedMs >= first.endedMs && endedMs <= retry.startedMs,
  );
}
