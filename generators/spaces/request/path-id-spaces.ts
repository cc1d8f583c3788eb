import * as fc from 'fast-check';
import type { ClauseId } from '../../../spec/index.ts';
import { inputSpace, type InputSpace, type NamedValue } from '../../space/input-space.ts';
import { accept, filledIn, open, reject } from '../../space/labelled.ts';
import type { Expectation, Label, Template } from '../../space/labelled.ts';
import { anyUnit } from '../../space/units.ts';
import { rankOfJson, simplerStrings } from '../../texts/json-values.ts';

/** One segment of a path, where an id stands. */
export interface PathIdInput {
  /** As it stands in the request line, escapes included; `{own}` and the other places come of the id that is right. */
  readonly segment: Template;
}

/** The segment as it is sent. */
export function segmentOf({ segment }: PathIdInput, own: string): string {
  return filledIn(segment, {
    own,
    'own-in-capitals': own.toUpperCase(),
    'own-without-hyphens': own.replaceAll('-', ''),
    'own-cut-short': own.slice(0, -1),
    neighbour: own.slice(0, -1) + (own.endsWith('0') ? '1' : '0'),
    'neighbour-in-front': (own.startsWith('0') ? '1' : '0') + own.slice(1),
    'own-first-escaped': `%${own.charCodeAt(0).toString(16)}${own.slice(1)}`,
  });
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const unknownPathId = '00000000-0000-4000-8000-0000000000ff';

/** Ids of something else, of the right form. */
const otherIds: Readonly<Record<string, Template>> = {
  'its-neighbour': '{neighbour}',
  'its-neighbour-in-front': '{neighbour-in-front}',
  'unknown-uuid': unknownPathId,
  'nil-uuid': '00000000-0000-0000-0000-000000000000',
  'max-uuid': 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** The right id with something more or less: not the exact one, however it is read. */
const nearIds: Readonly<Record<string, Template>> = {
  'its-beginning': '{own-cut-short}',
  'one-digit-long': '{own}0',
  'twice-the-id': '{own}{own}',
  'two-ids': '{own},{own}',
};

/** No UUID in whatever spelling: where an id is asked for, a word may stand for what is the caller's own. */
const idWords: Readonly<Record<string, Template>> = {
  'a-word': 'not-an-id',
  zero: '0',
  'minus-one': '-1',
  null: 'null',
  undefined: 'undefined',
  'a-star': '*',
  'a-quote': '%27%20OR%20%271%27=%271',
  'a-thousand-letters': 'x'.repeat(1000),
};

/** Other spellings of the right id, names that may stand for it, and what a router or a client makes something else of. */
const doubtfulIds: Readonly<Record<string, Template>> = {
  'in-capitals': '{own-in-capitals}',
  'without-hyphens': '{own-without-hyphens}',
  'in-braces': '%7B{own}%7D',
  'as-a-urn': 'urn:uuid:{own}',
  'an-escaped-digit': '{own-first-escaped}',
  'a-space-behind': '{own}%20',
  'a-nul-behind': '{own}%00',
  'a-line-end-behind': '{own}%0A',
  'a-parameter-behind': '{own};v=1',
  'a-slash-behind': '{own}/',
  'an-escaped-slash-behind': '{own}%2F',
  'a-format-behind': '{own}.json',
  empty: '',
  'a-dot': '%2E',
  'two-dots': '%2E%2E',
  'a-broken-escape': '{own}%',
  'an-ill-formed-escape': '%FF',
  'a-word-for-it': 'me',
  'another-word-for-it': 'current',
  '20000-letters': 'x'.repeat(20_000),
};

/** Workspace ids of the overview: a machine's own is answered, no other id addresses that workspace or another. */
export const workspaceIdSpace = pathIdSpace(
  'workspace-id',
  'overview.exact-workspace-id',
  'overview.exact-workspace-id',
);

/** Channel ids of a send. What may be a name of a channel is left open. */
export const sendChannelIdSpace = pathIdSpace('send-channel-id', 'send.unknown-channel');

/** Channel ids of a channel read. What may be a name of a channel is left open. */
export const readChannelIdSpace = pathIdSpace('read-channel-id', 'channel-read.unknown-channel');

/** `unknown` requires the refusal of other ids, `near` that of the right one with something more or less; open if it is not given. */
function pathIdSpace(name: string, unknown: ClauseId, near?: ClauseId): InputSpace<PathIdInput> {
  return inputSpace<PathIdInput>({
    name,
    boundaries: [
      { slug: 'its-own', expectation: 'accept', value: { segment: '{own}' } },
      ...named('reject', otherIds),
      ...named(near === undefined ? 'open' : 'reject', nearIds),
      ...named('open', idWords),
      ...named('open', doubtfulIds),
    ],
    values: anySegment(),
    labelOf: ({ segment }) => pathIdLabel(name, segment, unknown, near),
    *simpler({ segment }) {
      for (const each of ['{own}', unknownPathId, '{neighbour}', '0', 'x']) yield { segment: each };
      if (!segment.includes('{')) for (const each of simplerStrings(segment)) yield { segment: each };
    },
    rank: ({ segment }) => rankOfJson(segment),
  });
}

function pathIdLabel(name: string, segment: Template, unknown: ClauseId, near: ClauseId | undefined): Label {
  if (segment === '{own}') return accept(`${name}/the-right-one`);
  if (Object.values(otherIds).includes(segment) || uuid.test(segment))
    return reject(`${name}/another-id`, unknown);
  if (near === undefined || !isNear(segment)) return open(`${name}/maybe-the-right-one`);
  return reject(`${name}/nearly-the-right-one`, near);
}

function isNear(segment: Template): boolean {
  return Object.values(nearIds).includes(segment) || /^\{own\}[0-9a-f]{1,20}$/.test(segment);
}

function anySegment(): fc.Arbitrary<PathIdInput> {
  const text = fc.oneof(
    fc.uuid(),
    fc.integer().map(String),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef-'.split('')), maxLength: 36, size: 'max' }),
    fc.string({ unit: anyUnit, minLength: 1, maxLength: 20 }).map(encodeURIComponent),
    fc
      .string({ unit: anyUnit, minLength: 1, maxLength: 4 })
      .map((more) => `{own}${encodeURIComponent(more)}`),
    fc
      .string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: 1, maxLength: 20 })
      .map((more) => `{own}${more}`),
    fc.constant('{own}'),
  );
  return text.map((segment) => ({ segment }));
}

function named(
  expectation: Expectation,
  segments: Readonly<Record<string, Template>>,
): NamedValue<PathIdInput>[] {
  return Object.entries(segments).map(([slug, segment]) => ({ slug, expectation, value: { segment } }));
}
