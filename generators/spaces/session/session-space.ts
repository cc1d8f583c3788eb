import * as fc from 'fast-check';
import {
  judgeSession,
  lastDayOf,
  providers,
  surfaces,
  surfacesOf,
} from '../../../spec/oracles/requests/session-faults.ts';
import type { Provider } from '../../../spec/oracles/requests/session-faults.ts';
import { inputSpace } from '../../space/input-space.ts';
import { accept, type Label, open, reject } from '../../space/labelled.ts';
import { anyUnit } from '../../space/units.ts';
import { type JsonObject, type JsonValue, rankOfJson, simplerJson } from '../../texts/json-values.ts';
import { sessionBoundaries } from './session-boundaries.ts';

/** The plainest id of each provider. */
const plainIds: Readonly<Record<Provider, string>> = {
  provider_a: '00000000-0000-0000-0000-000000000000',
  provider_b: '0',
  provider_c: '00000000-0000-0000-0000-000000000000',
  provider_d: '20000101_000000_000000',
};

const anyHexDigits = (count: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: count, maxLength: count });

const uuid = fc
  .tuple(anyHexDigits(8), anyHexDigits(4), anyHexDigits(4), anyHexDigits(4), anyHexDigits(12))
  .map((parts) => parts.join('-'));

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Of every length from 1 to 128 alike. */
const providerBId = fc.integer({ min: 0, max: 127 }).chain((rest) =>
  fc
    .tuple(
      fc.constantFrom(...letters.split('')),
      fc.string({
        unit: fc.constantFrom(...`${letters}_-`.split('')),
        minLength: rest,
        maxLength: rest,
        size: 'max',
      }),
    )
    .map(([first, others]) => first + others),
);

/** Every second of the years 1 to 9999 alike. */
const providerDId = fc
  .tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 1, max: 12 }),
    fc.nat({ max: 1_000_000 }),
    fc.nat({ max: 86_399 }),
    fc.oneof(anyHexDigits(6), anyHexDigits(8)),
  )
  .map(([year, month, day, second, digits]) =>
    [
      padded(4, year) + padded(2, month) + padded(2, 1 + (day % lastDayOf(year, month))),
      [3600, 60, 1]
        .map((unit, index) => padded(2, Math.floor(second / unit) % (index === 0 ? 24 : 60)))
        .join(''),
      digits,
    ].join('_'),
  );

const ids: Readonly<Record<Provider, fc.Arbitrary<string>>> = {
  provider_a: uuid,
  provider_b: providerBId,
  provider_c: uuid,
  provider_d: providerDId,
};

const anyValidSession: fc.Arbitrary<JsonObject> = fc.oneof(
  ...providers.map((provider) =>
    fc.record<JsonObject>(
      {
        provider: fc.constant(provider),
        surface: fc.constantFrom(...surfacesOf[provider]),
        session_id: ids[provider],
      },
      { noNullPrototype: true },
    ),
  ),
);

/** What turns one character of an id into another text: put in, replaced, left out, repeated, in the other case. */
const edits: readonly ((id: string, at: number, text: string) => string)[] = [
  (id, at, text) => id.slice(0, at) + text + id.slice(at),
  (id, at, text) => id.slice(0, at) + text + id.slice(at + 1),
  (id, at) => id.slice(0, at) + id.slice(at + 1),
  (id) => id.toUpperCase(),
  (id, at) => id.slice(0, at),
  (id, at) => id.padEnd(129 + (at % 200), 'x'),
  (_id, at, text) => text.repeat(1 + (at % 8)),
  () => 'new',
];

const editedId = fc
  .tuple(
    anyValidSession,
    fc.nat({ max: edits.length - 1 }),
    fc.nat({ max: 200 }),
    fc.oneof(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
      fc.string({ unit: anyUnit, minLength: 1, maxLength: 1 }),
    ),
  )
  .map(([session, edit, at, text]): JsonObject => {
    const id = session['session_id'] as string;
    return { ...session, session_id: edits[edit]?.(id, at % (id.length + 1), text) ?? id };
  });

/** Any two digits in one place of a date and time: half of them name no time, a few name an odd one. */
const editedTime = fc
  .tuple(
    providerDId,
    fc.constantFrom(0, 2, 4, 6, 9, 11, 13),
    fc.oneof(fc.nat({ max: 99 }), fc.constantFrom(0, 24, 60)),
  )
  .map(([id, at, number]): JsonObject => ({
    provider: 'provider_d',
    surface: 'cli',
    session_id: id.slice(0, at) + padded(2, number) + id.slice(at + 2),
  }));

const noText: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(null, true, 0, 20240229, [], ['cli'], {});

const editedField = fc
  .tuple(
    anyValidSession,
    fc.constantFrom('provider', 'surface', 'session_id'),
    fc.oneof(noText, fc.string(), fc.constantFrom(...surfaces), fc.constant(undefined)),
  )
  .map(([session, name, value]): JsonObject => {
    const { [name]: _old, ...others } = session;
    return value === undefined ? others : { ...others, [name]: value };
  });

const webAddress = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.uuid())
  .map(([scheme, host, id]) => `${scheme}://${host}/sessions/${id}`);

const withExtraField = fc
  .tuple(anyValidSession, fc.string({ maxLength: 12 }), fc.oneof(noText, fc.string(), webAddress))
  .map(([session, name, value]): JsonObject => ({ ...session, [name]: value }));

/** Valid sessions, and valid ones with one thing changed; some of these break no rule, a few break two. */
const anySession: fc.Arbitrary<JsonValue> = fc.oneof(
  { arbitrary: anyValidSession, weight: 4 },
  { arbitrary: editedId, weight: 5 },
  { arbitrary: editedTime, weight: 1 },
  { arbitrary: editedField, weight: 2 },
  { arbitrary: withExtraField, weight: 1 },
  {
    arbitrary: fc.oneof(
      noText.filter((value) => JSON.stringify(value) !== '{}'),
      fc.string(),
    ),
    weight: 1,
  },
);

function padded(length: number, number: number): string {
  return String(number).padStart(length, '0');
}

/** Source sessions of a send: every provider on every surface that it has, and what breaks one rule of one of them. */
export const sourceSessionSpace = inputSpace<JsonValue>({
  name: 'source-session',
  boundaries: sessionBoundaries,
  boundaryPercent: 40,
  values: anySession,
  labelOf: sessionLabel,
  simpler: simplerSessions,
  rank: rankOfJson,
});

function sessionLabel(session: JsonValue): Label | undefined {
  // Null may stand for a session that is left out.
  if (session === null) return open('source-session/no-value');
  const { faults, isOddTime } = judgeSession(session);
  if (faults.length > 1) return undefined;
  const [fault] = faults;
  if (fault === undefined)
    return isOddTime ? open('source-session/odd-time') : accept('source-session/valid');
  return reject(`source-session/${fault.slug}`, fault.clause, fault.rule);
}

/** The plainest sessions first, then whatever is shorter or plainer. */
function* simplerSessions(session: JsonValue): Generator<JsonValue> {
  for (const [provider, id] of Object.entries(plainIds))
    for (const surface of surfacesOf[provider as keyof typeof plainIds])
      yield { provider, surface, session_id: id };
  yield* simplerJson(session);
}
