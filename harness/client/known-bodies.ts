import { isUtf8 } from 'node:buffer';
import { type JsonForm, parseExact } from '../../calls/index.ts';

/** A shorter text takes less than it costs to find it again. */
const leastUnits = 8_000;
/** Units of texts that are kept at once. */
const mostKnownUnits = 24_000_000;
/** Units at either end of a text that it is looked for by. */
const unitsOfKey = 64;

/** Long texts that were read, once each: a run reads the same contents on many pages. */
export class KnownTexts {
  readonly #byKey = new Map<string, string[]>();
  #keptUnits = 0;

  /**
   * Replaces, within a value that was just parsed, each long text by an equal one that is known.
   * @returns UTF-16 units of all texts in it that are not shared with another value
   */
  share(value: unknown): number {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 0;
    let units = 0;
    const fields = value as Record<string, unknown>;
    for (const [key, inner] of Object.entries(fields)) {
      if (typeof inner !== 'string' || inner.length < leastUnits) {
        units += this.share(inner);
        continue;
      }
      const known = this.#known(inner);
      if (known === undefined) units += inner.length;
      else fields[key] = known;
    }
    return units;
  }

  /** Lets go of all. */
  clear(): void {
    this.#byKey.clear();
    this.#keptUnits = 0;
  }

  /** The text that is equal to this one; `undefined` where there was none, and this one is known from now on. */
  #known(text: string): string | undefined {
    const key = `${text.length} ${text.slice(0, unitsOfKey)} ${text.slice(-unitsOfKey)}`;
    const alike = this.#byKey.get(key) ?? [];
    const known = alike.find((each) => each === text);
    if (known !== undefined) return known;
    if (this.#keptUnits + text.length > mostKnownUnits) this.clear();
    this.#keptUnits += text.length;
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), text]);
    return undefined;
  }
}

/** A body, read once. */
interface KnownBody {
  readonly bytes: Uint8Array;
  /** The body as JSON with integers beyond 2^53 as bigint; `undefined` when it is not JSON. */
  readonly json: unknown;
  /** UTF-16 units of the texts in it that it shares with no earlier body. */
  readonly ownUnits: number;
}

/** A shorter body is read faster than found. */
const leastBytes = 1_000;
/** Bytes of bodies that are kept at once. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Reads bodies, long texts in them once, and those that are byte for byte the same as an earlier one not again: a run reads the same pages many
 * times. What it gives is shared, and must not be changed.
 */
export class KnownBodies {
  readonly #byLength = new Map<number, KnownBody>();
  readonly #texts = new KnownTexts();
  #keptBytes = 0;

  /** An earlier body that is the same. */
  known(bytes: Uint8Array): KnownBody | undefined {
    if (bytes.byteLength < leastBytes) return undefined;
    const known = this.#byLength.get(bytes.byteLength);
    return known !== undefined && Buffer.compare(known.bytes, bytes) === 0 ? known : undefined;
  }

  /** Reads a body of this form, which is not known. */
  read(bytes: Uint8Array, form: JsonForm): KnownBody {
    const json = jsonOfBytes(bytes, form);
    const body = { bytes, json, ownUnits: this.#texts.share(json) };
    if (bytes.byteLength >= leastBytes) this.#keep(body);
    return body;
  }

  /** Lets go of all. */
  clear(): void {
    this.#byLength.clear();
    this.#keptBytes = 0;
    this.#texts.clear();
  }

  /** The last one of each length; all are let go when they are too many. */
  #keep(known: KnownBody): void {
    const { byteLength } = known.bytes;
    this.#keptBytes += byteLength - (this.#byLength.get(byteLength)?.bytes.byteLength ?? 0);
    if (this.#keptBytes > mostBytes) {
      this.#byLength.clear();
      this.#keptBytes = byteLength;
    }
    if (byteLength <= mostBytes) this.#byLength.set(byteLength, known);
  }
}

function jsonOfBytes(bytes: Uint8Array, { hasLongNumbers }: JsonForm): unknown {
  if (bytes.byteLength === 0 || !isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    return parseExact(text.replace(/^\ufeff/, ''), hasLongNumbers);
  } catch {
    return undefined;
  }
}
