import type { Option } from 'commander';
import { isWithin, quantities } from '../../../harness/config/quantities.ts';
import { ReadOption } from '../option-kinds.ts';

/** An option that takes a number with `ms`, `s`, `m` or `h`, and gives milliseconds; a number alone is seconds. */
export function durationOption(flags: string, description: string): Option {
  return new ReadOption(flags, description, 'a duration as 30s, 10m or 2h, from 1ms to 555h', durationIn);
}

function durationIn(text: string): number | undefined {
  const [, number, unit = 's'] = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const durationMs = Math.round(Number(number) * ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 1000));
  return isWithin(quantities.campaignMs, durationMs) ? durationMs : undefined;
}
