/** Whether a day exists in the proleptic Gregorian calendar; months and days count from 1, year 0 is a leap year. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * An RFC 3339 timestamp in every form that it allows: `t` and `z` in lower case, a space between date and time,
 * a fraction of any length, offset `-00:00`, and second 60 where it is the last of a UTC day.
 */
export function isDateTime(text: string): boolean {
  const parts = rfc3339.exec(text);
  if (parts === null) return false;
  const [, year, month, day, hour, minute, second, sign, offsetHour = '0', offsetMinute = '0'] = parts;
  return (
    isCalendarDay(Number(year), Number(month), Number(day)) &&
    Number(hour) <= 23 &&
    isOffset(offsetHour, offsetMinute) &&
    isMinuteAndSecond(
      Number(hour),
      Number(minute),
      Number(second),
      offsetInMinutes(sign, offsetHour, offsetMinute),
    )
  );
}

const year = String.raw`(?<year>\d{4}|[+-]\d{6})`;
const extendedDate = String.raw`${year}-(?:(?<month>\d{2})-(?<day>\d{2})|W(?<week>\d{2})-(?<weekday>\d)|(?<ordinal>\d{3}))`;
const basicDate = String.raw`${year}(?:(?<month>\d{2})(?<day>\d{2})|W(?<week>\d{2})(?<weekday>\d)|(?<ordinal>\d{3}))`;
const fraction = String.raw`(?:[.,](?<fraction>\d+))?`;
const extendedTime = String.raw`(?<hour>\d{2})(?::(?<minute>\d{2})(?::(?<second>\d{2}))?)?${fraction}`;
const basicTime = String.raw`(?<hour>\d{2})(?:(?<minute>\d{2})(?<second>\d{2})?)?${fraction}`;
// The standard ties the colon of an offset to that of the time, but `…T12:30:00+0000` is everywhere: both pass.
const offset = String.raw`(?:(?<zulu>Z)|(?<sign>[+-])(?<offsetHour>\d{2})(?::?(?<offsetMinute>\d{2}))?)?`;
const isoForms = [
  new RegExp(`^${extendedDate}T${extendedTime}${offset}$`),
  new RegExp(`^${basicDate}T${basicTime}${offset}$`),
];

/**
 * An ISO 8601 date with a time of day: calendar, ordinal or week date, basic or extended, down to hours, minutes or
 * seconds, a dot or comma fraction of the last of them, any offset or none, six-digit signed years, 24:00 as the end
 * of a day. Every {@link isDateTime} text counts too, also where RFC 3339 goes beyond ISO 8601.
 */
export function isIso8601DateTime(text: string): boolean {
  if (isDateTime(text)) return true;
  return isoForms.some((form) => {
    const groups = form.exec(text)?.groups;
    return groups !== undefined && isIsoDate(groups) && isIsoTime(groups);
  });
}

type Groups = Readonly<Record<string, string | undefined>>;

function isIsoDate(groups: Groups): boolean {
  const inYear = Number(groups['year']);
  if (groups['week'] !== undefined)
    return isWeekDay(inYear, Number(groups['week']), Number(groups['weekday']));
  if (groups['ordinal'] !== undefined) {
    const ordinal = Number(groups['ordinal']);
    return ordinal >= 1 && ordinal <= daysInYear(inYear);
  }
  return isCalendarDay(inYear, Number(groups['month']), Number(groups['day']));
}

function isIsoTime(groups: Groups): boolean {
  const { hour, minute = '0', second = '0', sign, offsetHour = '0', offsetMinute = '0' } = groups;
  if (!isOffset(offsetHour, offsetMinute)) return false;
  if (Number(hour) === 24)
    return [minute, second, groups['fraction'] ?? '0'].every((part) => Number(part) === 0);
  // Without an offset nobody can tell which minute ends a UTC day.
  const isLocal = sign === undefined && groups['zulu'] === undefined;
  const fromUtc = isLocal ? undefined : offsetInMinutes(sign, offsetHour, offsetMinute);
  return Number(hour) <= 23 && isMinuteAndSecond(Number(hour), Number(minute), Number(second), fromUtc);
}

function isOffset(hour: string, minute: string): boolean {
  return Number(hour) <= 23 && Number(minute) <= 59;
}

function offsetInMinutes(sign: string | undefined, hour: string, minute: string): number {
  return (sign === '-' ? -1 : 1) * (Number(hour) * 60 + Number(minute));
}

/** Second 60 only as the leap second at the end of a UTC day; `fromUtc` in minutes, undefined when unknown. */
function isMinuteAndSecond(
  hour: number,
  minute: number,
  second: number,
  fromUtc: number | undefined,
): boolean {
  if (minute > 59) return false;
  if (second <= 59) return true;
  if (second > 60) return false;
  if (fromUtc === undefined) return true;
  const minuteOfUtcDay = (hour * 60 + minute - fromUtc + 2 * 1440) % 1440;
  return minuteOfUtcDay === 1439;
}

function daysInMonth(inYear: number, month: number): number {
  if (month === 2) return isLeapYear(inYear) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function daysInYear(inYear: number): number {
  return isLeapYear(inYear) ? 366 : 365;
}

function isLeapYear(inYear: number): boolean {
  return (inYear % 4 === 0 && inYear % 100 !== 0) || inYear % 400 === 0;
}

function isWeekDay(inYear: number, week: number, weekday: number): boolean {
  return week >= 1 && week <= weeksInYear(inYear) && weekday >= 1 && weekday <= 7;
}

/** 53 in the years whose first of January is a Thursday, or a Wednesday of a leap year; otherwise 52. */
function weeksInYear(inYear: number): number {
  // The calendar repeats every 400 years, which keeps years below 100 away from the two-digit reading of `Date.UTC`.
  const firstOfJanuary = new Date(Date.UTC((((inYear % 400) + 400) % 400) + 2000, 0, 1)).getUTCDay();
  return firstOfJanuary === 4 || (firstOfJanuary === 3 && isLeapYear(inYear)) ? 53 : 52;
}
