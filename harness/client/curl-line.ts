import { addressOf, type SentRequest } from '../../spec/calls/index.ts';
import { gzipSync } from 'node:zlib';
import { quoted } from '../output/in-shell.ts';
import { printable } from '../output/printable.ts';
import type { EvidenceExchange } from '../results/generated/events.ts';
import type { EvidenceRules } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import { ShellWords } from './shell-words.ts';

/** A longer request body is not written out on a command line, and a longer packed one is of no use there. */
const mostBodyBytes = 4_000;
const mostPacked = 6_000;

/** A shell line that sends a request again, or why there is none, as a clause. */
type CurlLine = { readonly curl: string } | { readonly whyNoCurl: string };

/**
 * A shell line that sends the same request and does nothing else, whatever stands in it; credentials come from where the
 * target says, and never stand in it. A key that was fresh is fresh again, and a long body is packed. There is no line for a
 * credential that only the run had.
 */
export function curlOf({ actor, request }: Exchange, rules: EvidenceRules): CurlLine {
  const words = new ShellWords(actor, rules);
  const { headers = {}, files = {} } = rules.connection ?? {};
  const body = bodyOf(request, words);
  const parts = [
    ...(body?.before ?? []),
    'curl',
    '-sS',
    '-i',
    ...methodOf(request.method),
    ...urlOf(rules.baseUrl + addressOf(request), words),
    ...optionOf('--cacert', files.ca),
    ...optionOf('--cert', files.cert),
    ...optionOf('--key', files.key),
    ...Object.entries({ ...headers, ...request.headers }).flatMap(([name, value]) => [
      '-H',
      headerInCurl(name, value, request, words),
    ]),
    ...(body?.after ?? []),
  ];
  if (words.isLacking) return { whyNoCurl: 'it takes a credential that the target file does not hold' };
  if (body === undefined) return { whyNoCurl: 'its body is too long for a command line' };
  const text = typeof request.body === 'string' ? request.body : '';
  if ([...(rules.deleted ?? [])].some((id) => text.includes(id)))
    return { whyNoCurl: 'it names a file that has been deleted since' };
  // A file name may have a line end, after which a shell reads on.
  const remarks = words.remarks.map((remark) => printable(rules.secrets.clean(remark)));
  return { curl: [...parts, ...(remarks.length === 0 ? [] : [`# ${remarks.join('; ')}`])].join(' ') };
}

/** Evidence whose request nobody should send again, with the reason, as a clause. */
export function withoutCurl(evidence: EvidenceExchange, whyNoCurl: string): EvidenceExchange {
  const { curl: _, ...rest } = evidence;
  return { ...rest, whyNoCurl };
}

/** A HEAD that is only named would wait for a body. */
function methodOf(method: string): readonly string[] {
  if (method === 'GET') return [];
  return method === 'HEAD' ? ['-I'] : ['-X', method];
}

/** Nothing in it is taken for several URLs, nor for a way up. */
function urlOf(url: string, words: ShellWords): readonly string[] {
  return [
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    words.word(url),
  ];
}

function optionOf(name: string, path: string | undefined): readonly string[] {
  return path === undefined ? [] : [name, quoted(path)];
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The last digits of a UUID, as a shell makes them: the time, and two by chance. */
const freshDigits = '$(date +%s)$((RANDOM%90+10))';

function headerInCurl(name: string, value: string, { hasFreshKey }: SentRequest, words: ShellWords): string {
  // Under the same key the server would answer what it has stored, not what was sent.
  if (hasFreshKey === true && name === 'idempotency-key' && uuid.test(value))
    return `"${name}: ${value.slice(0, -freshLength)}${freshDigits}"`;
  return words.word(value === '' ? `${name};` : `${name}: ${value}`);
}

const freshLength = 12;

/** What makes a body before the line, and what hands it over; `undefined` for one that a line has no room for. */
interface Body {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function bodyOf({ body, headers }: SentRequest, words: ShellWords): Body | undefined {
  if (body === undefined) return { before: [], after: [] };
  // What stands in for a type that is not given.
  const type = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
    ? []
    : ['-H', "'content-type:'"];
  // No argument holds NUL.
  if (typeof body === 'string' && Buffer.byteLength(body) <= mostBodyBytes && !body.includes('\0'))
    return {
      before: [],
      after: [...type, body.startsWith('@') ? '--data-raw' : '--data-binary', words.word(body)],
    };
  words.demandClean(typeof body === 'string' ? body : Buffer.from(body).toString());
  const packed = gzipSync(body, { level: 9 }).toString('base64');
  if (packed.length > mostPacked) return undefined;
  return {
    before: ['printf', '%s', packed, '|', 'base64', '-d', '|', 'gunzip', '|'],
    // A long body is not held back until the server asks for it.
    after: [...type, '-H', "'expect:'", '--data-binary', '@-'],
  };
}
