import type { Read, Send } from '../../operation.ts';
import { push } from '../../../spec/groups.ts';
import { byTime, countWhile } from '../../world/sorted.ts';
import type { ClientFindings, ClientJudge } from '../client-judge.ts';
import type { Caller, Traffic } from '../traffic.ts';

/** Who repeats a send does so within this time, in ms; later it is another message with the same words. */
const longestRetryMs = 60_000;
/** Of live traffic, contents that were sent again under a fresh key. */
const retriesEnough = 3;

/** A key stands for one message, and a message that is sent again keeps its key. */
export const keys: ClientJudge = (traffic, findings) => {
  let known: Looks | undefined;
  // Of all callers, and seldom asked: made once, where there is a need.
  const looks = (): Looks => (known ??= new Looks(traffic.callers));
  for (const caller of traffic.callers) {
    const [byKey, byContent] = [new Map<string, Send[]>(), new Map<string, Send[]>()];
    for (const send of caller.sends) {
      if (send.key === undefined || send.content === undefined || send.stores === 'nothing') continue;
      push(byKey, `${send.channel} ${send.key}`, send);
      push(byContent, `${send.channel} ${messageName(send)}`, send);
    }
    for (const sends of byKey.values()) judgeKey(findings, sends);
    judgeRetries(findings, [...byContent.values()], { isWhole: traffic.isWhole, looks });
  }
};

/** All that makes two sends to a channel one message. */
function messageName({ content, contentType = 'text/plain', targets, files, session, host }: Send): string {
  return JSON.stringify([
    content?.digest,
    contentType,
    targets.toSorted(),
    files.toSorted(),
    session ?? '',
    host ?? '',
  ]);
}

/** What was refused left no record, so that its key is as good as new. */
function judgeKey(findings: ClientFindings, sends: readonly Send[]): void {
  const at = sends.findIndex(({ outcome }) => outcome !== 'refused');
  const first = sends[at];
  if (first === undefined) return;
  const name = messageName(first);
  const other = sends.find((each, index) => index > at && messageName(each) !== name);
  findings.hold('client.keys.one-message', other === undefined, () => ({
    name: 'key-reused',
    expected: 'a key of its own for each message',
    actual: `two messages to one channel under the key ${first.key}`,
    witness: [other, first],
    root: `key ${first.key}`,
  }));
}

/** A send, and a later one of the same content under another key. */
interface Pair {
  readonly first: Send;
  readonly retry: Send;
}

/**
 * Sends of one content. Who sends the same words now and then sends other messages; who does so only where each send before has had
 * no answer sends one message again. In live traffic two processes may say the same, and one of them without an answer: there
 * it takes several contents, and nobody who says anything twice.
 */
function judgeRetries(
  findings: ClientFindings,
  byContent: readonly (readonly Send[])[],
  { isWhole, looks }: Pick<Traffic, 'isWhole'> & { readonly looks: () => Looks },
): void {
  const fresh = byContent.map((sends) => {
    const pairs = sends.slice(1).map((retry, index): Pair => ({ first: sends[index] as Send, retry }));
    for (const { first, retry } of pairs)
      if (retry.key === first.key) findings.count('client.keys.kept-for-retries');
    return pairs.filter(({ first, retry }) => retry.key !== first.key);
  });
  const repeated = fresh.filter((pairs) => pairs.length > 0);
  const retried = repeated.filter((pairs) => pairs.every((pair) => isRetry(pair, looks())));
  if (!isWhole && (retried.length < retriesEnough || retried.length < repeated.length)) return;
  const firsts = retried.flatMap((pairs) => pairs.slice(0, 1));
  for (const pair of firsts)
    findings.add({
      name: 'fresh-key',
      clause: 'client.keys.kept-for-retries',
      expected: `the key ${pair.first.key} again, under which the message may have been stored`,
      actual: `the key ${pair.retry.key}`,
      witness: [pair, ...(isWhole ? [] : firsts.slice(0, retriesEnough))].flatMap(({ first, retry }) => [
        retry,
        first,
      ]),
      root: `key ${pair.first.key}`,
    });
}

/** Whether the first was sent again, as nobody had looked into the channel in between: who has may know that nothing was stored. */
function isRetry({ first, retry }: Pair, looks: Looks): boolean {
  const pauseMs = retry.startedMs - first.endedMs;
  // The contract speaks of no answer at all: one that tells of trouble is an answer.
  if (first.status !== undefined || pauseMs < 0 || pauseMs > longestRetryMs) return false;
  return !looks.hasOneWithin(`channel ${first.channel}`, first.endedMs, retry.startedMs);
}

interface Look {
  readonly startedMs: number;
  /** The earliest end of it and of all that began later. */
  readonly endedMs: number;
}

/** When anybody read each channel. */
class Looks {
  /** By their begins. */
  readonly #byStream = new Map<string, readonly Look[]>();

  constructor(callers: readonly Caller[]) {
    const reads = new Map<string, Read[]>();
    for (const { requests } of callers)
      for (const each of requests)
        if (each.kind === 'read' && each.outcome === 'accepted') push(reads, each.stream, each);
    for (const [stream, own] of reads) {
      let earliestMs = Number.POSITIVE_INFINITY;
      const looks = byTime(own, ({ startedMs }) => startedMs)
        .toReversed()
        .map(({ startedMs, endedMs }) => ({
          startedMs,
          endedMs: (earliestMs = Math.min(earliestMs, endedMs)),
        }));
      this.#byStream.set(stream, looks.toReversed());
    }
  }

  /** Whether one began and ended between two times. */
  hasOneWithin(stream: string, fromMs: number, toMs: number): boolean {
    const looks = this.#byStream.get(stream) ?? [];
    const next = looks[countWhile(looks.length, (rank) => (looks[rank]?.startedMs ?? 0) < fromMs)];
    return next !== undefined && next.endedMs <= toMs;
  }
}
