import type { History, Operation, Send } from '../operation.ts';
import { answeredIds, Origin, type Sent, type Standing, tellingAnswers } from './origin.ts';
import { grouped, push } from '../../spec/groups.ts';

/** All sends of a history, by what tells their messages. */
export class Sends {
  readonly #byMarker = new Map<string, Origin>();
  readonly #byContent = new Map<string, Origin>();
  #byShown: ReadonlyMap<string, Origin> | undefined;
  #telling: readonly Operation[] = [];
  #sharing: readonly (readonly Sent[])[] | undefined;
  #byKey: ReadonlyMap<string | undefined, readonly Send[]> | undefined;
  readonly #operations: History['operations'];
  /** When the first send began whose content nobody knows: it may show as anything. */
  readonly firstUnknownMs: number;

  constructor({ operations }: History) {
    this.#operations = operations;
    const repeated = new Map<string, Send[]>();
    const unmarked = new Map<string, Send[]>();
    let firstUnknownMs = Number.POSITIVE_INFINITY;
    for (const operation of operations) {
      if (operation.kind !== 'send') continue;
      const { content, channel, startedMs, outcome, stores } = operation;
      const isUnknown = content === undefined || stores === 'nothing';
      if (isUnknown && outcome !== 'refused') firstUnknownMs = Math.min(firstUnknownMs, startedMs);
      if (content === undefined) continue;
      if (content.marker === undefined) push(unmarked, `${channel} ${content.digest}`, operation);
      else {
        const known = this.#byMarker.get(content.marker);
        if (known === undefined) this.#byMarker.set(content.marker, originOf(content.marker, [operation]));
        else {
          if (!repeated.has(content.marker))
            repeated.set(content.marker, [...(known.sent[0]?.attempts ?? [])]);
          push(repeated, content.marker, operation);
        }
      }
    }
    this.firstUnknownMs = firstUnknownMs;
    for (const [marker, sends] of repeated) this.#byMarker.set(marker, originOf(marker, sends));
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

  /** Where a message comes from that answers to sends showed, by its id: the surest there is where others send as well. */
  ofShown(id: string): Origin | undefined {
    this.#byShown ??= this.#collectShown();
    return this.#byShown.get(id);
  }

  #collectShown(): ReadonlyMap<string, Origin> {
    const shown = new Map<string, Sent[]>();
    const sent = [...this.all()].flatMap((origin) => origin.sent);
    const texts = new Set(sent.map(({ content }) => content.digest));
    this.#telling = tellingAnswers(sent, texts, this.#operations);
    for (const each of sent) {
      // In a text that nobody sent it is what the service made of this one; in that of another send it is that one.
      const altered = each.attempts.flatMap(({ shown: message }) =>
        this.#telling.length === 0 || texts.has(message?.content?.digest ?? '') ? [] : (message?.id ?? []),
      );
      for (const id of new Set([...answeredIds(each), ...altered])) push(shown, id, each);
    }
    return new Map([...shown].map(([id, sent]) => [id, new Origin(undefined, sent)]));
  }

  /** Where the text of an answer is not the one of its send, what tells that it is what the service made of that. */
  get tellingAnswers(): readonly Operation[] {
    this.#byShown ??= this.#collectShown();
    return this.#telling;
  }

  /** Whether anything without a marker was sent. */
  get hasUnmarked(): boolean {
    return this.#byContent.size > 0;
  }

  /** Everything that was sent. */
  *all(): Generator<Origin> {
    yield* this.#byMarker.values();
    yield* this.#byContent.values();
  }

  /** Messages that were sent under one key, where there are several; found once, for those who ask. */
  get sharingKeys(): readonly (readonly Sent[])[] {
    this.#sharing ??= this.#collectSharing();
    return this.#sharing;
  }

  /** Every attempt under a key, whoever used it and where, or without one; found once, for those who ask. */
  underKey(key: string | undefined): readonly Send[] {
    this.#byKey ??= this.#collectByKey();
    return this.#byKey.get(key) ?? [];
  }

  #collectByKey(): ReadonlyMap<string | undefined, readonly Send[]> {
    const byKey = new Map<string | undefined, Send[]>();
    for (const each of this.#operations) if (each.kind === 'send') push(byKey, each.key, each);
    return byKey;
  }

  #collectSharing(): readonly (readonly Sent[])[] {
    const first = new Map<string, Sent>();
    const sharing = new Map<string, Sent[]>();
    for (const { sent } of this.all())
      for (const each of sent) {
        if (each.key === undefined) continue;
        const known = first.get(each.key);
        if (known === undefined) first.set(each.key, each);
        else if (sharing.has(each.key)) push(sharing, each.key, each);
        else sharing.set(each.key, [known, each]);
      }
    return [...sharing.values()];
  }
}

/** Answers that say that nothing was stored. */
const proofs = new Set([400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 431]);

function originOf(marker: string | undefined, sends: readonly Send[]): Origin {
  if (sends.length === 1) return new Origin(marker, [sentOf(sends)]);
  const groups = grouped(sends, ({ agent, channel, key, content, index }) =>
    // Without a key every attempt is a message of its own.
    [agent, channel, key ?? `no key ${index}`, content?.digest].join('\n'),
  );
  return new Origin(marker, [...groups.values()].map(sentOf));
}

function sentOf(attempts: readonly Send[]): Sent {
  const [first] = attempts;
  if (first?.content === undefined) throw new Error('a send of unknown content has no origin');
  const { agent, channel, key, content, outcome, startedMs } = first;
  const isPlain = attempts.length === 1 && outcome === 'accepted';
  return {
    agent,
    channel,
    key,
    content,
    attempts,
    firstMs: isPlain ? startedMs : earliest(attempts),
    ack: isPlain ? first : attempts.find((attempt) => attempt.outcome === 'accepted'),
    standing: isPlain ? outcome : standingOf(attempts),
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
function earliest(attempts: readonly Send[]): number {
  return attempts.reduce((least, { startedMs }) => Math.min(least, startedMs), Number.POSITIVE_INFINITY);
}
