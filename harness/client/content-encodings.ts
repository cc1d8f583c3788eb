import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';

interface Bound {
  /** In bytes: what would grow beyond throws. */
  readonly maxOutputLength: number;
}

/** How an encoding is undone: beside other work, or at once. */
interface Encoding {
  readonly beside: (bytes: Uint8Array, bound: Bound) => Promise<Uint8Array>;
  readonly atOnce: (bytes: Uint8Array, bound: Bound) => Uint8Array;
}

const gzip: Encoding = { beside: promisify(gunzip), atOnce: gunzipSync };

const encodings: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  [
    'deflate',
    {
      // `deflate` means zlib-wrapped, but servers that send it raw are common enough to be understood.
      beside: (bytes, bound) =>
        promisify(inflate)(bytes, bound).catch((error: unknown) => {
          throwTooLarge(error);
          return promisify(inflateRaw)(bytes, bound);
        }),
      atOnce: (bytes, bound) => {
        try {
          return inflateSync(bytes, bound);
        } catch (error) {
          throwTooLarge(error);
          return inflateRawSync(bytes, bound);
        }
      },
    },
  ],
  ['br', { beside: promisify(brotliDecompress), atOnce: brotliDecompressSync }],
]);

/**
 * Undoes the content encodings of an answer, last applied first; unknown ones are left as they are.
 * @throws when the data does not decompress, or grows beyond `maxBytes`
 */
export async function unpacked(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  let inner = bytes;
  for (const name of encodingsLastFirst(contentEncoding)) {
    const encoding = encodings.get(name);
    if (encoding === undefined || inner.byteLength === 0) return inner;
    // An encoding is undone in the reverse order, each on the result of the one before.
    inner = await encoding.beside(inner, { maxOutputLength: maxBytes });
  }
  return inner;
}

/**
 * {@link unpacked} at once; `undefined` where an encoding is unknown.
 * @throws when the data does not decompress, or grows beyond `maxBytes`
 */
export function unpackedAtOnce(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Uint8Array | undefined {
  let inner = bytes;
  for (const name of encodingsLastFirst(contentEncoding)) {
    const encoding = encodings.get(name);
    if (encoding === undefined) return undefined;
    if (inner.byteLength > 0) inner = encoding.atOnce(inner, { maxOutputLength: maxBytes });
  }
  return inner;
}

function throwTooLarge(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error;
}

/** The names of a `content-encoding` header, that of the outermost encoding first. */
function encodingsLastFirst(contentEncoding: string | undefined): string[] {
  return (contentEncoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    .toReversed();
}
