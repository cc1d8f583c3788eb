import type { Random } from 'fast-check';
import { queryText } from '../../calls/index.ts';
import { markerPlace } from './case-request.ts';
import type { CaseRequest } from './case-request.ts';
import { controlOf } from './baseline-requests.ts';

const units = [
  '\0',
  '\ud83d',
  '\ude00',
  '\ufeff',
  '\u00e9',
  '\ud83d\ude00',
  ' ',
  '\n',
  '"',
  '\\',
  'a',
  '0',
  '-',
  '.',
  '\u200b',
];
const numbers = ['0', '1', '-1', '100', '101', '2147483648', '9007199254740993', '1.5', 'a', ''];

/** The request with one or two small changes, in whatever of it was not as in the good one of its call. */
export function mutated(request: CaseRequest, random: Random): CaseRequest {
  let changed = request;
  for (let changes = random.nextInt(1, 2); changes > 0; changes -= 1) changed = changedOnce(changed, random);
  return changed;
}

function changedOnce(request: CaseRequest, random: Random): CaseRequest {
  const good = controlOf(request);
  const hasOtherCredential = good?.headers['authorization'] !== request.headers['authorization'];
  if (hasOtherCredential && random.nextInt(0, 1) === 0) return withCredential(request, random);
  if (typeof request.body === 'string') return { ...request, body: changedBody(request.body, random) };
  if (request.body !== undefined) return { ...request, body: changedBytes(request.body, random) };
  return queryText(request.query) === '' ? request : withQuery(request, random);
}

/** Inside the content when the body is an object with one, anywhere in its text otherwise. */
function changedBody(body: string, random: Random): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return changedText(body, random);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return changedText(body, random);
  const fields = Object.entries(value);
  const at = random.nextInt(0, Math.max(0, fields.length - 1));
  const entries = fields.map(([key, each], index) => [key, index === at ? changedValue(each, random) : each]);
  return JSON.stringify(Object.fromEntries(entries));
}

function changedValue(value: unknown, random: Random): unknown {
  if (typeof value === 'string') return changedText(value, random);
  if (typeof value === 'number') return value + random.nextInt(-1, 1);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value);
  const at = random.nextInt(0, Math.max(0, fields.length - 1));
  return Object.fromEntries(
    fields.map(([key, each], index) => [key, index === at ? changedValue(each, random) : each]),
  );
}

/** A unit put in, left out, repeated or replaced; never inside the place of the marker. */
function changedText(text: string, random: Random): string {
  const markerAt = text.indexOf(markerPlace);
  let at = random.nextInt(0, text.length);
  if (markerAt >= 0 && at > markerAt && at < markerAt + markerPlace.length) at = markerAt;
  const unit = units[random.nextInt(0, units.length - 1)] ?? '';
  switch (random.nextInt(0, 3)) {
    case 0:
      return at < text.length && at !== markerAt ? text.slice(0, at) + text.slice(at + 1) : text;
    case 1:
      return text.slice(0, at) + unit.repeat(random.nextInt(1, 40)) + text.slice(at);
    case 2:
      return at < text.length && at !== markerAt
        ? text.slice(0, at) + unit + text.slice(at + 1)
        : text + unit;
    default:
      return text.slice(0, at) + unit + text.slice(at);
  }
}

function changedBytes(body: Uint8Array, random: Random): Uint8Array {
  const bytes = Uint8Array.from(body);
  if (bytes.length > 0) bytes[random.nextInt(0, bytes.length - 1)] = random.nextInt(0, 255);
  return bytes;
}

function withQuery(request: CaseRequest, random: Random): CaseRequest {
  const pairs = queryText(request.query).split('&');
  const index = random.nextInt(0, pairs.length - 1);
  const [name = '', value = ''] = (pairs[index] ?? '').split('=');
  const other =
    random.nextInt(0, 1) === 0
      ? (numbers[random.nextInt(0, numbers.length - 1)] ?? '')
      : value + String(random.nextInt(0, 9));
  const changed = pairs.with(index, `${name}=${other}`);
  return { ...request, query: changed.join('&') };
}

function withCredential(request: CaseRequest, random: Random): CaseRequest {
  const value = request.headers['authorization'] ?? '';
  const at = random.nextInt(0, value.length);
  // Not inside a placeholder, of which nothing would be left.
  const isInside = value.lastIndexOf('{', at - 1) > value.lastIndexOf('}', at - 1);
  const changed = isInside ? `${value}a` : `${value.slice(0, at)}a${value.slice(at)}`;
  return { ...request, headers: { ...request.headers, authorization: changed } };
}
