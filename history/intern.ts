import { createHash } from 'node:crypto';
import { markerPattern } from './markers.ts';
import type { Item, SeenAuthor, SeenMessage, SeenReceipts, TextDigest } from './seen-message.ts';
import { formOf } from './text-form.ts';

/** UTF-16 units of a text in which markers are looked for: a content begins with its own. */
const searchedUnits = 20_000;
/** So many UTF-16 units of texts are kept and numbered, which costs less than a digest; of later texts a digest is kept. */
const mostKeptUnits = 32_000_000;

/** What stands before whom a text addresses, or for all. */
const addressing = /@|<!(?:here|channel|everyone)\b/;

/** Keeps each text, message and item once, however many answers show it: a history of a million reads fits into memory. */
export class Intern {
  readonly #marker: RegExp;
  readonly #texts = new Map<string, TextDigest>();
  readonly #digests = new Map<string, TextDigest>();
  readonly #messages = new Map<string | undefined, Forms<SeenMessage>>();
  readonly #items = new Map<SeenMessage, Forms<Item>>();
  readonly #mostKeptUnits: number;
  #keptUnits = 0;

  constructor(
    { runId }: { readonly runId: string },
    { mostKeptUnits: most = mostKeptUnits }: { readonly mostKeptUnits?: number } = {},
  ) {
    this.#marker = markerPattern(runId);
    this.#mostKeptUnits = most;
  }

  /** A text by its digest. */
  text(text: string): TextDigest {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const isKept = this.#keptUnits + text.length <= this.#mostKeptUnits;
    const digest = isKept ? `text-${this.#texts.size}` : digestOf(text);
    const same = this.#digests.get(digest);
    if (same !== undefined) return same;
    const marker = this.#marker.exec(text.slice(0, searchedUnits))?.[0];
    const bytes = Buffer.byteLength(text);
    const made: TextDigest = {
      digest,
      bytes,
      form: formOf(text, bytes),
      ...(addressing.test(text) && { hasAt: true }),
      marker,
    };
    if (isKept) this.#texts.set(text, made);
    else this.#digests.set(digest, made);
    if (isKept) this.#keptUnits += text.length;
    return made;
  }

  /** A text that carries a marker of the run; `undefined` for another one. */
  marked(text: string): TextDigest | undefined {
    return this.#marker.test(text.slice(0, searchedUnits)) ? this.text(text) : undefined;
  }

  /** The one object for a message that looks like this. */
  message(message: SeenMessage): SeenMessage {
    return sameOf(this.#messages, message.id, message, messages);
  }

  /** The one object for an item like this; its message is interned already. */
  item(item: Item): Item {
    return sameOf(this.#items, item.message, item, items);
  }
}

/** Forms of one thing that are compared one by one: a server may show another with every answer, and more are found by name. */
const mostCompared = 50;

/** The forms in which one thing was shown. */
interface Forms<V> {
  readonly list: V[];
  byName?: Map<string, V>;
}

/** How forms are told apart: by each other, or by a name of all that makes them differ. */
interface FormsOf<V> {
  readonly isSame: (one: V, other: V) => boolean;
  readonly partsOf: (value: V) => readonly unknown[];
}

/** The value under this key that is like the given one; else that one, kept from now on. */
function sameOf<K, V>(known: Map<K, Forms<V>>, key: K, value: V, { isSame, partsOf }: FormsOf<V>): V {
  const forms = known.get(key);
  if (forms === undefined) known.set(key, { list: [value] });
  else if (forms.list.length < mostCompared) {
    const same = forms.list.find((each) => isSame(each, value));
    if (same !== undefined) return same;
    forms.list.push(value);
  } else {
    forms.byName ??= new Map(forms.list.map((each) => [nameOf(partsOf(each)), each]));
    const name = nameOf(partsOf(value));
    const same = forms.byName.get(name);
    if (same !== undefined) return same;
    forms.byName.set(name, value);
  }
  return value;
}

/** A name that tells what is absent from what is null, and both from words. */
function nameOf(parts: readonly unknown[]): string {
  return JSON.stringify(
    parts.map((part) => (part === undefined ? 'absent' : typeof part === 'bigint' ? `${part}n` : [part])),
  );
}

/** Half of a surrogate pair by itself: UTF-8 has no form for it. */
const loneSurrogate = /\p{Surrogate}/u;

/** A digest that differs for texts that differ in any UTF-16 unit. */
function digestOf(text: string): string {
  const bytes = loneSurrogate.test(text) ? Buffer.from(text, 'utf16le') : text;
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

function isSameMessage(one: SeenMessage, other: SeenMessage): boolean {
  return (
    one.content?.digest === other.content?.digest &&
    one.sequence === other.sequence &&
    one.channel === other.channel &&
    one.workspace === other.workspace &&
    one.createdAt === other.createdAt &&
    one.contentType === other.contentType &&
    one.sizeBytes === other.sizeBytes &&
    isSameList(one.targets, other.targets) &&
    isSameList(one.files, other.files) &&
    one.leftOut === other.leftOut &&
    one.repeatsTarget === other.repeatsTarget &&
    isSameAuthor(one.author, other.author)
  );
}

const messages: FormsOf<SeenMessage> = {
  isSame: isSameMessage,
  partsOf: ({ content, targets, files, author, ...rest }) => [
    content?.digest,
    rest.sequence,
    rest.channel,
    rest.workspace,
    rest.createdAt,
    rest.contentType,
    rest.sizeBytes,
    targets,
    files,
    rest.leftOut,
    rest.repeatsTarget,
    ...(author === undefined
      ? []
      : [
          author.id,
          author.displayName,
          author.host,
          author.session,
          ...[author.human, author.machine].flatMap((each) =>
            each === undefined || each === null ? [each] : [each.id, each.displayName],
          ),
        ]),
  ],
};

/** Whether two answers show an author alike. */
export function isSameAuthor(one: SeenAuthor | undefined, other: SeenAuthor | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.id === other.id &&
    one.displayName === other.displayName &&
    one.host === other.host &&
    one.session === other.session &&
    isSamePrincipal(one.human, other.human) &&
    isSamePrincipal(one.machine, other.machine)
  );
}

type Principal = SeenAuthor['human'];

function isSamePrincipal(one: Principal, other: Principal): boolean {
  if (one === undefined || one === null || other === undefined || other === null) return one === other;
  return one.id === other.id && one.displayName === other.displayName;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function isSameItem(one: Item, other: Item): boolean {
  return (
    one.sequence === other.sequence && one.id === other.id && isSameReceipts(one.receipts, other.receipts)
  );
}

const items: FormsOf<Item> = {
  isSame: isSameItem,
  partsOf: ({ sequence, id, receipts }) => [sequence, id, receipts?.hasMore, receipts?.agents],
};

function isSameReceipts(one: SeenReceipts | undefined, other: SeenReceipts | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return one.hasMore === other.hasMore && isSameList(one.agents, other.agents);
}
