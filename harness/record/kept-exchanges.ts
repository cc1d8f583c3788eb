import type { JsonRecord } from '../../spec/calls/index.ts';
import { markerRoot, pageRoot } from '../../history/anomalies/findings.ts';
import { markerPattern } from '../../history/markers.ts';
import type { Operation, Send } from '../../history/operation.ts';
import { evidenceOf, type EvidenceRules } from '../client/evidence.ts';
import type { Exchange, ReceivedResponse } from '../client/exchange.ts';
import { pageOutlineOf } from '../client/page-outline.ts';
import type { EvidenceExchange } from '../results/generated/events.ts';
import { isQuotation } from '../stream/own-messages.ts';
import { itemNamedIn } from './item-words.ts';
import { idOf } from './seen-message.ts';

/** A longer body is left out: findings show what a page held by its sequences. */
const longestKept = 16_000;
const noBytes = new Uint8Array();

/** The send that made a message. */
export interface MakingSend {
  /** The check that sent it. */
  readonly check: string;
  readonly evidence: () => EvidenceExchange;
}

/** UTF-16 units of a content that are looked through for its marker. */
const searchedUnits = 20_000;

/** The exchanges behind the operations of a run, so that a finding can show them. */
export class KeptExchanges {
  readonly #rules: EvidenceRules;
  readonly #marker: RegExp;
  /** Sends that made messages, or may have, by the marker in the content and by the id that the answer gave. */
  readonly #sends = new Map<string, Send>();
  readonly #exchanges = new Map<number, Exchange>();
  readonly #names = new Map<number, string>();

  constructor(rules: EvidenceRules) {
    this.#rules = rules;
    this.#marker = markerPattern(rules.runId);
  }

  add(operation: Operation, exchange: Exchange): void {
    if (operation.kind === 'send') this.#noteSend(operation);
    const name = nameOf(operation);
    if (name !== undefined) this.#names.set(exchange.id, name);
    this.#exchanges.set(operation.index, withoutLongBody(exchange, operation));
  }

  /** What judges call the page or the message of an exchange. */
  namesOf({ id }: Exchange): readonly string[] {
    const name = this.#names.get(id);
    return name === undefined ? [] : [name];
  }

  /** The send that made a message: by the marker in its content, else by its id; `undefined` for one of others. */
  sendOf(message: JsonRecord): MakingSend | undefined {
    const { content } = message;
    const marker =
      typeof content === 'string' ? this.#marker.exec(content.slice(0, searchedUnits))?.[0] : undefined;
    const send = this.#sends.get(marker ?? '') ?? this.#sends.get(idOf(message['id']) ?? '');
    const exchange = this.#exchanges.get(send?.index ?? -1);
    if (send === undefined || exchange === undefined || isQuotation(message)) return undefined;
    return { check: send.client, evidence: () => evidenceOf(exchange, this.#rules) };
  }

  /** Of several attempts the likeliest: one that was accepted, then one without an answer, then one that was refused. */
  #noteSend(send: Send): void {
    for (const name of [send.content?.marker, send.shown?.id]) {
      const known = this.#sends.get(name ?? '');
      if (name !== undefined && (known === undefined || likelihood(send) > likelihood(known)))
        this.#sends.set(name, send);
    }
  }

  /** Those of the given operations, in their order; calls of hooks have none. */
  of(operations: readonly Operation[]): readonly Exchange[] {
    return operations.flatMap(({ index }) => this.#exchanges.get(index) ?? []);
  }
}

function likelihood({ outcome }: Send): number {
  return ['refused', 'indeterminate', 'accepted'].indexOf(outcome);
}

/**
 * An exchange of which nobody needs the body of the answer, without that where it is long: of a page its outline stays, and what the
 * read that was made of it knows of each item.
 */
export function withoutLongBody(exchange: Exchange, operation?: Operation): Exchange {
  const { response } = exchange;
  if (response === undefined || response.bytes.byteLength <= longestKept) return exchange;
  const outline = pageOutlineOf(response.json);
  if (outline === undefined) return { ...exchange, response: withoutBody(response) };
  const items =
    operation?.kind === 'read' ? { itemNamedIn: (text: string) => itemNamedIn(operation, text) } : {};
  const leftOut = { bytes: response.bytes.byteLength, outline, ...items };
  return { ...exchange, response: { ...withoutBody(response), leftOut } };
}

/** A page or a message, as judges call what they find broken. */
function nameOf(operation: Operation): string | undefined {
  if (operation.kind === 'read') return pageRoot(operation);
  const marker = operation.kind === 'send' ? operation.content?.marker : undefined;
  return marker === undefined ? undefined : markerRoot(marker);
}

/** What is left of an answer whose body nobody needs. */
export function withoutBody(response: ReceivedResponse): ReceivedResponse {
  return { ...response, bytes: noBytes, json: undefined };
}
