import { parseExact } from '../../calls/index.ts';
import type { Exchange } from '../client/exchange.ts';
import { isRecord } from '../client/json/json-record.ts';

/** Contents longer than this have room for a marker, and bear one. */
const maxUnmarked = 1_000;

/** The contents that a run sent without a marker of its own: too short for one, or no text at all. */
export class SentContents {
  readonly #contents = new Set<string>();

  /** Notes what a request would append to a channel, whatever became of it. */
  add({ request: { method, body } }: Pick<Exchange, 'request'>): void {
    if (method !== 'POST' || body === undefined || body.length > maxUnmarked) return;
    const content = contentIn(Buffer.from(body).toString('utf8'));
    if (content !== undefined) this.#contents.add(textOf(content));
  }

  /** Whether a content is one of them; a value that is no text counts as the text that JSON writes for it. */
  has(content: string): boolean {
    return this.#contents.has(content);
  }
}

function contentIn(body: string): unknown {
  try {
    const json = parseExact(body);
    return isRecord(json) ? json['content'] : undefined;
  } catch {
    return undefined;
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return typeof content === 'bigint' ? String(content) : JSON.stringify(content);
}
