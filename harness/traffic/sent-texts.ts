import { createHash } from 'node:crypto';
import { isRecord } from '../../spec/calls/index.ts';

/** So many of the last texts that were sent are remembered, twice over. */
const most = 5_000;
/** Shorter ones may stand in anything. */
const leastUnits = 4;

/** Whether somebody sent a text lately, by its digest. */
export class SentTexts {
  #recent = new Set<string>();
  #older = new Set<string>();

  /** Takes the content of a send from its body. */
  add(body: string | Uint8Array | undefined): void {
    const content = contentOf(body);
    if (content === undefined || content.length < leastUnits) return;
    if (this.#recent.size >= most) [this.#older, this.#recent] = [this.#recent, new Set()];
    this.#recent.add(digestOf(content));
  }

  has(content: string): boolean {
    if (content.length < leastUnits) return false;
    const digest = digestOf(content);
    return this.#recent.has(digest) || this.#older.has(digest);
  }
}

function contentOf(body: string | Uint8Array | undefined): string | undefined {
  if (body === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
    const content = isRecord(value) ? value['content'] : undefined;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
