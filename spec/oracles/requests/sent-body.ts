import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import { isDeeperThan, isRecord, queryText, type JsonRecord, type SentRequest } from '../../calls/index.ts';
import { surelyReadQueryLength, surelyTakenBodyBytes } from '../../index.ts';

/** The body of a send as whoever receives its bytes has to see it. */
type SentBody =
  | { readonly kind: 'object'; readonly fields: JsonRecord }
  /** JSON, but no object. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** No JSON, and no parser can make it whole: nothing at all, or cut short. */
  | { readonly kind: 'cut-short' }
  /** Read by some parsers and refused by others: encoded, not UTF-8, keys given twice, comments, deep nesting. */
  | { readonly kind: 'disputed' };

/** Nesting that no parser refuses. */
const everydayDepth = 16;

type WithBody = Pick<SentRequest, 'body'> & Partial<SentRequest>;

/** The last body that was read: several ask for one request in turn. */
let last: { readonly request: WithBody; readonly body: SentBody } | undefined;

/** Reads the body of a request from its bytes. */
export function readSentBody(request: WithBody): SentBody {
  if (last?.request !== request) last = { request, body: bodyOf(request) };
  return last.body;
}

function bodyOf({ body, headers = {} }: WithBody): SentBody {
  if (headers['content-encoding'] !== undefined) return { kind: 'disputed' };
  if (body === undefined || body.length === 0) return { kind: 'cut-short' };
  if (typeof body !== 'string' && !isUtf8(body)) return { kind: 'disputed' };
  const text =
    typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
  if (text.startsWith('\ufeff') || isDeep(text)) return { kind: 'disputed' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: isCutShort(text) ? 'cut-short' : 'disputed' };
  }
  if (!isRecord(value)) return { kind: 'value', value };
  if (mayHaveDuplicateKey(value, text) && hasDuplicateKey(text)) return { kind: 'disputed' };
  return { kind: 'object', fields: value };
}

/** Whether a body or a query is longer than any that is sure to be taken: a server may have less room for it. */
export function mayBeTooLong({ body, query }: Pick<SentRequest, 'body' | 'query'>): boolean {
  return (body !== undefined && Buffer.byteLength(body) > surelyTakenBodyBytes) || isLongQuery(query);
}

/** Whether a query is longer than any that is sure to be read: what stands before a server may refuse it, in words of its own. */
export function isLongQuery(query: SentRequest['query']): boolean {
  return queryText(query).length > surelyReadQueryLength;
}

function isDeep(text: string): boolean {
  // Most bodies are long and flat: that few brackets open is seen sooner than what they open.
  return opensMoreThan(everydayDepth, text) && isDeeperThan(everydayDepth, Buffer.from(text));
}

function opensMoreThan(count: number, text: string): boolean {
  let opened = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1 && opened <= count; at = text.indexOf(bracket, at + 1))
      opened += 1;
  }
  return opened > count;
}

/** Whether more quotes in a text stand before a colon than there are names in what it says: each name has one such quote. */
function mayHaveDuplicateKey(value: JsonRecord, text: string): boolean {
  let names = namesIn(value);
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    let next = at + 1;
    while (isJsonSpace(text.charCodeAt(next))) next += 1;
    if (text.charCodeAt(next) === colon && (names -= 1) < 0) return true;
  }
  return false;
}

const colon = 0x3a;

function isJsonSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce<number>((sum, each) => sum + namesIn(each), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

function hasDuplicateKey(text: string): boolean {
  let isDuplicate = false;
  try {
    // Equal values under one key are told to nobody: the text itself has to say how often the name comes.
    parse(text, null, {
      onDuplicateKey: ({ newValue }) => {
        isDuplicate = true;
        return newValue;
      },
    });
  } catch {
    return true;
  }
  return isDuplicate || /"content"[^]*"content"\s*:/.test(text);
}

/** True when strings, lists or objects are still open where the text ends. */
function isCutShort(text: string): boolean {
  if (!/^\s*[{["]/.test(text)) return text.trim() === '';
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    // Comments and quotes of other kinds may hold what is counted here.
    else if (character === '/' || character === "'" || character === '#') return false;
  }
  return isInString || depth > 0;
}
