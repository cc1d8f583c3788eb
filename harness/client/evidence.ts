import { createHash } from 'node:crypto';
import { addressOf, isRecord, parseExact, stringifyExact } from '../../spec/calls/index.ts';
import type { Connection, Target } from '../config/target.ts';
import type { KnownSecrets } from '../output/known-secrets.ts';
import type { EvidenceExchange, Excerpt } from '../results/generated/events.ts';
import { curlOf } from './curl-line.ts';
import type { Exchange, ReceivedResponse } from './exchange.ts';
import { type JsonPath, recordsAlong, textOfPath } from './json-path.ts';
import { outlineText, pageOutlineOf, pathOfNamed } from './page-outline.ts';

/** What must not leave the process, and what is ours to show. */
export interface EvidenceRules {
  /** What to remove wherever it stands, also when the server echoes it. */
  readonly secrets: KnownSecrets;
  /** The marker of this run: contents without it are other people's. */
  readonly runId: string;
  readonly baseUrl: string;
  /** True where others have asked: their bodies are not shown, and no line sends anything again without their credentials. */
  readonly isRecorded?: boolean;
  /** Those of the target by role, so that a command line can name where each comes from. */
  readonly credentials?: Target['roles'];
  /** Ids of files that hooks have deleted: a request that names one is answered otherwise from then on. */
  readonly deleted?: ReadonlySet<string>;
  /** What goes with every request. */
  readonly connection?: Pick<Connection, 'headers' | 'secretHeaders' | 'headerSources' | 'files'>;
}

/** Bytes of a body that evidence shows at most. */
const excerptBytes = 2_000;
/** Bytes of a body, or units of a content, that are looked at: more than evidence and a secret after it take. */
const mostLookedAt = 100_000;

/** A string within a body that is shown whole, in UTF-16 units; a longer one is described. */
const longestShownString = 200;
/** Of a longer one in a request so much is shown before its description. */
const shownOfString = 40;
/** A list within a long request that is shown whole, in items; of a longer one so many are. */
const longestList = 10;
const shownOfList = 5;

/**
 * Turns an exchange into evidence: bounded, secrets removed, other people's words and addresses as lengths and digests.
 * With a path, what is shown of the answer is the object that it leads to or into, in place of the beginning. Of a page that is not kept
 * it is the item that `words` name, the first of them that names one, as far as that is known.
 */
export function evidenceOf(
  exchange: Exchange,
  rules: EvidenceRules,
  { path, words = [] }: { readonly path?: JsonPath | undefined; readonly words?: readonly string[] } = {},
): EvidenceExchange {
  const { request, response, fault } = exchange;
  const clean = (text: string): string => rules.secrets.clean(text);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [clean(name), clean(value)]),
  );
  return {
    id: exchange.id,
    actor: exchange.actor,
    request: {
      method: request.method,
      path: clean(addressOf(request)),
      headers,
      ...(request.body === undefined ? {} : { body: requestExcerpt(request.body, rules) }),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, values]) => [clean(name), values.map(clean)]),
            ),
            ...(response.bytes.byteLength === 0 && response.leftOut === undefined
              ? {}
              : {
                  body: answerExcerpt(response, rules, path, words),
                }),
          },
        }),
    ...(fault === undefined ? {} : { fault: clean(`${fault.kind}: ${fault.message}`) }),
    startedAt: new Date(performance.timeOrigin + exchange.startedMs).toISOString(),
    durationMs: exchange.endedMs - exchange.startedMs,
    ...(rules.isRecorded === true
      ? { whyNoCurl: 'it was recorded without its credential and its body' }
      : curlOf(exchange, rules)),
  };
}

function requestExcerpt(body: string | Uint8Array, rules: EvidenceRules): Excerpt {
  const totalBytes = byteLength(body);
  if (rules.isRecorded === true)
    return { text: summaryOfText(body), totalBytes, isOutline: true, isCut: true };
  const described = totalBytes > excerptBytes ? withoutLongParts(body, rules) : undefined;
  if (described !== undefined)
    return { ...cleanExcerpt(described, totalBytes, rules), isOutline: true, isCut: true };
  return cleanExcerpt(typeof body === 'string' ? body : beginningOf(body), totalBytes, rules);
}

/** A long body with what is long in it described, so that what stands behind is seen; `undefined` where it would lose more. */
function withoutLongParts(body: string | Uint8Array, rules: EvidenceRules): string | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const value = parseExact(body);
    return stringifyExact(value) === body ? describedText(value, rules) : undefined;
  } catch {
    // No JSON, or nested too deeply to walk: its beginning is all there is to show.
    return undefined;
  }
}

/** JSON with the beginnings of its long strings, and of its long lists. */
function describedText(value: unknown, { secrets }: EvidenceRules): string {
  // What a run writes begins with its marker.
  const text = (long: string): string =>
    `${secrets.beginning(long, shownOfString).text}… ${summaryOfText(long)}`;
  return stringifyExact(shortened(value, { text, list: firstItems }));
}

