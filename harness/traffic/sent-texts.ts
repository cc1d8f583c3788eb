import { createHash } from 'node:crypto';
import { isRecord, jsonIn } from '../../spec/calls/index.ts';
import { type Exchange, isAccepted } from '../client/exchange.ts';
import { messageIn } from '../stream/message-list.ts';

/** So many of the last texts that were sent are remembered, twice over. */
const most = 5_000;
/** Shorter ones may stand in anything. */
const leastUnits = 4;

/** Whether somebody sent a text lately, or an answer told an id of what was sent, by its digest. */
export class SentTexts {
  #recent = new Set<string>();
  #older = new Set<string>();

  /** Takes the content of a send from its body, and the id from its answer. */
  add(exchange: Exchange): void {
    this.#add(contentIn(exchange.request.body));
    const { json } = exchange.response ?? {};
    const { id } = isAccepted(exchange) && isRecord(json) ? messageIn(json) : {};
    this.#add(typeof id === 'string' ? id : undefined);
  }

  #add(text: string | undefined): void {
    if (text === undefined || text.length < leastUnits) return;
    if (this.#recent.size >= most) [this.#older, this.#recent] = [this.#recent, new Set()];
    this.#recent.add(digestOf(text));
  }

  has(text: string): boolean {
    if (text.length < leastUnits) return false;
    const digest = digestOf(text);
    return this.#recent.has(digest) || this.#older.has(digest);
  }
}

/** The content that the body of a send holds; `undefined` where it is no JSON, or holds none. */
export function contentIn(body: string | Uint8Array | undefined = ''): string | undefined {
  const value = jsonIn(typeof body === 'string' ? body : Buffer.from(body).toString());
  const content = isRecord(value) ? value['content'] : undefined;
  return typeof content === 'string' ? content : undefined;
}

function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
