import { isUuid } from '../../../spec/index.ts';
import { followReference } from '../reference.ts';
import type { SecretSource } from '../target.ts';
import { fault, type FieldPath, type Given, type Reading, valueAt, warnOfLiteral } from './layer.ts';

/** Headers with their references followed, by lower-case name. */
interface ReadHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Those whose values are never shown. */
  readonly secretHeaders: readonly string[];
  /** Where the values of those came from. */
  readonly headerSources: Readonly<Record<string, SecretSource>>;
}

/** Headers that the connection itself decides. */
export const connectionHeaders: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Which names a section of headers may not have. */
interface HeaderRules {
  /** Headers that are decided elsewhere: another value would change what a request means. */
  readonly ownHeaders: readonly string[];
  /** Where else an `authorization` is to be given, to be said behind the fault. */
  readonly whereCredentialsBelong?: string;
}

/** Names whose literal values are treated as secrets too. */
const secretName = /auth|cookie|credential|key|pass|secret|session|signature|token/;

/** Values that were made by a machine, and are no id: nobody writes them but as a key. */
const secretValue = /^(?=.*[0-9])(?=.*[A-Za-z])[\w+/=.~-]{16,}$/;

/** Whether the literal value of a header is treated as a secret, by its name or by its look. */
export function isSecretHeader(name: string, value: string): boolean {
  return secretName.test(name.toLowerCase()) || (secretValue.test(value) && !isUuid(value));
}

/** The headers of the section at `section`; what is wrong with one goes to the problems. */
export function readHeaders(reading: Reading, section: FieldPath, rules: HeaderRules): ReadHeaders {
  const headers: Record<string, string> = {};
  const headerSources: Record<string, SecretSource> = {};
  for (const [name, given] of givenHeaders(reading, section)) {
    const header = readHeader(reading, name, given, rules);
    if (header === undefined) continue;
    headers[name] = header.value;
    if (header.secret !== undefined) headerSources[name] = header.secret;
  }
  return { headers, secretHeaders: Object.keys(headerSources), headerSources };
}

/** By lower-case name; of two layers the stronger wins, two in one layer are a slip. */
function givenHeaders(reading: Reading, path: FieldPath): ReadonlyMap<string, Given> {
  const found = new Map<string, Given>();
  for (const layer of reading.layers) {
    const section = valueAt(layer.fields, path);
    if (typeof section !== 'object' || section === null) continue;
    for (const [field, value] of Object.entries(section)) {
      const given = { value: value as unknown, path: [...path, field], layer };
      const name = field.toLowerCase();
      const earlier = found.get(name);
      if (earlier === undefined) found.set(name, given);
      else if (earlier.layer === layer) fault(reading, given, 'is given twice, in different letter case');
    }
  }
  return found;
}

function readHeader(
  reading: Reading,
  name: string,
  given: Given,
  { ownHeaders, whereCredentialsBelong = '' }: HeaderRules,
): { readonly value: string; readonly secret: SecretSource | undefined } | undefined {
  const { value, layer } = given;
  // An empty text and what is no text were found by the shape check.
  if (typeof value !== 'string' || value === '') return undefined;
  if (ownHeaders.includes(name)) {
    const instead = name === 'authorization' ? whereCredentialsBelong : '';
    fault(reading, given, `is a header that each request sets itself${instead}`);
    return undefined;
  }
  const followed = followReference(value, reading.env, layer.folder);
  if ('fault' in followed) {
    fault(reading, given, followed.fault);
    return undefined;
  }
  if (!/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(followed.text)) {
    fault(reading, given, 'has a value that no header can carry: ASCII, no line ends, no spaces around it');
    return undefined;
  }
  const { text, reference, file } = followed;
  const hasSecretName = isSecretHeader(name, text);
  const source = reference ?? layer.sourceOf(given.path);
  if (reference === undefined && hasSecretName && source === 'flag') {
    warnOfLiteral(reading, given, '`env:NAME` or `file:PATH` as its value');
  }
  const isSecret = reference !== undefined || hasSecretName;
  return { value: text, secret: isSecret ? { source, ...(file === undefined ? {} : { file }) } : undefined };
}
