import * as fc from 'fast-check';
import type { ClauseId } from '../../../spec/index.ts';
import { inputSpace, type NamedValue, named } from '../../space/input-space.ts';
import { accept, type Label, open, reject } from '../../space/labelled.ts';
import { type JsonValue, rankOfJson, simplerJson } from '../../texts/json-values.ts';
import { contentSpace } from '../content/content-space.ts';
import { contentTypeSpace } from '../content/content-type-space.ts';
import { sourceSessionSpace } from '../session/session-space.ts';
import { agentHostSpace } from './agent-host-space.ts';
import { attachmentsSpace } from './attachments-space.ts';
import { type BodyPart, fieldPart, memberPart, plainBody, withoutPart } from './body-parts.ts';
import type { SendBodyInput } from './send-body.ts';
import { targetsSpace } from './targets-space.ts';

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
  ...withoutPart(noTexts, 'an-object'),
  'a-text': 'a',
  'an-empty-text': '',
  'a-list-of-bodies': [{ content: 'a' }],
};

const unknownFields: Readonly<Record<string, JsonValue>> = {
  'one-unknown-field': { no_such_field: 1 },
  'a-field-beyond-ascii': { größe_漢字: 1 },
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
const wholeBodyBoundaries: readonly NamedValue<SendBodyInput>[] = [
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

/** Parts by the names of their fields. */
const parts: Readonly<Record<string, BodyPart>> = {
  content: memberPart('content', contentSpace),
  content_type: fieldPart('content_type', contentTypeSpace),
  mentions: memberPart('mentions', targetsSpace),
  attachments: memberPart('attachments', attachmentsSpace),
  agent_host: fieldPart('agent_host', agentHostSpace),
  source_session: fieldPart('source_session', sourceSessionSpace),
};

/**
 * Bodies of a send, whole. What is said of mentions, attachments, agent host and source session holds where the target
 * has the fields that carry them.
 */
export const sendBodySpace = inputSpace<SendBodyInput>({
  name: 'send-body',
  boundaries: [...wholeBodyBoundaries, ...Object.values(parts).flatMap(({ boundaries }) => boundaries)],
  boundaryPercent: 60,
  values: anyBody(),
  labelOf: sendBodyLabel,
  simpler,
  rank,
});

/** Rejected for one reason while the rest is to be taken; open for whatever is open while nothing is rejected. */
function sendBodyLabel(body: SendBodyInput): Label | undefined {
  const labels = [...labelsOfTheWhole(body), ...labelsOfParts(body)];
  if (labels.includes(undefined)) return undefined;
  const odd = labels.filter((label) => label !== undefined && label.expectation !== 'accept');
  if (odd.some((label) => label?.expectation === 'reject') && odd.length > 1) return undefined;
  const [first] = odd;
  return first === undefined
    ? accept('send-body/well-formed')
    : { ...first, label: `send-body/${first.label}` };
}

function labelsOfParts(body: SendBodyInput): readonly (Label | undefined)[] {
  return Object.values(parts)
    .filter((part) => part.isIn(body))
    .map((part) => part.labelIn(body));
}

function labelsOfTheWhole({ content, fields, instead }: SendBodyInput): readonly Label[] {
  const labels: Label[] = [];
  if (instead !== undefined) return [wrong('no-object', 'send.content.required', '/type')];
  if (content === undefined && fields['content'] === undefined)
    labels.push(wrong('no-content', 'send.content.required', '/required/content'));
  if (fields['content'] !== undefined)
    labels.push(
      wrong(
        'content-of-no-text',
        typeof fields['content'] === 'object' && fields['content'] !== null
          ? 'send.content.type'
          : 'send.content.scalars-refused',
        '/properties/content/type',
      ),
    );
  if (unknownFieldsOf(fields).length > 0) labels.push(open('unknown-field'));
  return labels;
}

/** Fields that no part speaks for: also those of parts that are lists, when they hold something else. */
function unknownFieldsOf(fields: SendBodyInput['fields']): readonly string[] {
  const known = ['content', 'content_type', 'agent_host', 'source_session'];
  return Object.keys(fields).filter((name) => !known.includes(name));
}

function wrong(slug: string, clause: ClauseId, rule: string): Label {
  return reject(slug, clause, `send-request#${rule}`);
}

function anyBody(): fc.Arbitrary<SendBodyInput> {
  const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
  const noText = value.filter((each) => typeof each !== 'string');
  const withOnePart = Object.values(parts).map((part) => part.anyIn(plainBody));
  const severalParts = fc
    .subarray(Object.values(parts))
    .chain((chosen) =>
      chosen.reduce(
        (bodies: fc.Arbitrary<SendBodyInput>, part) => bodies.chain((body) => part.anyIn(body)),
        fc.constant(plainBody),
      ),
    );
  return fc.oneof(
    { arbitrary: parts['content']?.anyIn(plainBody) ?? fc.constant(plainBody), weight: 15 },
    { arbitrary: fc.oneof(...withOnePart), weight: 30 },
    { arbitrary: severalParts, weight: 15 },
    { arbitrary: noText.map((content) => ({ fields: { content } })), weight: 5 },
    {
      arbitrary: fc.constantFrom<SendBodyInput>({ fields: {} }, { fields: { content_type: 'text/plain' } }),
      weight: 1,
    },
    { arbitrary: value.map((instead) => ({ fields: {}, instead })).filter(isNoObject), weight: 5 },
    {
      arbitrary: fc
        .dictionary(fc.string(), value, { noNullPrototype: true })
        .map((fields) => ({ ...plainBody, fields })),
      weight: 5,
    },
  );
}

function isNoObject({ instead }: SendBodyInput): boolean {
  return typeof instead !== 'object' || instead === null || Array.isArray(instead);
}

function* simpler(body: SendBodyInput): Generator<SendBodyInput> {
  const { fields, instead } = body;
  for (const part of Object.values(parts)) if (part.isIn(body)) yield part.without(body);
  for (const name of Object.keys(fields)) yield { ...body, fields: withoutPart(fields, name) };
  for (const part of Object.values(parts)) yield* part.simpler(body);
  const own = Object.entries(fields).filter(([name]) => !Object.hasOwn(parts, name) || name === 'content');
  for (const [name, value] of own)
    for (const each of simplerJson(value)) yield { ...body, fields: { ...fields, [name]: each } };
  if (instead !== undefined) for (const each of simplerJson(instead)) yield { ...body, instead: each };
}

function rank(body: SendBodyInput): readonly number[] {
  return [
    Object.values(parts).filter((part) => part.isIn(body)).length,
    ...rankOfJson(body.fields),
    ...rankOfJson(body.instead),
    ...Object.values(parts).flatMap((part) => part.rank(body)),
  ];
}
