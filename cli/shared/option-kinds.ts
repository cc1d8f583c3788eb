import { Option } from 'commander';
import { isWithin, numberIn, quantities, type Quantity, rangeOf } from '../../harness/config/quantities.ts';
import { InvalidTarget } from '../../harness/errors.ts';

/** An option that reads its value, and says what it takes: where it gets something else, and in the page of all commands. */
export class ReadOption extends Option {
  readonly takes: string;

  /** `read` is undefined for what is no value of the option, which then throws an InvalidTarget. */
  constructor(flags: string, description: string, takes: string, read: (text: string) => unknown) {
    super(flags, description);
    this.takes = takes;
    this.argParser((text) => {
      const value = read(text);
      if (value === undefined) throw new InvalidTarget(`${this.long ?? flags} takes ${takes}`);
      return value;
    });
  }
}

/** An option that takes a number of a range. */
export function numberOption(flags: string, description: string, quantity: Quantity): Option {
  return new ReadOption(flags, description, rangeOf(quantity), (text) => numberIn(text, quantity));
}

/** An option that takes one or more names, apart by blanks or commas, and may be given again; one without a name is refused. */
export function listOption(flags: string, description: string, whenAbsent: 'all' | 'none'): Option {
  const option = new Option(flags, description);
  return option
    .argParser((text, earlier: readonly string[]) => {
      const names = text.split(',').filter((name) => name.trim() !== '');
      if (names.length === 0)
        throw new InvalidTarget(`${option.long ?? flags} names nothing; leave it out for ${whenAbsent}`);
      return [...earlier, ...names];
    })
    .default([], whenAbsent);
}

/** An option that takes a number with `ms`, `s`, `m` or `h`, and gives milliseconds; a number alone is seconds. */
export function durationOption(flags: string, description: string): Option {
  return new ReadOption(flags, description, durations, durationIn);
}

/** What a duration is, in words. */
export const durations = 'a duration as 200ms, 30s, 10m or 2h, from 1ms to 555h';

/** The milliseconds of a duration; a number alone is seconds. `undefined` for any other text. */
export function durationIn(text: string): number | undefined {
  const [, number, unit = 's'] = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const durationMs = Math.round(Number(number) * ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 1000));
  return isWithin(quantities.campaignMs, durationMs) ? durationMs : undefined;
}
