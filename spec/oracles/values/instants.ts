import { isIso8601DateTime } from '../../index.ts';

/** A point in time and how precisely it is written, both in nanoseconds. */
interface Instant {
  readonly ns: bigint;
  readonly unitNs: bigint;
  /** Without one nobody knows where the clock stood. */
  readonly hasZone: boolean;
}

const nsPerMs = 1_000_000n;
const nsPerSecond = 1_000n * nsPerMs;
const msPerMinute = 60_000;
/** A calendar date with a time of day down to hours, minutes or seconds, in the extended form and in the basic one, which has no signs. */
const offset = String.raw`(?<zone>[Zz]|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?)?`;
const fraction = String.raw`(?:[.,](?<fraction>\d+))?`;
const forms = [
  new RegExp(String.raw`^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d)(?::(\d\d)(?::(\d\d))?)?${fraction}${offset}$`),
  new RegExp(String.raw`^(\d{4})(\d\d)(\d\d)T(\d\d)(?:(\d\d)(\d\d)?)?${fraction}${offset}$`),
];
/** Digits of a fraction beyond nanoseconds are not looked at. */
const mostDigits = 9;

/**
 * Whether two times are one instant, whatever their zone and letter case: as far as the one that is written less precisely
 * tells, be it cut or rounded. False where one of them is no time; `undefined` where both are and nobody can tell: one is in no zone, or
 * counts weeks or days of the year.
 */
export function isSameInstant(one: string, other: string): boolean | undefined {
  if (!isIso8601DateTime(one) || !isIso8601DateTime(other)) return false;
  const [first, second] = [instantOf(one), instantOf(other)];
  if (first === undefined || second === undefined || first.hasZone !== second.hasZone) return undefined;
  const apartNs = first.ns - second.ns;
  return [first.unitNs, second.unitNs].some((unitNs) => apartNs < unitNs && -apartNs < unitNs);
}

function instantOf(text: string): Instant | undefined {
  const match = forms.map((form) => form.exec(text)).find((each) => each !== null);
  if (match === undefined || match === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits: string | undefined) => Number(digits ?? 0));
  // The last part that is written is what a fraction is of.
  const wholeNs = nsPerSecond * (match[6] !== undefined ? 1n : match[5] !== undefined ? 60n : 3_600n);
  const { fraction: digits = '', zone, ...offsetParts } = match.groups ?? {};
  const shown = digits.slice(0, mostDigits);
  const unitNs = wholeNs / 10n ** BigInt(shown.length);
  const wallMs = Date.UTC(year, month - 1, day, hour, minute, second);
  return {
    ns: BigInt(wallMs - offsetMs(offsetParts)) * nsPerMs + BigInt(shown === '' ? 0 : shown) * unitNs,
    unitNs,
    hasZone: zone !== undefined,
  };
}

function offsetMs({
  sign,
  zoneHours = '0',
  zoneMinutes = '0',
}: Readonly<Record<string, string | undefined>>): number {
  const minutes = 60 * Number(zoneHours) + Number(zoneMinutes);
  return (sign === '-' ? -minutes : minutes) * msPerMinute;
}
