import { isRecord } from '../../spec/calls/index.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import type { JsonPath } from '../../harness/client/json-path.ts';
import { judgeWire, type WireFacts } from '../../harness/wire/wire-judgement.ts';
import { idOf } from '../../harness/record/seen-message.ts';
import { messageIn } from '../../harness/stream/message-list.ts';
import { markerPattern } from '../../history/markers.ts';
import type { CaseFailure } from '../judge/failure.ts';
import { push } from '../../spec/groups.ts';

/** What is wrong with the form of one message. */
interface ShownForm {
  /** The marker of the message. */
  readonly marker: string;
  readonly failures: readonly CaseFailure[];
  readonly exchange: Exchange;
}

/** Messages of a chapter that are kept of those whose form is wrong in one way: others say nothing else. */
const mostKept = 200;

/** Holds the messages that pages show against their schema, each beside the case that sent it. */
export class FormsShown {
  readonly #facts: WireFacts;
  readonly #marker: RegExp;
  readonly #markerOf: (id: string) => string | undefined;
  readonly #shown: ShownForm[] = [];
  /** The markers of messages that are kept, by the clause and the part that they break. */
  readonly #kept = new Map<string, Set<string>>();
  /** Bodies that were looked at: those that are the same are the same object. */
  readonly #looked = new WeakSet<object>();

  /** What carries no marker is told by its id, where the answer to its send told that. */
  constructor(facts: WireFacts, markerOf: (id: string) => string | undefined) {
    this.#facts = { ...facts, isTold: (id) => markerOf(id.toLowerCase()) !== undefined };
    this.#markerOf = markerOf;
    this.#marker = markerPattern(facts.runId, 'i');
  }

  get shown(): readonly ShownForm[] {
    return this.#shown;
  }

  /** Looks at a page. */
  look(exchange: Exchange): void {
    if (!isAccepted(exchange)) return;
    const { json } = exchange.response ?? {};
    if (isRecord(json)) {
      if (this.#looked.has(json)) return;
      this.#looked.add(json);
    }
    const { problems = [] } = judgeWire(exchange, this.#facts) ?? {};
    const found = new Map<string, CaseFailure[]>();
    for (const { clause, part, expected, actual, path = [] } of problems) {
      const { content, id } = messageAt(exchange.response?.json, path);
      const marker = this.#marker.exec(content)?.[0].toLowerCase() ?? this.#markerOf(id);
      if (marker === undefined) continue;
      const root = `${clause} ${part}`;
      const kept = this.#kept.get(root) ?? new Set();
      // What one view shows of a message another may show as well: that is told once, and hides nothing else.
      if (kept.size === mostKept || kept.has(marker)) continue;
      this.#kept.set(root, kept.add(marker));
      const failure = { clause, part, call: 'send', seenIn: 'readBack', expected, actual } as const;
      push(found, marker, failure);
    }
    for (const [marker, failures] of found) this.#shown.push({ marker, failures, exchange });
  }
}

/** The message that a place in a body lies in, or in what is wrapped around it, by its content and its id. */
function messageAt(json: unknown, path: JsonPath): { readonly content: string; readonly id: string } {
  let [at, content, id] = [json, '', ''];
  for (const step of path) {
    at = Array.isArray(at) ? at[Number(step)] : isRecord(at) ? at[step] : undefined;
    if (!isRecord(at)) continue;
    const message = messageIn(at);
    if (typeof message['content'] === 'string') content = message['content'];
    if (isRecord(message['author'])) id = idOf(message['id']) ?? '';
  }
  return { content, id };
}
