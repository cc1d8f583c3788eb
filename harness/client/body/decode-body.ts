import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

const inflateAny = async (bytes: Uint8Array, options: { maxOutputLength: number }): Promise<Buffer> => {
  // `deflate` means zlib-wrapped, but servers that send it raw are common enough to be understood.
  try {
    return await promisify(inflate)(bytes, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error;
    return promisify(inflateRaw)(bytes, options);
  }
};

const decoders: Readonly<
  Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: inflateAny,
  br: promisify(brotliDecompress),
};

/** Encodings, one on the other, that are undone: more are made by nobody who means well. */
export const mostLayers = 3;

/**
 * Undoes the content encodings of an answer, last applied first; unknown ones are left as they are.
 * @throws when the data does not decompress, or grows beyond `maxBytes`
 */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  let decoded = bytes;
  for (const name of encodingsLastFirst(contentEncoding)) {
    const decode = decoders[name];
    if (decode === undefined || decoded.byteLength === 0) return decoded;
    // An encoding is undone in the reverse order, each on the result of the one before.
    decoded = await decode(decoded, { maxOutputLength: maxBytes });
  }
  return decoded;
}

function encodingsLastFirst(contentEncoding: string | undefined): string[] {
  return (contentEncoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    .toReversed();
}
