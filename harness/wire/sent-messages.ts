import { isRecord } from '../../calls/index.ts';
import type { JsonRecord } from '../../calls/index.ts';
import { evidenceOf } from '../client/evidence.ts';
import type { EvidenceRules } from '../client/evidence.ts';
import { isAccepted } from '../client/exchange.ts';
import type { Exchange } from '../client/exchange.ts';
import { recordsAlong } from '../client/json/json-path.ts';
import type { JsonPath } from '../client/json/json-path.ts';
import type { EvidenceExchange } from '../results/generated/events.ts';
import { messageIn } from '../stream/message-list.ts';
import { isQuotation } from '../stream/own-messages.ts';

/** The send that made a message. */
export interface MakingSend {
  /** The check that sent it. */
  readonly check: string;
  readonly isAccepted: boolean;
  readonly evidence: () => EvidenceExchange;
}

/** What a place in a body belongs to: a message, with the send that made it when that is one of ours. */
interface MessageAt {
  readonly send: MakingSend | undefined;
}

/** A longer body is kept as the excerpt that evidence shows of it, in bytes. */
const maxKeptBytes = 64_000;
/** Part of a body that is looked through for markers, in bytes: a content begins with its own. */
const maxSearchedBytes = 20_000;

/** The sends of a run that made messages, by the marker in the content and by the id that the answer gave. */
export class SentMessages {
  readonly #rules: EvidenceRules;
  readonly #marker: RegExp;
  readonly #byMarker = new Map<string, MakingSend>();
  readonly #byId = new Map<string, MakingSend>();

  constructor(rules: EvidenceRules) {
    this.#rules = rules;
    this.#marker = new RegExp(`${rules.runId}-\\d+\\.`, 'g');
  }

  /** Notes a send of the check that may have made a message: it was accepted, or no answer says that it was not. */
  add(check: string, exchange: Exchange): void {
    const { request, response } = exchange;
    const isTaken = isAccepted(exchange);
    if (request.call !== 'send' || request.method !== 'POST' || request.body === undefined) return;
    if (!isTaken && exchange.fault === undefined) return;
    const send: MakingSend = { check, isAccepted: isTaken, evidence: this.#evidenceOf(exchange) };
    const markers = Buffer.from(request.body).toString('utf8', 0, maxSearchedBytes).match(this.#marker) ?? [];
    for (const marker of markers)
      if (this.#byMarker.get(marker)?.isAccepted !== true) this.#byMarker.set(marker, send);
    const id = isTaken && isRecord(response?.json) ? messageIn(response.json)['id'] : undefined;
    if (typeof id === 'string' && !this.#byId.has(id)) this.#byId.set(id, send);
  }

  /** The message that a path in a body leads to or into; `undefined` where it leads to none. */
  messageAt(body: unknown, path: JsonPath): MessageAt | undefined {
    const messages = recordsAlong(body, path)
      .filter(({ path: { length } }) => length > 0)
      .map(({ record }) => messageIn(record))
      .filter((record) => 'content' in record || 'author' in record);
    const sends = messages.map((message) => this.#sendOf(message)).filter((send) => send !== undefined);
    return messages.length === 0 ? undefined : { send: sends[0] };
  }

  #sendOf(message: JsonRecord): MakingSend | undefined {
    if (isQuotation(message)) return undefined;
    const { content, id } = message;
    const markers =
      typeof content === 'string' ? (content.slice(0, maxSearchedBytes).match(this.#marker) ?? []) : [];
    const byMarker = markers.map((marker) => this.#byMarker.get(marker)).find((send) => send !== undefined);
    return byMarker ?? (typeof id === 'string' ? this.#byId.get(id) : undefined);
  }

  /** Small exchanges are kept as they are, and become evidence when they are asked for: most never are. */
  #evidenceOf(exchange: Exchange): () => EvidenceExchange {
    const { request, response } = exchange;
    const bytes = Buffer.byteLength(request.body ?? '') + (response?.bytes.byteLength ?? 0);
    if (bytes <= maxKeptBytes) return () => evidenceOf(exchange, this.#rules);
    const evidence = evidenceOf(exchange, this.#rules);
    return () => evidence;
  }
}
