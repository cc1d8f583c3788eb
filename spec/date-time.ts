import { isBaseDate, isBaseTime } from './base-formats.ts';

const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:\d{2})(?:\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * An RFC 3339 timestamp in every form that it allows: `t` and `z` in lower case, a space between date and time,
 * a fraction of any length, offset `-00:00`, and second 60 where it is the last of a UTC day.
 */
export function isDateTime(text: string): boolean {
  const [, date = '', time = '', offset = ''] = rfc3339.exec(text) ?? [];
  return isBaseDate(date) && isBaseTime(time + offset);
}

const year = String.raw`(?<year>\d{4}|[+-]\d{6})`;
const extendedDate = String.raw`${year}-(?:(?<month>\d{2})-(?<day>\d{2})|W(?<week>\d{2})-(?<weekday>\d)|(?<ordinal>\d{3}))`;
const basicDate = String.raw`${year}(?:(?<month>\d{2})(?<day>\d{2})|W(?<week>\d{2})(?<weekday>\d)|(?<ordinal>\d{3}))`;
const hour = String.raw`(?<hour>[01]\d|2[0-4])`;
const minute = String.raw`(?<minute>[0-5]\d)`;
const fraction = String.raw`(?:[.,](?<fraction>\d+))?`;
const extendedTime = String.raw`${hour}(?::${minute}(?::(?<second>\d{2}))?)?${fraction}`;
const basicTime = String.raw`${hour}(?:${minute}(?<second>\d{2})?)?${fraction}`;
// The standard ties the colon of an offset to that of the time, but `…T12:30:00+0000` is everywhere: both pass.
const offset = String.raw`(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?`;
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
  const inYear = yearOfSameCalendar(Number(groups['year']));
  if (groups['week'] !== undefined)
    return isWeekDay(inYear, Number(groups['week']), Number(groups['weekday']));
  if (groups['ordinal'] !== undefined) {
    const ordinal = Number(groups['ordinal']);
    return ordinal >= 1 && ordinal <= (isLeapYear(inYear) ? 366 : 365);
  }
  return isBaseDate(`${inYear}-${groups['month']}-${groups['day']}`);
}

function isIsoTime(groups: Groups): boolean {
  const { hour: inDay = '', minute: inHour = '00', second = '00', offset: fromUtc } = groups;
  if (inDay === '24') {
    const isEndOfDay = [inHour, second, groups['fraction'] ?? '0'].every((part) => Number(part) === 0);
    return isEndOfDay && isBaseTime(`00:00:00${fromUtc ?? 'Z'}`);
  }
  // Without an offset nobody can tell which minute ends a UTC day.
  const isLeapSecondSomewhere = fromUtc === undefined && second === '60';
  return isBaseTime(`${inDay}:${inHour}:${isLeapSecondSomewhere ? '59' : second}${fromUtc ?? 'Z'}`);
}

/** The calendar repeats every 400 years: one of these has four digits, and `Date.UTC` does not read it as one of two. */
function yearOfSameCalendar(inYear: number): number {
  return (((inYear % 400) + 400) % 400) + 2000;
}

function isLeapYear(inYear: number): boolean {
  return isBaseDate(`${inYear}-02-29`);
}

function isWeekDay(inYear: number, week: number, weekday: number): boolean {
  return week >= 1 && week <= weeksInYear(inYear) && weekday >= 1 && weekday <= 7;
}

/** 53 in the years whose first of January is a Thursday, or a Wednesday of a leap year; otherwise 52. */
function weeksInYear(inYear: number): number {
  const firstOfJanuary = new Date(Date.UTC(inYear, 0, 1)).getUTCDay();
  return firstOfJanuary === 4 || (firstOfJanuary === 3 && isLeapYear(inYear)) ? 53 : 52;
}
