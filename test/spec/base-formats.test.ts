import { formatNames } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseFormat, isBaseTime } from '../../spec/base-formats.ts';
import { isDateTime } from '../../spec/date-time.ts';
import { isEmail, isUuid, mendedFormats, ownFormats } from '../../spec/formats.ts';
import { schemaNames, schemaOf, walkSchema } from '../../spec/schemas.ts';

type Name = keyof typeof mendedFormats;

const uuid = '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';

/** Texts on which ajv-formats errs, by why. */
const errors: Readonly<Record<Name, Readonly<Record<string, readonly string[]>>>> = {
  uuid: { 'a URN is no UUID of the contract': [`urn:uuid:${uuid}`, `URN:UUID:${uuid}`] },
  email: {
    'a host may have no dot': ['owner@localhost'],
    'a host may have an underscore': ['reader@my_host.test'],
    'a local part may be quoted': ['"reader one"@mail.test'],
    'an address may stand for a host': ['reader@[127.0.0.1]'],
    'names are not all English': ['lésér@mail.test', '読者@例え.テスト'],
  },
  'date-time': {
    'between date and time there is a T or one space': [
      '2024-05-06\n07:08:09Z',
      '2024-05-06\t07:08:09Z',
      '2024-05-06\u00a007:08:09Z',
    ],
    'an offset of RFC 3339 has a colon and minutes': ['2024-05-06T07:08:09+0200', '2024-05-06T07:08:09+02'],
    'no offset makes an hour or a minute right': ['2024-05-06T24:59:30+01:00', '2024-05-06T23:99:09+00:40'],
    'a fraction may be long': ['2024-05-06T07:08:59.99999999999999999Z'],
  },
};

const entries = Object.entries(errors) as [Name, Readonly<Record<string, readonly string[]>>][];

describe.each(entries)('%s of ajv-formats errs:', (name, reasons) => {
  it.each(Object.entries(reasons))('%s', (_, texts) => {
    const base = texts.map(baseFormat(name));
    expect(texts.map(mendedFormats[name])).toEqual(base.map((each) => !each));
  });
});

it('every format of the schemas is mended, or ours by a name that ajv-formats does not have', () => {
  const used = new Set<string>();
  for (const schema of schemaNames)
    walkSchema(schemaOf(schema), schema, ({ format }) => format !== undefined && used.add(format));
  const own = Object.keys(ownFormats);
  expect([...used].toSorted()).toEqual([...Object.keys(errors), ...own].toSorted());
  expect(formatNames.filter((name) => own.includes(name))).toEqual([]);
});

/** Two digits, mostly up to `highest`. */
function digits(highest: number): fc.Arbitrary<string> {
  const numbers = fc.oneof(
    { weight: 4, arbitrary: fc.nat(highest) },
    fc.constantFrom(0, 24, 60, highest + 1, 99),
  );
  return numbers.map((number) => String(number).padStart(2, '0'));
}

const inForm = fc
  .record({
    year: fc.nat(9999).map((number) => String(number).padStart(4, '0')),
    month: digits(12),
    day: digits(31),
    hour: digits(23),
    minute: digits(59),
    second: digits(60),
    fraction: fc.constantFrom('', '.5', '.123456'),
    offset: fc.oneof(
      fc.constantFrom('Z', 'z', ''),
      fc
        .tuple(fc.constantFrom('+', '-'), digits(23), digits(59))
        .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
    ),
  })
  // Where the base errs.
  .filter(({ hour, minute }) => Number(hour) <= 23 && Number(minute) <= 59)
  .map(
    ({ year, month, day, hour, minute, second, fraction, offset }) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${offset}`,
  );

describe('elsewhere ajv-formats and ours agree:', () => {
  it('on dates with times in the form of RFC 3339', () => {
    const base = baseFormat('date-time');
    fc.assert(
      fc.property(inForm, (text) => {
        expect(isDateTime(text)).toBe(base(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('on all that has the length of a UUID', () => {
    const base = baseFormat('uuid');
    const near = fc.stringMatching(/^[0-9a-fA-Fg]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{11}.$/);
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), near), (text) => {
        expect(isUuid(text)).toBe(base(text));
      }),
    );
  });

  it('on every e-mail address that it accepts', () => {
    const base = baseFormat('email');
    const near = fc.stringMatching(/^[a-z.+_-]{1,5}@[a-z-]{1,4}\.[a-z.-]{1,5}$/);
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), near), (text) => {
        expect(isEmail(text) || !base(text)).toBe(true);
      }),
    );
  });
});

it('a leap second is where a UTC day ends, whatever the offset', () => {
  const minutes = fc.integer({ min: -1439, max: 1439 });
  fc.assert(
    fc.property(minutes, fc.nat(1439), (offset, utcMinute) => {
      const local = (((utcMinute + offset) % 1440) + 1440) % 1440;
      const written = `${clock(local)}:60${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`;
      expect(isBaseTime(written)).toBe(utcMinute === 1439);
      const last = (((1439 + offset) % 1440) + 1440) % 1440;
      expect(isBaseTime(`${clock(last)}:60${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`)).toBe(true);
    }),
  );
});

function clock(minutes: number): string {
  const parts = [Math.floor(minutes / 60), minutes % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
