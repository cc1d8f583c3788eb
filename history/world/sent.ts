import type { History, Send } from '../operation.ts';
import type { TextDigest } from '../seen-message.ts';
import type { Place } from './sight.ts';
import { push } from './sorted.ts';

/**
 * What is known of a send as a whole: it happened, it was refused, it was refused for its key, or nobody knows. A limit or a
 * redirection proves no refusal: another attempt may have gone through.
 */
export type Standing = 'accepted' | 'refused' | 'conflict' | 'indeterminate';

/** One message as it was sent: all attempts with one agent, channel, key and content. */
export interface Sent {
  readonly agent: string;
  readonly channel: string;
  readonly key: string | undefined;
  readonly content: TextDigest;
  /** By their ends. */
  readonly attempts: readonly Send[];
  /** When the first attempt began. */
  readonly firstMs: number;
  /** The first accepted attempt to end. */
  readonly ack: Send | undefined;
  readonly standing: Standing;
}

/** Everything sent that a message may come from: what carries one marker, or one content in one channel. */
export interface Origin {
  /** The marker; `undefined` where only the content tells. */
  readonly marker: string | undefined;
  readonly sent: readonly Sent[];
  readonly firstMs: number;
  /** Where reads showed a message with its marker, in any stream. */
  places: readonly Place[];
}

/** All sends of a history, by what tells their messages. */
export class Sends {
  readonly #byMarker = new Map<string, Origin>();
  readonly #byContent = new Map<string, Origin>();
  /** When the first send began whose content nobody knows: it may show as anything. */
  readonly firstUnknownMs: number;

  constructor({ operations }: History) {
    const marked = new Map<string, Send | Send[]>();
    const unmarked = new Map<string, Send[]>();
    let firstUnknownMs = Number.POSITIVE_INFINITY;
    for (const operation of operations) {
      if (operation.kind !== 'send') continue;
      const { content, channel, startedMs, outcome } = operation;
      if (content === undefined) {
        if (outcome !== 'refused') firstUnknownMs = Math.min(firstUnknownMs, startedMs);
      } else if (content.marker === undefined) push(unmarked, `${channel} ${content.digest}`, operation);
      else {
        const others = marked.get(content.marker);
        if (others === undefined) marked.set(content.marker, operation);
        else if (Array.isArray(others)) others.push(operation);
        else marked.set(content.marker, [others, operation]);
      }
    }
    this.firstUnknownMs = firstUnknownMs;
    for (const [marker, sends] of marked)
      this.#byMarker.set(marker, originOf(marker, Array.isArray(sends) ? sends : [sends]));
    for (const [key, sends] of unmarked) this.#byContent.set(key, originOf(undefined, sends));
  }

  /** Where a message with a marker comes from; `undefined` when nothing with it was sent. */
  ofMarker(marker: string): Origin | undefined {
    return this.#byMarker.get(marker);
  }

  /** Where a message without a marker may come from. */
  ofContent(channel: string, digest: string): Origin | undefined {
    return this.#byContent.get(`${channel} ${digest}`);
  }

  /** Everything that was sent. */
  *all(): Generator<Origin> {
    yield* this.#byMarker.values();
    yield* this.#byContent.values();
  }
}

/** One list for all that were never shown. */
const nowhere: readonly Place[] = [];

/** Answers that say that nothing was stored. */
const proofs = new Set([400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 431]);

function originOf(marker: string | undefined, sends: readonly Send[]): Origin {
  const [first] = sends;
  if (first !== undefined && sends.length === 1)
    return { marker, sent: [sentOf([first])], firstMs: first.startedMs, places: nowhere };
  const groups = new Map<string, Send[]>();
  for (const send of sends) {
    const { agent, channel, key, content, index } = send;
    // Without a key every attempt is a message of its own.
    push(groups, [agent, channel, key ?? `no key ${index}`, content?.digest].join('\n'), send);
  }
  const sent = [...groups.values()].map(sentOf);
  return { marker, sent, firstMs: earliest(sent.map(({ firstMs }) => firstMs)), places: nowhere };
}

function sentOf(attempts: readonly Send[]): Sent {
  const [first] = attempts;
  if (first?.content === undefined) throw new Error('a send of unknown content has no origin');
  const { agent, channel, key, content, outcome, startedMs } = first;
  if (attempts.length === 1 && outcome === 'accepted')
    return { agent, channel, key, content, attempts, firstMs: startedMs, ack: first, standing: outcome };
  return {
    agent,
    channel,
    key,
    content,
    attempts,
    firstMs: earliest(attempts.map(({ startedMs }) => startedMs)),
    ack: attempts.find(({ outcome }) => outcome === 'accepted'),
    standing: standingOf(attempts),
  };
}

function standingOf(attempts: readonly Send[]): Standing {
  if (attempts.some(({ outcome }) => outcome === 'accepted')) return 'accepted';
  const isRefused = ({ outcome, status = 0 }: Send): boolean =>
    outcome === 'refused' && (status === 409 || proofs.has(status));
  if (!attempts.every(isRefused)) return 'indeterminate';
  return attempts.some(({ status }) => status === 409) ? 'conflict' : 'refused';
}

/** No spread: one content may have been sent a hundred thousand times. */
function earliest(times: readonly number[]): number {
  return times.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
}
