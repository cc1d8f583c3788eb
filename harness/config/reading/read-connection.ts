import { resolve } from 'node:path';
import { readTextFile } from '../bounded-file.ts';
import type { Connection } from '../target.ts';
import { fault, pick, type Reading } from './layer.ts';
import { connectionHeaders, readHeaders } from './read-headers.ts';

/** Headers that the suite or the connection itself decides: another value would change what a check means. */
const clientHeaders = [...connectionHeaders, 'authorization', 'content-type', 'idempotency-key'];

/** What is said of an `authorization` there. */
const whereCredentialsBelong = ' – tokens belong under `roles`';

/** A bundle of all public certificate authorities has a fifth of this. */
const maxPemBytes = 1_048_576;

/** Headers with references followed, and the PEM texts. */
export function readConnection(reading: Reading): Connection {
  const [ca, cert, key] = [
    readPem(reading, 'ca', 'CERTIFICATE'),
    readPem(reading, 'cert', 'CERTIFICATE'),
    readPem(reading, 'key', 'PRIVATE KEY'),
  ];
  const files = Object.entries({ ca, cert, key }).flatMap(([field, read]) =>
    read === undefined ? [] : [[field, read.file]],
  );
  requireBoth(reading);
  return {
    ...readHeaders(reading, ['connection', 'headers'], { ownHeaders: clientHeaders, whereCredentialsBelong }),
    ca: ca?.text,
    cert: cert?.text,
    key: key?.text,
    ...(files.length === 0 ? {} : { files: Object.fromEntries(files) as Connection['files'] & object }),
  };
}

function readPem(
  reading: Reading,
  field: 'ca' | 'cert' | 'key',
  label: string,
): { readonly text: string; readonly file: string } | undefined {
  const given = pick(reading.layers, ['connection', field]);
  // The shape check lets pass only what looks like a path; anything else may be the key itself.
  if (typeof given?.value !== 'string' || !isPath(given.value)) return undefined;
  const file = resolve(given.layer.folder, given.value);
  const read = readTextFile(file, maxPemBytes);
  if ('fault' in read) {
    fault(reading, given, `needs the file \`${given.value}\`, which ${read.fault}`);
    return undefined;
  }
  if (!new RegExp(`^-----BEGIN [A-Z0-9 ]*${label}-----`, 'm').test(read.text)) {
    fault(reading, given, `needs a PEM file with a ${label.toLowerCase()}; \`${given.value}\` has none`);
    return undefined;
  }
  return { text: read.text, file };
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
