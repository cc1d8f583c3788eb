import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type JsonForm, parseExact } from '../../spec/calls/index.ts';
import { push } from '../../spec/groups.ts';

/** Bytes of texts, as they are written and as they are read, that are kept at once. */
const mostKnownBytes = 48 * 1024 * 1024;
/** Bytes at either end of a text that it is looked for by. */
const bytesOfKey = 64;

interface KnownText {
  readonly raw: Uint8Array;
  readonly text: string;
}

/** Long texts of JSON that were read, once each: a run meets the same contents on many pages, and reading one takes as long as all the rest. */
class KnownTexts {
  readonly #byKey = new Map<string, KnownText[]>();
  #keptBytes = 0;

  /** The text of a string that was read before, byte for byte as it is written, quotes and all. */
  known(raw: Uint8Array): string | undefined {
    return this.#byKey.get(keyOf(raw))?.find((each) => Buffer.compare(each.raw, raw) === 0)?.text;
  }

  /**
   * Reads a string that is not known.
   * @throws SyntaxError when it is no string of JSON
   */
  read(raw: Uint8Array): string {
    const text = JSON.parse(textOf(raw)) as string;
    const bytes = raw.byteLength + 2 * text.length;
    if (bytes > mostKnownBytes) return text;
    if (this.#keptBytes + bytes > mostKnownBytes) this.clear();
    this.#keptBytes += bytes;
    const key = keyOf(raw);
    // A copy: the body around it is not to be kept for it.
    push(this.#byKey, key, { raw: Uint8Array.from(raw), text });
    return text;
  }

  /** Lets go of all. */
  clear(): void {
    this.#byKey.clear();
    this.#keptBytes = 0;
  }
}

function keyOf(raw: Uint8Array): string {
  const ends = [raw.subarray(0, bytesOfKey), raw.subarray(-bytesOfKey)];
  return [raw.byteLength, ...ends.map((end) => Buffer.from(end).toString('latin1'))].join(' ');
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** A body, read once. */
interface KnownBody {
  readonly bytes: Uint8Array;
  /** The body as JSON with integers beyond 2^53 as bigint; `undefined` when it is not JSON. */
  readonly json: unknown;
  /** UTF-16 units of it without the long texts that it shares with earlier bodies. */
  readonly ownUnits: number;
}

const noJson = { json: undefined, ownUnits: 0 };

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
    const body = { bytes, ...this.#readJson(bytes, form) };
    if (bytes.byteLength >= leastBytes) this.#keep(body);
    return body;
  }

  /** Lets go of all. */
  clear(): void {
    this.#byLength.clear();
    this.#keptBytes = 0;
    this.#texts.clear();
  }

  #readJson(
    bytes: Uint8Array,
    { hasLongNumbers, longStrings }: JsonForm,
  ): Pick<KnownBody, 'json' | 'ownUnits'> {
    if (bytes.byteLength === 0 || !isUtf8(bytes)) return noJson;
    const texts: string[] = [];
    const pieces: string[] = [];
    let ownUnits = 0;
    let from = 0;
    try {
      for (const { start, end } of longStrings) {
        const raw = bytes.subarray(start, end);
        const known = this.#texts.known(raw);
        const text = known ?? this.#texts.read(raw);
        if (known === undefined) ownUnits += text.length;
        pieces.push(textOf(bytes.subarray(from, start)), `"${standIn}${texts.push(text) - 1}"`);
        from = end;
      }
      const rest = [...pieces, textOf(bytes.subarray(from))].join('').replace(/^\ufeff/, '');
      const value = parseExact(rest, hasLongNumbers);
      return {
        json: texts.length === 0 ? value : withTexts(value, texts),
        ownUnits: ownUnits + rest.length,
      };
    } catch {
      return noJson;
    }
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

/** Stands for the long text of a number in a body; no server can know it. */
const standIn = `long text ${randomUUID()} `;

/** JSON with the texts that were taken out of it, by their number, at their places again. */
function withTexts(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(standIn) ? texts[Number(value.slice(standIn.length))] : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const [name, inner] of Object.entries(fields)) {
    const whole = withTexts(inner, texts);
    if (whole !== inner) fields[name] = whole;
  }
  return value;
}
