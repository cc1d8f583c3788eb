import { front, isListing, json } from '../../fixtures/front.ts';
import { type Meeting, oneCheck, rows } from '../frame/row.ts';

/** A row in which each page of mentions has this body; the clause of its form fails, and nothing else happens. */
function pageOf(
  body: string | Buffer,
  { exit = [1], says = 'does not conform', headers = [] }: Partial<Shown> = {},
): Meeting {
  return {
    server: front({ instead: (asked) => (isListing(asked) ? json('200 OK', body, headers) : undefined) }),
    args: [...oneCheck, '--out', 'out.ndjson'],
    expected: { exit, says, budgetS: 12 },
  };
}

interface Shown {
  readonly exit: readonly number[];
  readonly says: string;
  readonly headers: readonly string[];
}

const tooDeep = { exit: [3], says: 'nested over 256 levels deep' };
const page = '"page":{"next_after":0,"has_more":false,"high_watermark":0}';

/** Answers whose JSON is broken, deep, large, or pretends to be something else. */
export const jsonRows = rows({
  'objects of 50,000 levels are no answer': pageOf('{"a":'.repeat(5e4) + '1' + '}'.repeat(5e4), tooDeep),
  'a number of 100,000 digits fails its form': pageOf(
    `{"mentions":[],"page":{"next_after":${'9'.repeat(1e5)},"has_more":false,"high_watermark":0}}`,
  ),
  'a member __proto__ changes nothing of ours': pageOf(
    `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"mentions":[],${page}}`,
  ),
});

/** Others of them, every night. */
export const otherJsonRows = rows({
  'JSON that breaks off fails its form': pageOf('{"mentions":['),
  'a number beyond all floats fails its form': pageOf(
    `{"mentions":[],"page":{"next_after":1e999999,"has_more":false,"high_watermark":0}}`,
  ),
  'null in place of an object fails its form': pageOf('null'),
  'a hundred thousand mentions on a page of at most 100 fail': pageOf(
    `{"mentions":[${'{},'.repeat(99_999)}{}],${page}}`,
  ),
});

/** Answers whose bytes are no text, or not the text that their headers say. */
export const encodingRows = rows({
  'bytes that are no UTF-8 fail as JSON': pageOf(
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  ),
});

/** Others of them, every night. */
export const otherEncodingRows = rows({
  'a half of a surrogate pair is no crash': pageOf('{"mentions":"\\ud800"}'),
  'gzip that is none is no crash': pageOf(`{"mentions":[],${page}}`, {
    exit: [1, 3],
    says: '(exit',
    headers: ['Content-Encoding: gzip'],
  }),
});
