import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateSync } from 'node:zlib';
import type { Answer } from '../../../reference/model/answer.ts';
import { jsonText } from '../../../reference/model/json-text.ts';
import { alternatives, leavingOpen, openBy, type Overlay, type Variant } from '../base/variant.ts';
import { onObjects, onStrings, withHeaders } from './answers.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The same values in other letters, and the same fields in another order. */
export const spellingVariants: readonly Variant[] = leavingOpen({
  ...openBy('a UUID is the same in either letter case; which one is shown is not said', {
    'ids-are-in-upper-case': {
      rules: { agentIdHeader: (agent) => agent.id.toUpperCase() },
      ...onStrings((text, name) => (uuid.test(text) && name !== 'session_id' ? text.toUpperCase() : text)),
    },
    'mentions-show-ids-in-upper-case': onStrings((text, name, { route }) =>
      route === 'mentions' && uuid.test(text) && name !== 'session_id' ? text.toUpperCase() : text,
    ),
  }),
  'fields-come-in-reverse: the fields of a JSON object have no order': onObjects((fields) =>
    Object.fromEntries(Object.entries(fields).toReversed()),
  ),
});

/** The same answers in other bytes. */
export const wireVariants: readonly Variant[] = [
  ...alternatives({
    ...openBy('JSON may escape any character', {
      'texts-are-escaped': { presentText: (text) => escaped(text, /[^\x20-\x7e]/g) },
      'names-and-texts-are-escaped': { presentText: inEscapes },
    }),
    'json-is-laid-out: JSON may hold white space between its tokens': {
      presentText: (text) => `\r\n\t ${laidOut(text)} \n\n`,
    },
    'integers-are-written-with-a-fraction: an integer of JSON Schema may be written 1.0': {
      presentText: (text) => text.replace(/(?<="(?:sequence|next_after|size_bytes)":)[0-9]+/g, '$&.0'),
    },
  }),
  ...leavingOpen({
    'the-media-type-has-parameters: a media type may have parameters, and is the same in either letter case':
      { mediaType: () => 'Application/JSON ; charset="utf-8"; v=1' },
  }),
  ...alternatives({
    ...openBy('header names are the same in either letter case', {
      'header-names-are-in-upper-case': { headerName: (name) => name.toUpperCase() },
      'header-names-are-capitalised': {
        headerName: (name) => name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      },
    }),
  }),
  ...leavingOpen({
    'the-agent-id-header-has-another-name: the contract writes a neutral word where the header has a name': {
      headerName: (name) => (name === 'x-service-agent-id' ? 'x-forge-agent-id' : name),
    },
    'answers-have-further-headers: further headers are excluded nowhere': withHeaders({
      'x-request-id': '00000000-0000-0000-0000-000000000000',
      'x-agent-id': 'not an id',
      'retry-after': 'Wed, 21 Oct 2043 07:28:00 GMT',
      'set-cookie': 'a=b; HttpOnly',
      link: '</v0/mentions>; rel="next"',
      location: '/v0/elsewhere',
      etag: 'W/"1"',
    }),
    'answers-come-in-chunks: how HTTP frames an answer is its own matter': { announcesLength: () => false },
  }),
  ...alternatives({
    ...openBy('a server may compress unless told not to', {
      'answers-are-gzipped-unasked': { contentCoding: () => 'gzip' },
      'answers-are-brotli-unasked': compressed('br', brotliCompressSync),
      'answers-are-deflated-unasked': compressed('deflate', deflateSync),
    }),
  }),
  ...alternatives({
    ...openBy('a connection may be closed after any answer', {
      'every-answer-closes-its-connection': withHeaders({ connection: 'close' }),
      'connections-close-now-and-then': ({ random }) => ({
        answer: (answer) =>
          random() < 0.2 ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : undefined,
      }),
    }),
  }),
];

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Longer strings would grow beyond what anybody sends. */
const longest = 2_000;

/** Every character of every string that is not long, names too, as an escape. */
function inEscapes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.length > longest ? string : `"${escaped(JSON.parse(string) as string, /[^]/g)}"`,
  );
}

/** White space around every colon and comma that stands outside of a string. */
function laidOut(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|([:,{}[\]])/g,
    (_all, string?: string, mark?: string) => string ?? `\n ${mark ?? ''}\t`,
  );
}

function compressed(coding: string, compress: (bytes: Buffer) => Buffer): Overlay {
  return {
    answer: (answer: Answer) => {
      if (answer.body === undefined) return undefined;
      const { body } = answer;
      const bytes = body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(jsonText(body));
      const headers: Answer['headers'] = {
        'content-type': 'application/json',
        ...answer.headers,
        'content-encoding': coding,
      };
      return { ...answer, headers, body: compress(bytes) };
    },
  };
}

function digestOf(body: unknown): string {
  return createHash('sha256')
    .update(body instanceof Uint8Array ? body : jsonText(body))
    .digest('base64url');
}

/** What the software around a service makes of its answers: proxies, serialisers, middleware. */
export const stackVariants: readonly Variant[] = leavingOpen({
  'integers-are-written-with-an-exponent: an integer of JSON Schema may be written 12e2': {
    presentText: (text) =>
      text.replace(
        /(?<="(?:sequence|next_after|high_watermark|size_bytes)":)([0-9]*[1-9])(0*)(?=[,}])/g,
        (_all, digits: string, zeros: string) => `${digits}E${zeros.length}`,
      ),
  },
  'answers-come-after-early-hints: HTTP lets interim answers come before the one that counts': {
    sendsEarlyHints: () => true,
  },
  'the-agent-id-header-is-in-upper-case: a UUID is the same in either letter case; which one is shown is not said':
    { agentIdHeader: ({ id }) => id.toUpperCase() },
  'what-has-not-changed-is-304: a kept answer is good for whoever asks whether it still is': {
    answer: (answer, { method, headers }) => {
      if (method !== 'GET' || answer.status !== 200 || answer.body === undefined) return undefined;
      const etag = `"${digestOf(answer.body)}"`;
      return headers['if-none-match'] === etag
        ? { status: 304, headers: { ...answer.headers, etag } }
        : { ...answer, headers: { ...answer.headers, etag } };
    },
  },
  'the-agent-id-header-is-on-every-answer: the header is described for a listing; that other answers lack it is said nowhere':
    {
      answer: (answer, { actor, route }) =>
        actor?.agentId == null || route === 'mentions'
          ? undefined
          : { ...answer, headers: { 'x-service-agent-id': actor.agentId, ...answer.headers } },
    },
});
