/** A point in time and how precisely it is written, both in nanoseconds. */
interface Instant {
  readonly ns: bigint;
  readonly unitNs: bigint;
}

const nsPerMs = 1_000_000n;
/** The basic form of ISO 8601, which has no signs within a date or a time of day. */
const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/;
/** Digits of a fraction beyond nanoseconds are not looked at. */
const mostDigits = 9;

/**
 * Whether two times are one instant, whatever their zone and letter case: as far as the one that is written less precisely
 * tells, be it cut or rounded. `undefined` when one of them cannot be read as a time.
 */
export function isSameInstant(one: string, other: string): boolean | undefined {
  const [first, second] = [instantOf(one), instantOf(other)];
  if (first === undefined || second === undefined) return undefined;
  const apartNs = first.ns - second.ns;
  return [first.unitNs, second.unitNs].some((unitNs) => apartNs < unitNs && -apartNs < unitNs);
}

function instantOf(text: string): Instant | undefined {
  const time = text
    .replace(' ', 'T')
    .replace(basic, '$1-$2-$3T$4:$5:$6')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  const fraction = (/[.,](\d+)/.exec(time)?.[1] ?? '').slice(0, mostDigits);
  const wholeMs = Date.parse(time.replace(/[.,]\d+/, ''));
  if (Number.isNaN(wholeMs)) return undefined;
  return {
    ns: BigInt(wholeMs) * nsPerMs + BigInt(fraction.padEnd(mostDigits, '0')),
    unitNs: 10n ** BigInt(mostDigits - fraction.length),
  };
}
