import { createHash } from 'node:crypto';
import type { Item, SeenMessage, SeenReceipts, TextDigest } from './seen-message.ts';
import type { Sequence } from './sequence.ts';

/** UTF-16 units of a text in which markers are looked for: a content begins with its own. */
const searchedUnits = 20_000;

/** Keeps each text, message and item once, however many answers show it: a history of a million reads fits into memory. */
export class Intern {
  readonly #marker: RegExp;
  readonly #texts = new Map<string, TextDigest>();
  readonly #messages = new Map<string, SeenMessage>();
  readonly #items = new Map<SeenMessage, Item[]>();

  constructor({ runId }: { readonly runId: string }) {
    this.#marker = new RegExp(`${runId.replaceAll(/[^\w-]/g, '')}-\\d+\\.`);
  }

  /** A text by its digest. */
  text(text: string): TextDigest {
    const digest = digestOf(text);
    const known = this.#texts.get(digest);
    if (known !== undefined) return known;
    const marker = this.#marker.exec(text.slice(0, searchedUnits))?.[0];
    const made: TextDigest = { digest, bytes: Buffer.byteLength(text), marker };
    this.#texts.set(digest, made);
    return made;
  }

  /** The one object for a message that looks like this. */
  message(message: SeenMessage): SeenMessage {
    const key = keyOf(message);
    const known = this.#messages.get(key);
    if (known !== undefined) return known;
    this.#messages.set(key, message);
    return message;
  }

  /** The one object for an item like this; its message is interned already. */
  item(item: Item): Item {
    const known = this.#items.get(item.message);
    const same = known?.find((each) => isSameItem(each, item));
    if (same !== undefined) return same;
    if (known === undefined) this.#items.set(item.message, [item]);
    else known.push(item);
    return item;
  }
}

/** Half of a surrogate pair by itself: UTF-8 has no form for it. */
const loneSurrogate = /\p{Surrogate}/u;

/** A digest that differs for texts that differ in any UTF-16 unit. */
function digestOf(text: string): string {
  const bytes = loneSurrogate.test(text) ? Buffer.from(text, 'utf16le') : text;
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

function keyOf(message: SeenMessage): string {
  const { author, content } = message;
  return JSON.stringify([
    message.id,
    message.workspace,
    message.channel,
    textOf(message.sequence),
    author,
    content?.digest,
    message.contentType,
    textOf(message.sizeBytes),
    message.createdAt,
    message.targets,
    message.files,
  ]);
}

/** Absent is not the text `undefined`. */
function textOf(sequence: Sequence | undefined): string | undefined {
  return sequence === undefined ? undefined : String(sequence);
}

function isSameItem(one: Item, other: Item): boolean {
  return (
    one.sequence === other.sequence && one.id === other.id && isSameReceipts(one.receipts, other.receipts)
  );
}

function isSameReceipts(one: SeenReceipts | undefined, other: SeenReceipts | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return one.hasMore === other.hasMore && one.agents.join() === other.agents.join();
}
