import { plainBody, without } from './body-parts.ts';
import type { NamedValue } from '../../space/input-space.ts';
import type { JsonValue } from '../../texts/json-values.ts';
import type { Expectation } from '../../space/labelled.ts';
import type { SendBodyInput } from './send-body.ts';

const noTexts: Readonly<Record<string, JsonValue>> = {
  null: null,
  true: true,
  zero: 0,
  'a-number': 7,
  'an-empty-list': [],
  'a-list': ['a'],
  'an-object': { text: 'a' },
};

const noObjects: Readonly<Record<string, JsonValue>> = {
  ...without(noTexts, 'an-object'),
  'a-text': 'a',
  'an-empty-text': '',
  'a-list-of-bodies': [{ content: 'a' }],
};

const unknownFields: Readonly<Record<string, JsonValue>> = {
  'one-unknown-field': { no_such_field: 1 },
  'content-in-capitals': { CONTENT: 'b' },
  'prototype-field': { constructor: { prototype: {} } },
  'field-of-no-name': { '': null },
  'server-side-fields': {
    id: '00000000-0000-4000-8000-000000000001',
    sequence: 1,
    author: null,
    size_bytes: 0,
  },
  'mentions-of-no-list': { mentions: 'all' },
  'mentions-of-null': { mentions: null },
  'attachments-of-no-list': { attachments: 1 },
  'attachments-of-null': { attachments: null },
  'a-hundred-fields': Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`field_${index}`, index]),
  ),
};

/** Bodies that have a name for what they are as a whole; those of the parts are named by their spaces. */
export const wholeBodyBoundaries: readonly NamedValue<SendBodyInput>[] = [
  { slug: 'plain', expectation: 'accept', value: plainBody },
  { slug: 'without-content', expectation: 'reject', value: { fields: {} } },
  {
    slug: 'content-type-without-content',
    expectation: 'reject',
    value: { fields: { content_type: 'text/plain' } },
  },
  ...Object.entries(noTexts).map(([slug, content]) =>
    named('reject', `content-of-${slug}`, { fields: { content } }),
  ),
  ...Object.entries(noObjects).map(([slug, instead]) =>
    named('reject', `body-of-${slug}`, { fields: {}, instead }),
  ),
  ...Object.entries(unknownFields).map(([slug, fields]) =>
    named('open', slug, { ...plainBody, fields: fields as SendBodyInput['fields'] }),
  ),
];

function named(expectation: Expectation, slug: string, value: SendBodyInput): NamedValue<SendBodyInput> {
  return { slug, expectation, value };
}
