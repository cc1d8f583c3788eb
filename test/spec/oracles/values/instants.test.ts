import { describe, expect, it } from 'vitest';
import { isSameInstant } from '../../../../spec/oracles/values/instants.ts';

describe('two times', () => {
  it.each([
    ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00', 'zones'],
    ['2024-01-01T00:00:00Z', '2024-01-01t00:00:00.000z', 'letters'],
    ['2024-01-01T00:00:00Z', '2024-01-01 00:00:00+00:00', 'a space'],
    ['2024-01-01T00:00:00.123Z', '2024-01-01T00:00:00.123456Z', 'a cut fraction'],
    ['2024-01-01T00:00:00.124Z', '2024-01-01T00:00:00.1236Z', 'a rounded fraction'],
    ['2024-01-01T00:00:01Z', '2024-01-01T00:00:00.999999999Z', 'a whole second, rounded'],
    [
      '2023-12-31T23:59:59.346000Z',
      '2023-12-31T23:59:59.3459996Z',
      'microseconds that carry into the next ms',
    ],
    ['20240101T000000,840Z', '2024-01-01T00:00:00Z', 'a basic form, and a cut fraction'],
    ['20240101T010000+0100', '20240101T000000.000Z', 'basic zones'],
    ['2024-01-01T00:00:00.1234567891Z', '2024-01-01T00:00:00.1234567890Z', 'more than nine digits'],
    ['2024-01-01T00:15Z', '2024-01-01T00:15:42.123Z', 'whole minutes'],
    ['20240101T0115+01', '2024-01-01T00:15:42Z', 'whole minutes in the basic form'],
    ['2024-01-01T00Z', '2024-01-01T00:59:59Z', 'whole hours'],
    ['2024-01-01T00:15.5Z', '2024-01-01T00:15:30Z', 'a fraction of a minute'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60.000Z', 'a leap second'],
    ['2024-01-01T24:00:00Z', '2024-01-02T00:00:00Z', 'the end of a day'],
    ['2024-01-01T00:15:42', '2024-01-01T00:15:42.123', 'in no zone'],
  ])('are one instant: %s and %s (%#)', (one, other) => {
    expect(isSameInstant(one, other)).toBe(true);
    expect(isSameInstant(other, one)).toBe(true);
  });

  it.each([
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:01Z'],
    ['2024-01-01T00:00:00.123Z', '2024-01-01T00:00:00.124Z'],
    ['2024-01-01T00:00:00.123Z', '2024-01-01T00:00:00.124000001Z'],
    ['2024-01-01T00:00:00.000000001Z', '2024-01-01T00:00:00.000000002Z'],
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00+01:00'],
    ['20240101T000000Z', '20240101T000001Z'],
    ['20240101T000000Z', '20240101T000000+0100'],
    ['2024-01-01T00:15Z', '2024-01-01T00:16:42Z'],
    ['2024-01-01T00:15.5Z', '2024-01-01T00:15:37Z'],
    ['2024-01-01T00:15', '2024-01-01T00:17'],
    ['20240101Z', '2024-01-01T00:00:00Z'],
    ['2024-01-01T00:00:00Z', 'yesterday'],
  ])('are two instants: %s and %s', (one, other) => {
    expect(isSameInstant(one, other)).toBe(false);
    expect(isSameInstant(other, one)).toBe(false);
  });

  it.each([
    ['2024-01-01T00:00:00', '2024-01-01T00:00:00Z', 'one is in no zone'],
    ['2024-001T00:00:00Z', '2024-01-01T00:00:00Z', 'one counts the days of the year'],
    ['2024-W01-1T00:00:00Z', '2024-01-01T00:00:00Z', 'one counts weeks'],
  ])('are not compared: %s and %s, where %s', (one, other) => {
    expect(isSameInstant(one, other)).toBeUndefined();
    expect(isSameInstant(other, one)).toBeUndefined();
  });
});
