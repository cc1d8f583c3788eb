import { createHash } from 'node:crypto';
import { addressOf } from '../../calls/index.ts';
import { roleNames } from '../config/roles.ts';
import type { Credential } from '../config/target.ts';
import { quoted } from '../output/in-shell.ts';
import { printable } from '../output/printable.ts';
import type { EvidenceRules } from './evidence-rules.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import { tokenInShell } from './token-in-shell.ts';

/** A request body longer than this does not fit on a command line. */
const mostBodyBytes = 4_000;

/**
 * A shell line that sends the same request and does nothing else, whatever stands in it; credentials come from where the
 * target says, and never stand in it.
 */
export function curlOf({ actor, request }: Exchange, rules: EvidenceRules): string {
  const remarks: string[] = [];
  const word = (text: string): string => quoted(rules.secrets.clean(text));
  const parts = [
    'curl',
    '-sS',
    '-i',
    ...methodOf(request),
    ...urlOf(rules.baseUrl + addressOf(request), word),
    ...Object.entries(request.headers).flatMap(([name, value]) => {
      const own = ownToken(actor, value, rules);
      if (own === undefined) return ['-H', word(value === '' ? `${name};` : `${name}: ${value}`)];
      if (own.remark !== undefined) remarks.push(own.remark);
      return ['-H', `"${name}: Bearer ${own.expression}"`];
    }),
    ...bodyOf(request, word, remarks),
  ];
  // A file name may have a line end, after which a shell reads on.
  return [
    ...parts,
    ...(remarks.length === 0 ? [] : [`# ${printable(rules.secrets.clean(remarks.join('; ')))}`]),
  ].join(' ');
}

function methodOf({ method }: SentRequest): readonly string[] {
  return method === 'GET' ? [] : ['-X', method];
}

/** Nothing in it is taken for several URLs, nor for a way up. */
function urlOf(url: string, word: (text: string) => string): readonly string[] {
  return [
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    word(url),
  ];
}

function bodyOf(
  { body, headers }: SentRequest,
  word: (text: string) => string,
  remarks: string[],
): readonly string[] {
  if (body === undefined) return [];
  // What stands in for a type that is not given.
  const type = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
    ? []
    : ['-H', "'content-type:'"];
  // No argument holds NUL.
  if (typeof body === 'string' && Buffer.byteLength(body) <= mostBodyBytes && !body.includes('\0'))
    return [...type, body.startsWith('@') ? '--data-raw' : '--data-binary', word(body)];
  const digest = createHash('sha256').update(body).digest('hex');
  remarks.push(`body: ${Buffer.byteLength(body)} bytes, sha256 ${digest}`);
  return [...type, '--data-binary', '@body'];
}

/** How a shell comes to the token of a header; `undefined` for one that holds none of the target's. */
function ownToken(
  actor: string,
  value: string,
  { secrets, credentials }: EvidenceRules,
): ReturnType<typeof tokenInShell> | undefined {
  const secret = secrets.values.find((each) => value === `Bearer ${each}`);
  const role = roleNames.find((name) => name === actor);
  if (secret === undefined || role === undefined) return undefined;
  const own = credentials?.filter(({ token }) => token === secret) ?? [];
  return tokenInShell(role, own.find(isFromOutside) ?? own[0]);
}

function isFromOutside({ source, file }: Credential): boolean {
  return file !== undefined || source.startsWith('env:');
}
