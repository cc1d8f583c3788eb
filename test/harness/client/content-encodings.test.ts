import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpacked, unpackedAtOnce } from '../../../harness/client/content-encodings.ts';

const plain = Buffer.from('{"mentions":[]}');
const bound = 1_000;

const packed: Readonly<Record<string, readonly [header: string | undefined, bytes: Uint8Array]>> = {
  'not at all': [undefined, plain],
  'as nothing': ['identity', plain],
  'by gzip': ['gzip', gzipSync(plain)],
  'by gzip of an older name': ['X-GZip', gzipSync(plain)],
  'by zlib': ['deflate', deflateSync(plain)],
  'by zlib without its frame': ['deflate', deflateRawSync(plain)],
  'by brotli': ['br', brotliCompressSync(plain)],
  'one on the other': ['deflate, gzip', gzipSync(deflateSync(plain))],
};

describe('a body', () => {
  it.each(Object.entries(packed))(
    'that is packed %s is unpacked, beside other work and at once',
    async (_, [header, bytes]) => {
      expect(Buffer.from(await unpacked(bytes, header, bound)).toString()).toBe(plain.toString());
      expect(Buffer.from(unpackedAtOnce(bytes, header, bound) ?? []).toString()).toBe(plain.toString());
    },
  );

  it.each(['gzip', 'deflate', 'br'])('is not unpacked by %s beyond its bound', async (header) => {
    const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[header] ?? gzipSync;
    const bytes = pack(Buffer.alloc(bound + 1));
    const tooLarge = expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' });
    await expect(unpacked(bytes, header, bound)).rejects.toEqual(tooLarge);
    expect(() => unpackedAtOnce(bytes, header, bound)).toThrow(tooLarge);
  });

  it('in an encoding that nobody knows stays as it is, and is not had at once', async () => {
    expect(await unpacked(plain, 'zstd', bound)).toBe(plain);
    expect(unpackedAtOnce(plain, 'zstd', bound)).toBeUndefined();
  });
});
