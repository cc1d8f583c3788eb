import { createHash } from 'node:crypto';
import { roleNames } from '../config/roles.ts';
import type { Credential } from '../config/target.ts';
import type { EvidenceExchange, Excerpt } from '../results/events.ts';
import { addressOf, stringifyExact } from '../../calls/index.ts';
import type { Exchange, ReceivedResponse } from './exchange.ts';
import { recordsAlong, textOfPath } from './json/json-path.ts';
import type { JsonPath } from './json/json-path.ts';
import { isRecord } from './json/json-record.ts';
import { tokenInShell } from './token-in-shell.ts';

/** What must not leave the process, and what is ours to show. */
export interface EvidenceRules {
  /** Exact values to remove wherever they stand, also when the server echoes them. */
  readonly secrets: readonly string[];
  /** The marker of this run: contents without it are other people's. */
  readonly runId: string;
  readonly baseUrl: string;
  /** Those of the target, so that a command line can name where each comes from. */
  readonly credentials?: readonly Credential[];
}

/** Bytes of a body that evidence shows at most. */
const excerptBytes = 2_000;
/** UTF-16 units of a body in which secrets are looked for before it is cut: far more than any secret has. */
const cleanedUnits = 20_000;
/** A request body longer than this does not fit on a command line. */
const curlBodyBytes = 4_000;
const redacted = '<redacted>';

/** A string within a part of a body that is shown whole, in UTF-16 units; a longer one is described. */
const longestString = 200;

/**
 * Turns an exchange into evidence: bounded, secrets removed, other people's words and addresses as lengths and digests.
 * With a path, what is shown of the answer is the object that it leads to or into, in place of the beginning.
 */
export function evidenceOf(exchange: Exchange, rules: EvidenceRules, path?: JsonPath): EvidenceExchange {
  const { request, response, fault } = exchange;
  const clean = (text: string): string => withoutSecrets(text, rules.secrets);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, clean(value)]),
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
              Object.entries(response.headers).map(([name, values]) => [name, values.map(clean)]),
            ),
            ...(response.bytes.byteLength === 0
              ? {}
              : {
                  body: answerExcerpt(response, rules, path),
                }),
          },
        }),
    ...(fault === undefined ? {} : { fault: clean(`${fault.kind}: ${fault.message}`) }),
    durationMs: exchange.endedMs - exchange.startedMs,
    curl: curlOf(exchange, rules),
  };
}

/** A shell line that sends the same request; credentials come from where the target says, and never stand in it. */
export function curlOf({ actor, request }: Exchange, rules: EvidenceRules): string {
  const parts = ['curl', '-sS', '-i'];
  const remarks: string[] = [];
  if (request.method !== 'GET') parts.push('-X', request.method);
  parts.push(quote(withoutSecrets(rules.baseUrl + addressOf(request), rules.secrets)));
  const role = roleNames.find((name) => name === actor);
  for (const [name, value] of Object.entries(request.headers)) {
    const secret = rules.secrets.find((each) => value === `Bearer ${each}`);
    parts.push('-H');
    if (secret === undefined || role === undefined) {
      parts.push(quote(`${name}: ${withoutSecrets(value, rules.secrets)}`));
      continue;
    }
    const own = rules.credentials?.filter(({ token }) => token === secret) ?? [];
    const { expression, remark } = tokenInShell(role, own.find(isFromOutside) ?? own[0]);
    parts.push(`"${name}: Bearer ${expression}"`);
    if (remark !== undefined) remarks.push(remark);
  }
  if (request.body !== undefined) {
    if (byteLength(request.body) <= curlBodyBytes && typeof request.body === 'string')
      parts.push('--data-binary', quote(withoutSecrets(request.body, rules.secrets)));
    else {
      parts.push('--data-binary', '@body');
      remarks.push(`body: ${byteLength(request.body)} bytes, sha256 ${digest(request.body)}`);
    }
  }
  return [...parts, ...(remarks.length === 0 ? [] : [`# ${remarks.join('; ')}`])].join(' ');
}

function isFromOutside({ source, file }: Credential): boolean {
  return file !== undefined || source.startsWith('env:');
}

/** The text with every secret replaced, in plain, JSON-escaped, URL-encoded and base64 form. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const pattern = patterns.get(secrets) ?? patternOf(secrets);
  patterns.set(secrets, pattern);
  return text.replace(pattern, redacted);
}

/** By list of secrets: a run has hundreds, and shows thousands of texts. */
const patterns = new WeakMap<readonly string[], RegExp>();

/** Finds any form of any of them, at one place the longest. */
function patternOf(secrets: readonly string[]): RegExp {
  const forms = secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ]);
  const distinct = [...new Set(forms)].filter((form) => form !== '');
  const literals = distinct
    .toSorted((one, other) => other.length - one.length)
    .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  // Without any it finds nothing.
  return new RegExp(literals.length === 0 ? '(?!)' : literals.join('|'), 'g');
}

function requestExcerpt(body: string | Uint8Array, rules: EvidenceRules): Excerpt {
  const text = textOf(typeof body === 'string' ? body : body.subarray(0, cleanedUnits * 4));
  return cleanExcerpt(text, byteLength(body), rules);
}

/** Only the part that a secret at the end of what is shown may reach into is cleaned: bodies may have megabytes. */
function cleanExcerpt(text: string, totalBytes: number, { secrets }: EvidenceRules): Excerpt {
  const shown = excerpt(withoutSecrets(text.slice(0, cleanedUnits), secrets), totalBytes);
  return { ...shown, isCut: shown.isCut || text.length > cleanedUnits };
}

function answerExcerpt({ json, bytes }: ReceivedResponse, rules: EvidenceRules, path?: JsonPath): Excerpt {
  const clean = (text: string): string => withoutSecrets(text, rules.secrets);
  const part = path === undefined ? undefined : recordsAlong(json, path).at(-1);
  if (part === undefined || part.path.length === 0)
    return cleanExcerpt(answerText(json, bytes, rules), bytes.byteLength, rules);
  const shown = withShortStrings(withoutForeignWords(part.record, rules.runId));
  return {
    ...cleanExcerpt(stringifyExact(shown), bytes.byteLength, rules),
    path: clean(textOfPath(json, part.path)),
  };
}

function withShortStrings(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestString ? summary(value) : value;
  if (Array.isArray(value)) return value.map(withShortStrings);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withShortStrings(inner)]));
}

function answerText(json: unknown, bytes: Uint8Array, rules: EvidenceRules): string {
  if (json === undefined) return new TextDecoder().decode(bytes.subarray(0, 2 * excerptBytes));
  try {
    return stringifyExact(withoutForeignWords(json, rules.runId));
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
      return [key, typeof inner === 'string' ? shownOf(inner, isForeign) : withoutForeignWords(inner, runId)];
    }),
  );
}

/** Our own words as far as evidence could ever show them: a content may have half a megabyte. */
function shownOf(text: string, isForeign: boolean): string {
  return isForeign ? summary(text) : text.slice(0, cleanedUnits);
}

function summary(text: string): string {
  return `<${Buffer.byteLength(text)} bytes, sha256 ${digest(text).slice(0, 12)}>`;
}

function excerpt(text: string, totalBytes: number): Excerpt {
  const isCut = text.length > excerptBytes;
  return { text: isCut ? text.slice(0, excerptBytes) : text, totalBytes, isCut };
}

function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

function byteLength(body: string | Uint8Array): number {
  return Buffer.byteLength(body);
}

function digest(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
