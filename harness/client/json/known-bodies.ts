import { isUtf8 } from 'node:buffer';
import { parseExact } from '../../../calls/index.ts';
import type { JsonForm } from './json-form.ts';
import { KnownTexts } from './known-texts.ts';

/** A body, read once. */
export interface KnownBody {
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
    const json = jsonOf(bytes, form);
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

function jsonOf(bytes: Uint8Array, { hasLongNumbers }: JsonForm): unknown {
  if (bytes.byteLength === 0 || !isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    return parseExact(text.replace(/^\ufeff/, ''), hasLongNumbers);
  } catch {
    return undefined;
  }
}