/** Only the part that a secret at the end of what is shown may reach into is cleaned: bodies may have megabytes. */
function cleanExcerpt(text: string, totalBytes: number, { secrets }: EvidenceRules): Excerpt {
  return { ...secrets.beginning(text, excerptBytes), totalBytes };
}

function answerExcerpt(
  response: ReceivedResponse,
  rules: EvidenceRules,
  path: JsonPath | undefined,
  words: readonly string[],
): Excerpt {
  const { json, bytes, leftOut } = response;
  const clean = (text: string): string => rules.secrets.clean(text);
  const part = path === undefined ? undefined : recordsAlong(json, path).at(-1);
  if (part === undefined || part.path.length === 0) {
    // Of a long page the beginning would say less than its row.
    const outline = leftOut?.outline ?? (bytes.byteLength > excerptBytes ? pageOutlineOf(json) : undefined);
    if (outline === undefined) return answerWithoutPage(response, rules);
    const item = words
      .map((each) => leftOut?.itemNamedIn?.(each) ?? itemText(json, each, rules))
      .find((each) => each !== undefined);
    const row = outlineText({ ...outline, page: withoutForeignWords(outline.page, rules.runId) });
    const text = item === undefined ? row : `${row}\n${item}`;
    const shown = cleanExcerpt(text, leftOut?.bytes ?? bytes.byteLength, rules);
    return { ...shown, isOutline: true, isCut: true };
  }
  return {
    ...cleanExcerpt(recordText(part.record, rules), leftOut?.bytes ?? bytes.byteLength, rules),
    path: clean(textOfPath(json, part.path)),
  };
}

function recordText(record: unknown, { runId }: EvidenceRules): string {
  const ours = withoutForeignWords(record, runId);
  return stringifyExact(shortened(ours, { text: summaryOfText, list: (list) => list }));
}

/** The item of a page that a text names, below what is told of the page. */
function itemText(json: unknown, words: string, rules: EvidenceRules): string | undefined {
  const path = pathOfNamed(json, words, rules.runId);
  const item = path === undefined ? undefined : recordsAlong(json, path).at(-1);
  if (path === undefined || item === undefined) return undefined;
  return `item ${Number(path.at(-1)) + 1} of it: ${recordText(item.record, rules)}`;
}

/** An answer that is no long page: as it is, or with what is long in it described. */
function answerWithoutPage({ json, bytes }: ReceivedResponse, rules: EvidenceRules): Excerpt {
  const isDescribed = bytes.byteLength > excerptBytes && isRecord(json);
  const shown = cleanExcerpt(answerText(json, bytes, rules, isDescribed), bytes.byteLength, rules);
  return isDescribed ? { ...shown, isOutline: true, isCut: true } : shown;
}

/** What is shown in place of a string that is too long, and of a list. */
interface Shortening {
  readonly text: (long: string) => string;
  readonly list: (list: readonly unknown[]) => readonly unknown[];
}

function shortened(value: unknown, how: Shortening): unknown {
  if (typeof value === 'string') return value.length > longestShownString ? how.text(value) : value;
  if (Array.isArray(value)) return how.list(value).map((inner) => shortened(inner, how));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, how)]));
}

function firstItems(list: readonly unknown[]): readonly unknown[] {
  if (list.length <= longestList) return list;
  return [...list.slice(0, shownOfList), `<${list.length - shownOfList} more>`];
}

/** An answer as text, with what is long in it described where that is asked for. */
function answerText(json: unknown, bytes: Uint8Array, rules: EvidenceRules, isDescribed: boolean): string {
  if (json === undefined) return beginningOf(bytes);
  try {
    const ours = withoutForeignWords(json, rules.runId);
    return isDescribed ? describedText(ours, rules) : stringifyExact(ours);
  } catch {
    // Nested too deeply to walk: whatever it holds, it is not shown.
    return `<${bytes.byteLength} bytes of JSON, sha256 ${digest(bytes)}>`;
  }
}

const personalFields = new Set(['email', 'first_name', 'last_name']);

function withoutForeignWords(value: unknown, runId: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutForeignWords(inner, runId));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isForeign =
        personalFields.has(key) || (key === 'content' && typeof inner === 'string' && !inner.includes(runId));
      if (typeof inner !== 'string') return [key, withoutForeignWords(inner, runId)];
      return [key, isForeign ? summaryOfText(inner) : inner];
    }),
  );
}

function summaryOfText(text: string | Uint8Array): string {
  return `<${Buffer.byteLength(text)} bytes, sha256 ${digest(text).slice(0, 12)}>`;
}

/** As text, and no more of it than has to be cleaned before it is cut. */
function beginningOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, mostLookedAt));
}

function byteLength(body: string | Uint8Array): number {
  return Buffer.byteLength(body);
}

function digest(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}
