import { firstUnits } from './printable.ts';
import { formsOf, shortestForm } from './secret-forms.ts';
import { type SecretRange, SecretSearch } from './secret-search.ts';

declare const isClean: unique symbol;
/** Text without any secret: only {@link KnownSecrets.clean} makes it. */
export type Clean = string & { readonly [isClean]: true };

const redacted = '<redacted>';
/** The same within a format: it needs no escape in any, whether in a text, a name or an attribute. */
const redactedInFormat = 'redacted';
/** Of more secrets than this only the first are looked for in what is encoded twice: the target's own are learned first. */
const mostThorough = 16;
/** Texts that are remembered as clean: so many, and none longer than this. */
const mostKept = 5_000;
const longestKept = 64;
/** An encoding makes a character at most so many. */
const longestEncoding = 18;

/**
 * The exact values that a run must show nowhere, those of its target and those that it learns on the way; and the cleaner of
 * whatever leaves the process.
 */
export class KnownSecrets {
  readonly #known = new Set<string>();
  #words: RegExp | undefined;
  #longest = 0;
  /** Learned, and in no form yet: most runs clean little. */
  #fresh: string[] = [];
  /** Texts that were found to hold none. */
  readonly #harmless = new Set<string>();
  #search: SecretSearch | undefined;
  #formed = 0;

  constructor(values: readonly string[] = []) {
    this.learn(values);
  }

  has(value: string): boolean {
    return this.#known.has(value);
  }

  learn(values: readonly string[]): void {
    for (const value of values) {
      if (value === '' || this.#known.has(value)) continue;
      this.#known.add(value);
      this.#fresh.push(value);
      this.#longest = Math.max(this.#longest, value.length);
    }
  }

  /**
   * The text with every secret replaced: as it is, in any letter case, backwards, hexadecimal, base64, with percent, JSON or
   * HTML escapes, encoded twice, or cut off with `…`. A secret that is short, or a word as others are, is only replaced where it
   * can be told from them.
   */
  clean(text: string): Clean {
    return this.#without(text, redacted);
  }

  /**
   * The same for a text in some format (XML, HTML, JSON, Markdown), which what is put in its place leaves as valid as it was. Values are to
   * be {@link cleaned} before the format is made of them: in it escapes of several kinds may lie over one another.
   */
  cleanInFormat(text: string): Clean {
    return this.#without(text, redactedInFormat);
  }

  #without(text: string, instead: string): Clean {
    this.#takeFresh();
    if (this.#known.size === 0) return text as Clean;
    const shown = this.#words === undefined ? text : text.replace(this.#words, instead);
    // Names of fields and ids of clauses come over and over.
    if (shown.length < shortestForm || this.#harmless.has(shown)) return shown as Clean;
    const ranges = this.#search?.rangesIn(shown) ?? [];
    if (ranges.length > 0) return withoutRanges(shown, ranges, instead) as Clean;
    if (shown.length <= longestKept && this.#harmless.size < mostKept) this.#harmless.add(shown);
    return shown as Clean;
  }

  /** The beginning of a text, cleaned before it is cut: no more of a long one is looked at than that takes. */
  beginning(text: string, most: number): { readonly text: Clean; readonly isCut: boolean } {
    const reach = most + this.#longest * longestEncoding;
    const shown = this.clean(text.length > reach ? text.slice(0, reach) : text);
    const isCut = shown.length > most || text.length > reach;
    return { text: (isCut ? firstUnits(shown, most) : shown) as Clean, isCut };
  }

  /** A value of JSON with all its strings cleaned, names of members too. */
  cleaned<T>(value: T): T {
    return this.#known.size === 0 ? value : (this.#cleaned(value) as T);
  }

  #cleaned(value: unknown): unknown {
    if (typeof value === 'string') return this.clean(value);
    if (Array.isArray(value)) return value.map((each) => this.#cleaned(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.clean(name), this.#cleaned(inner)]),
    );
  }

  #takeFresh(): void {
    if (this.#fresh.length === 0) return;
    this.#harmless.clear();
    for (const secret of this.#fresh) {
      if (strengthOf(secret) !== 'strong') continue;
      this.#formed += 1;
      const forms = formsOf(secret, { isThorough: this.#formed <= mostThorough });
      this.#search ??= new SecretSearch();
      for (const form of forms) this.#search.add(form);
    }
    this.#fresh = [];
    this.#words = wordsOf([...this.#known]);
  }
}

/** The weaker a secret, the less tells it from other text: only a strong one is found wherever it stands. */
export function strengthOf(secret: string): 'strong' | 'short' | 'ordinary' {
  const isWord = /^(?:[A-Z]?[a-z]{1,11}|[A-Z]{1,12}|[0-9]{1,5})$/.test(secret);
  if (secret.length < 4 || isWord) return 'ordinary';
  const isNumber = secret.length < 12 && /^[0-9]+$/.test(secret);
  return secret.length < shortestForm || isNumber ? 'short' : 'strong';
}

/** Short secrets as words of their own, ordinary ones where a credential stands. */
function wordsOf(secrets: readonly string[]): RegExp | undefined {
  const alternatives = secrets
    .toSorted((a, b) => b.length - a.length)
    .flatMap((secret) => {
      const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
      const kind = strengthOf(secret);
      if (kind === 'strong') return [];
      const before = kind === 'short' ? '(?<![A-Za-z0-9])' : String.raw`(?<=\b(?:[Bb]earer|[Bb]asic) )`;
      return [`${before}${literal}(?![A-Za-z0-9])`];
    });
  return alternatives.length === 0 ? undefined : new RegExp(alternatives.join('|'), 'g');
}

function withoutRanges(text: string, ranges: readonly SecretRange[], instead: string): string {
  let [clean, at] = ['', 0];
  for (const { start, end } of ranges) {
    if (start >= at) clean += text.slice(at, wholeEscapes(text, start)) + instead;
    at = Math.max(at, end);
  }
  return clean + text.slice(at);
}

/** The longest beginning of an escape, `\u004`, in units. */
const longestBeginning = 5;

/** Where to begin so that no half of an escape is left, as the backslash of a `\n` whose letter is taken for a part of a secret. */
function wholeEscapes(text: string, start: number): number {
  const before = text.slice(Math.max(0, start - longestBeginning), start);
  const [half] = /\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?$/i.exec(before) ?? [''];
  if (half === '') return start;
  let backslashes = 0;
  while (text[start - half.length - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1 ? start - half.length : start;
}
