import { isWithin, quantities } from '../../../harness/config/quantities.ts';
import { InvalidTarget } from '../../../harness/errors.ts';

/** @throws InvalidTarget on anything but a number with `ms`, `s`, `m` or `h`; a number alone is seconds */
export function readDuration(text: string): number {
  const [, number, unit = 's'] = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const durationMs = Math.round(Number(number) * ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 1000));
  if (!isWithin(quantities.campaignMs, durationMs))
    throw new InvalidTarget('--time takes a duration as 30s, 10m or 2h, from 1ms to 555h');
  return durationMs;
}
