import { resolve } from 'node:path';
import { readTextFile } from './bounded-file.ts';
import { pick, valueAt, type Given } from './layer.ts';
import { fault, warnOfLiteral, type Reading } from './reading.ts';
import { followReference } from './reference.ts';
import type { Connection } from './target.ts';

/** Headers that the suite or the connection itself decides: another value would change what a check means. */
const ownHeaders: readonly string[] = [
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'idempotency-key',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Names whose literal values are treated as secrets too. */
const secretName = /auth|cookie|key|password|secret|token/;

/** A bundle of all public certificate authorities has a fifth of this. */
const maxPemBytes = 1_048_576;

/** Headers with references followed, and the PEM texts. */
export function readConnection(reading: Reading): Connection {
  const ca = readPem(reading, 'ca', 'CERTIFICATE');
  const cert = readPem(reading, 'cert', 'CERTIFICATE');
  const key = readPem(reading, 'key', 'PRIVATE KEY');
  requireBoth(reading);
  return { ...readHeaders(reading), ca, cert, key };
}

function readHeaders(reading: Reading): Pick<Connection, 'headers' | 'secretHeaders'> {
  const headers: Record<string, string> = {};
  const secretHeaders: string[] = [];
  for (const [name, given] of givenHeaders(reading)) {
    const header = readHeader(reading, name, given);
    if (header === undefined) continue;
    headers[name] = header.value;
    if (header.isSecret) secretHeaders.push(name);
  }
  return { headers, secretHeaders };
}

/** By lower-case name; of two layers the stronger wins, two in one layer are a slip. */
function givenHeaders(reading: Reading): ReadonlyMap<string, Given> {
  const found = new Map<string, Given>();
  for (const layer of reading.layers) {
    const section = valueAt(layer.fields, ['connection', 'headers']);
    if (typeof section !== 'object' || section === null) continue;
    for (const [field, value] of Object.entries(section)) {
      const given = { value: value as unknown, path: ['connection', 'headers', field], layer };
      const name = field.toLowerCase();
      const earlier = found.get(name);
      if (earlier === undefined) found.set(name, given);
      else if (earlier.layer === layer) fault(reading, given, 'is there twice, in other letter case');
    }
  }
  return found;
}

function readHeader(
  reading: Reading,
  name: string,
  given: Given,
): { readonly value: string; readonly isSecret: boolean } | undefined {
  const { value, layer } = given;
  // An empty text and what is no text were found by the shape check.
  if (typeof value !== 'string' || value === '') return undefined;
  if (ownHeaders.includes(name)) {
    const instead = name === 'authorization' ? ' – tokens belong under `roles`' : '';
    fault(reading, given, `is a header that every request decides itself${instead}`);
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
  const isLiteral = followed.reference === undefined;
  const hasSecretName = secretName.test(name);
  if (isLiteral && hasSecretName && layer.sourceOf(given.path) === 'flag') {
    warnOfLiteral(reading, given, '`env:NAME` or `file:PATH` as its value');
  }
  return { value: followed.text, isSecret: !isLiteral || hasSecretName };
}

function readPem(reading: Reading, field: 'ca' | 'cert' | 'key', label: string): string | undefined {
  const given = pick(reading.layers, ['connection', field]);
  // The shape check lets pass only what looks like a path; anything else may be the key itself.
  if (typeof given?.value !== 'string' || !isPath(given.value)) return undefined;
  const read = readTextFile(resolve(given.layer.folder, given.value), maxPemBytes);
  if ('fault' in read) {
    fault(reading, given, `needs the file \`${given.value}\`, which ${read.fault}`);
    return undefined;
  }
  if (!new RegExp(`^-----BEGIN [A-Z0-9 ]*${label}-----`, 'm').test(read.text)) {
    fault(reading, given, `needs a PEM file with a ${label.toLowerCase()}; \`${given.value}\` has none`);
    return undefined;
  }
  return read.text;
}

function isPath(text: string): boolean {
  return text !== '' && !text.startsWith('-----') && !/\p{Cc}/u.test(text);
}

function requireBoth(reading: Reading): void {
  const cert = pick(reading.layers, ['connection', 'cert']);
  const key = pick(reading.layers, ['connection', 'key']);
  if (cert !== undefined && key === undefined) fault(reading, cert, 'needs `connection.key` beside it');
  if (key !== undefined && cert === undefined) fault(reading, key, 'needs `connection.cert` beside it');
}
