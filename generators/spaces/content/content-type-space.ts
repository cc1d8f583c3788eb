import * as fc from 'fast-check';
import { inputSpace, namedAll } from '../../space/input-space.ts';
import { rankOfJson, simplerJson, type JsonValue } from '../../texts/json-values.ts';
import { accept, open, reject, type Label } from '../../space/labelled.ts';
import { anyUnit } from '../../space/units.ts';

const otherTexts = {
  markdown: 'text/markdown',
  json: 'application/json',
  empty: '',
  'a-word': 'text',
  'with-a-charset': 'text/plain; charset=utf-8',
  'in-capitals': 'TEXT/PLAIN',
  'with-spaces-around': ' text/plain ',
  'with-a-line-end': 'text/plain\n',
  'with-a-nul': 'text/plain\0',
  'with-a-lone-surrogate': 'text/plain\ud800',
  'beyond-ascii': 'texte/brut-é',
  'of-300-characters': `text/${'x'.repeat(295)}`,
};

const noContentTypes = {
  'a-number': 7,
  true: true,
  false: false,
  'a-list': ['text/plain'],
  'an-object': { type: 'text/plain' },
};

/** The `content_type` of a send: the default in words; other texts are open, other types are not. */
export const contentTypeSpace = inputSpace<JsonValue>({
  name: 'content-type',
  boundaries: [
    { slug: 'plain-text', expectation: 'accept', value: 'text/plain' },
    { slug: 'null', expectation: 'open', value: null },
    ...namedAll<JsonValue>('open', otherTexts),
    ...namedAll<JsonValue>('reject', noContentTypes),
  ],
  values: fc.oneof(
    fc.constantFrom<JsonValue>('text/plain', null),
    fc.string({ unit: anyUnit, maxLength: 40, size: 'max' }),
    fc
      .tuple(fc.constantFrom('text', 'application', 'image'), fc.string({ maxLength: 20 }))
      .map((parts) => parts.join('/')),
    fc.oneof(
      fc.boolean(),
      fc.integer(),
      fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
      fc.constant({}),
    ),
  ),
  labelOf: contentTypeLabel,
  simpler: simplerJson,
  rank: rankOfJson,
});

function contentTypeLabel(value: JsonValue): Label {
  if (value === 'text/plain') return accept('content-type/the-default');
  // Null may stand for a field that is left out.
  if (value === null) return open('content-type/no-value');
  if (typeof value === 'string') return open('content-type/another-text');
  const rule = 'send-request#/properties/content_type/type';
  return reject('content-type/no-text', 'send.content-type.type', rule);
}
