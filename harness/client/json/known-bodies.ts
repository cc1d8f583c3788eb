import { isUtf8 } from 'node:buffer';
import { parseExact } from '../../../calls/index.ts';
import { formOf } from './json-form.ts';

/** A body, read once. */
interface ReadBody {
  /** The body as JSON with integers beyond 2^53 as bigint; `undefined` when it is not JSON, or too deep. */
  readonly json: unknown;
  /** Nested deeper than anything that the contract has: it was not parsed. */
  readonly isTooDeep: boolean;
}

interface KnownBody {
  readonly bytes: Uint8Array;
  readonly body: ReadBody;
}

/** JSON nested deeper than this is not looked at. */
export const maxJsonDepth = 256;
/** A shorter body is read faster than found. */
const leastBytes = 1_000;
/** Bytes of bodies that are kept at once. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Reads bodies, and those that are byte for byte the same as an earlier one not again: a run reads the same pages many
 * times. What it gives is shared, and must not be changed.
 */
export class KnownBodies {
  readonly #byLength = new Map<number, KnownBody>();
  #keptBytes = 0;

  read(bytes: Uint8Array): ReadBody {
    if (bytes.byteLength < leastBytes) return readBody(bytes);
    const known = this.#byLength.get(bytes.byteLength);
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.body;
    const body = readBody(bytes);
    this.#keep({ bytes, body });
    return body;
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

function readBody(bytes: Uint8Array): ReadBody {
  if (bytes.byteLength === 0) return { json: undefined, isTooDeep: false };
  const form = formOf(bytes, maxJsonDepth);
  if (form === 'too-deep') return { json: undefined, isTooDeep: true };
  if (!isUtf8(bytes)) return { json: undefined, isTooDeep: false };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    const json = parseExact(text.replace(/^\ufeff/, ''), form === 'long-numbers');
    return { json, isTooDeep: false };
  } catch {
    return { json: undefined, isTooDeep: false };
  }
}
