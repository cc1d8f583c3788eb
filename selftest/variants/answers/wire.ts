import { brotliCompressSync, deflateSync } from 'node:zlib';
import type { Answer } from '../../../reference/model/answer.ts';
import { jsonText } from '../../../reference/model/json-text.ts';
import { onObjects, onStrings, withHeaders, type Fields } from './answers.ts';
import { alternatives, type Overlay, type Variant } from '../base/variant.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Freedom 42, and the keep-alive of 41: the same answers in other bytes. */
export const wireVariants: readonly Variant[] = [
  {
    id: 'ids-are-in-upper-case',
    words: 'a UUID is the same in either letter case; which one is shown is not said',
    options: () => ({
      rules: { agentIdHeader: (agent) => agent.id.toUpperCase() },
      answer: onStrings((text, name) =>
        uuid.test(text) && name !== 'session_id' ? text.toUpperCase() : text,
      ),
    }),
  },
  {
    id: 'mentions-show-ids-in-upper-case',
    words: 'a UUID is the same in either letter case; which one is shown is not said',
    excludes: ['ids-are-in-upper-case'],
    options: () => ({
      answer: onStrings((text, name, { route }) =>
        route === 'mentions' && uuid.test(text) && name !== 'session_id' ? text.toUpperCase() : text,
      ),
    }),
  },
  {
    id: 'fields-come-in-reverse',
    freedom: 42,
    words: 'the fields of a JSON object have no order',
    options: () => ({
      answer: onObjects((fields) => Object.fromEntries(Object.entries(fields).toReversed())),
    }),
  },
  ...alternatives(
    {
      id: 'texts-are-escaped',
      freedom: 42,
      words: 'JSON may escape any character',
      options: () => ({ rules: { presentText: (text) => escaped(text, /[^\x20-\x7e]/g) } }),
    },
    {
      id: 'json-is-laid-out',
      freedom: 42,
      words: 'JSON may hold white space between its tokens',
      options: () => ({ rules: { presentText: (text) => `\r\n\t ${laidOut(text)} \n\n` } }),
    },
    {
      id: 'integers-are-written-with-a-fraction',
      freedom: 42,
      words: 'an integer of JSON Schema may be written 1.0',
      excludes: ['channels-start-at-2-to-the-60', 'events-start-at-2-to-the-60'],
      options: () => ({
        rules: {
          presentText: (text) => text.replace(/(?<="(?:sequence|next_after|size_bytes)":)[0-9]+/g, '$&.0'),
        },
      }),
    },
  ),
  {
    id: 'the-media-type-has-parameters',
    freedom: 42,
    words: 'a media type may have parameters, and is the same in either letter case',
    options: () => ({ rules: { mediaType: () => 'Application/JSON ; charset="utf-8"; v=1' } }),
  },
  ...alternatives(
    {
      id: 'header-names-are-in-upper-case',
      freedom: 42,
      words: 'header names are the same in either letter case',
      options: () => ({ rules: { headerName: (name) => name.toUpperCase() } }),
    },
    {
      id: 'header-names-are-capitalised',
      freedom: 42,
      words: 'header names are the same in either letter case',
      options: () => ({
        rules: { headerName: (name) => name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()) },
      }),
    },
  ),
  {
    id: 'the-agent-id-header-has-another-name',
    words: 'the contract writes a neutral word where the header has a name',
    options: () => ({
      rules: { headerName: (name) => (name === 'x-service-agent-id' ? 'x-forge-agent-id' : name) },
    }),
  },
  {
    id: 'answers-have-further-headers',
    freedom: 42,
    words: 'further headers are excluded nowhere',
    options: () => ({
      answer: withHeaders({
        'x-request-id': '00000000-0000-0000-0000-000000000000',
        'x-agent-id': 'not an id',
        'retry-after': 'Wed, 21 Oct 2043 07:28:00 GMT',
        'set-cookie': 'a=b; HttpOnly',
        link: '</v0/mentions>; rel="next"',
        location: '/v0/elsewhere',
        etag: 'W/"1"',
      }),
    }),
  },
  {
    id: 'answers-come-in-chunks',
    freedom: 42,
    words: 'how HTTP frames an answer is its own matter',
    options: () => ({ rules: { announcesLength: () => false } }),
  },
  ...alternatives(
    {
      id: 'answers-are-gzipped-unasked',
      freedom: 42,
      words: 'a server may compress unless told not to',
      options: () => ({ rules: { contentCoding: () => 'gzip' } }),
    },
    {
      id: 'answers-are-brotli-unasked',
      freedom: 42,
      words: 'a server may compress unless told not to',
      options: () => compressed('br', brotliCompressSync),
    },
    {
      id: 'answers-are-deflated-unasked',
      freedom: 42,
      words: 'a server may compress unless told not to',
      options: () => compressed('deflate', deflateSync),
    },
  ),
  ...alternatives(
    {
      id: 'every-answer-closes-its-connection',
      freedom: 41,
      words: 'a connection may be closed after any answer',
      options: () => ({ answer: withHeaders({ connection: 'close' }) }),
    },
    {
      id: 'connections-close-now-and-then',
      freedom: 41,
      words: 'a connection may be closed after any answer',
      options: ({ random }) => ({
        answer: (answer) =>
          random() < 0.2 ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : undefined,
      }),
    },
  ),
];

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
      const headers: Fields = {
        'content-type': 'application/json',
        ...answer.headers,
        'content-encoding': coding,
      };
      return { ...answer, headers: headers as Record<string, string>, body: compress(bytes) };
    },
  };
}
