import { Readable } from 'node:stream';
import type { SentRequest } from '../../spec/calls/index.ts';

/** Bytes of a chunk of a short body, few and odd so that they cut characters of two, three and four bytes; how short that is; and of any other. */
const shortChunkBytes = 7;
const shortBodyBytes = 4096;
const chunkBytes = 16_383;

/** How a body goes over the wire, and the headers beside it: a request that says so itself is sent in chunks, without a length. */
export function framed({ headers, body }: Pick<SentRequest, 'headers' | 'body'>): {
  readonly headers: SentRequest['headers'];
  readonly body: string | Uint8Array | Readable | null;
} {
  const { 'transfer-encoding': coding, ...others } = headers;
  if (coding !== 'chunked' || body === undefined) return { headers, body: body ?? null };
  return { headers: others, body: Readable.from(chunksOf(Buffer.from(body)), { objectMode: false }) };
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  const size = bytes.length > shortBodyBytes ? chunkBytes : shortChunkBytes;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
