import * as fc from 'fast-check';
import { inputSpace, type InputSpace, type NamedValue, named } from '../../space/input-space.ts';
import type { Expectation } from '../../space/labelled.ts';
import { anyUnit } from '../../space/units.ts';
import { rankOfJson, simplerStrings } from '../../texts/json-values.ts';
import { type IntegerParameter, labelOf } from './integer-parameter.ts';
import { spellingOf } from './query-parameter.ts';
import { after, channelAfterParameter, channelLimit, limit, wait } from './query-parameters.ts';

const noIntegers = [
  ...'abc 1.5 -1.5 0.5 10x x10 10px $10 1-1 --1 1..5 5,10 NaN null undefined true false ten'.split(' '),
  ...'5%2C10 1%2F2 %C2%BD %E2%88%9E [object%20Object]'.split(' '),
];

/** As they stand in the query: what is an integer to some. */
const oddSpellings = [
  '',
  ...'01 00 -0 %2B1 +1 %201 1%20 1.0 1. 1e0 1e2 1E400 0x10 0b1 0o7 1_000 1,000 1n %31 %00 1%00 %'.split(' '),
  ...'%zz %ff %EF%BC%91 %D9%A1 %C2%B2 %221%22 [1] -1.0 Infinity 1.00000000000000000001'.split(' '),
];

/** Raw query strings of one integer parameter: with it, without it, or with something that looks like it. */
function parameterSpace(definition: IntegerParameter): InputSpace<string> {
  const { name, parameter } = definition;
  return inputSpace<string>({
    name,
    boundaries: parameterBoundaries(definition),
    values: anyQuery(definition),
    labelOf: (query) => labelOf(definition, query),
    simpler: (query) => simplerQueries(definition, query),
    rank: (query) => parameterRank(parameter, query),
  });
}

function parameterBoundaries({
  omitted,
  parameter,
  integers,
  integersOnly,
  plain,
}: IntegerParameter): NamedValue<string>[] {
  const type = integersOnly === undefined ? 'open' : 'reject';
  const with_ = (value: string): string => `${parameter}=${value}`;
  const otherForms = {
    'twice-alike': `${with_(plain)}&${with_(plain)}`,
    'twice-differently': `${with_(plain)}&${with_('1')}`,
    'no-value': parameter,
    'in-brackets': `${parameter}[]=${plain}`,
    'with-an-index': `${parameter}[0]=${plain}`,
    'in-capitals': `${parameter.toUpperCase()}=${plain}`,
    'between-ampersands': `&${with_(plain)}&`,
    'encoded-name': `%${parameter.charCodeAt(0).toString(16)}${parameter.slice(1)}=${plain}`,
  };
  return [
    { slug: 'omitted', expectation: omitted.expectation, value: '' },
    ...Object.entries(integers).flatMap(([expectation, values]) =>
      values.map((value) => named(expectation as Expectation, `integer-${value}`, with_(String(value)))),
    ),
    ...noIntegers.map((text) => named(type, `no-integer-${slugOf(text)}`, with_(text))),
    named(type, 'no-integer-of-5000-letters', with_('x'.repeat(5000))),
    ...oddSpellings.map((text) => named('open', `odd-${slugOf(text)}`, with_(text))),
    named('open', 'odd-5000-zeros', with_(`${'0'.repeat(5000)}1`)),
    ...Object.entries(otherForms).map(([slug, query]) => named('open', slug, query)),
  ];
}

function anyQuery({ parameter, plain }: IntegerParameter): fc.Arbitrary<string> {
  const far = 2n ** 70n;
  const text = fc.oneof(
    fc.bigInt({ min: -far, max: far }).map(String),
    fc.integer({ min: -200, max: 300 }).map(String),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
    fc.string({ unit: anyUnit, maxLength: 12 }).map(encodeURIComponent),
    fc.string({ unit: fc.constantFrom(...'0123456789abcxeE.,_-+%'.split('')), maxLength: 8 }),
  );
  return fc.oneof(
    { arbitrary: text.map((value) => `${parameter}=${value}`), weight: 49 },
    { arbitrary: fc.constantFrom('', `${parameter}=${plain}`), weight: 1 },
  );
}

function* simplerQueries({ parameter, integers, plain }: IntegerParameter, query: string): Generator<string> {
  const spelling = spellingOf(parameter, query);
  const values = Object.values(integers).flat();
  yield* ['', ...[plain, ...values].map((value) => `${parameter}=${value}`)];
  if (spelling.form === 'integer') {
    for (let distance = spelling.value; distance !== 0n; distance /= 2n)
      yield `${parameter}=${spelling.value - distance}`;
  }
  for (const text of simplerStrings(query.slice(parameter.length + 1))) yield `${parameter}=${text}`;
}

/** Integers before anything else, small ones first, negative ones behind positive ones. */
function parameterRank(parameter: string, query: string): readonly number[] {
  const spelling = spellingOf(parameter, query);
  if (spelling.form === 'omitted') return [0];
  if (spelling.form !== 'integer') return [2, ...rankOfJson(query)];
  const { value } = spelling;
  return [1, Number(value < 0n ? -value : value), value < 0n ? 1 : 0];
}

/** Signs by the names of their characters, so that a label has none. */
function slugOf(text: string): string {
  const signs = text.replaceAll(/[^\w-]/g, (sign) => `_${sign.charCodeAt(0).toString(16)}_`);
  return signs === '' ? 'nothing' : signs;
}

/** `after` of the mentions. */
export const afterSpace = parameterSpace(after);
/** `limit` of the mentions. */
export const limitSpace = parameterSpace(limit);
/** `after` of a channel read. */
export const channelAfterSpace = parameterSpace(channelAfterParameter);
/** `limit` of a channel read. */
export const channelLimitSpace = parameterSpace(channelLimit);
/** `wait` of a channel read. */
export const waitSpace = parameterSpace(wait);
