import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { oneCheck } from '../frame/commands.ts';
import { front, isListing, json } from '../frame/front.ts';
import type { Row } from '../frame/row.ts';

const empty = '{"mentions":[],"page":{"next_after":0,"has_more":false,"high_watermark":0}}';

/** A row in which each page of mentions has these bytes. */
function bytes(
  name: string,
  body: Buffer,
  headers: readonly string[],
  { exit = [1], says = '(exit' } = {},
): Row {
  return {
    name,
    server: front({ instead: (asked) => (isListing(asked) ? json('200 OK', body, headers) : undefined) }),
    args: [...oneCheck, '--out', 'out.ndjson'],
    expected: { exit, says, budgetS: 12 },
  };
}

/** Answers whose bytes are no text, or not the text that their headers say. */
export const encodingRows: readonly Row[] = [
  bytes(
    'bytes that are no UTF-8 fail as JSON',
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    [],
  ),
  bytes('JSON in UTF-16 fails as JSON', Buffer.from(`\ufeff${empty}`, 'utf16le'), []),
  bytes('a byte order mark is no crash', Buffer.from(`\ufeff${empty}`), [], { exit: [0, 1, 3] }),
  bytes('a half of a surrogate pair is no crash', Buffer.from('{"mentions":"\\ud800"}'), []),
  bytes('gzip that is none is no crash', Buffer.from(empty), ['Content-Encoding: gzip'], { exit: [1, 3] }),
  bytes('gzip that breaks off is no crash', gzipSync(empty).subarray(0, 20), ['Content-Encoding: gzip'], {
    exit: [1, 3],
  }),
  bytes('an encoding of an unknown name is no crash', Buffer.from(empty), ['Content-Encoding: rot13'], {
    exit: [0, 1, 3],
  }),
  bytes(
    'sixty layers of encoding are no crash',
    Buffer.from(empty),
    [`Content-Encoding: ${Array(60).fill('gzip').join(', ')}`],
    { exit: [1, 3] },
  ),
  bytes(
    'deflate and brotli are no crash',
    deflateSync(brotliCompressSync(empty)),
    ['Content-Encoding: br, deflate'],
    { exit: [0, 1, 3] },
  ),
  bytes(
    'a charset of an unknown name is no crash',
    Buffer.from(empty),
    ['Content-Type: application/json; charset=x-none'],
    { exit: [0, 1, 3] },
  ),
];
