/** A number that a user may set: by a flag, by a field of the target file, or by both. */
export interface Quantity {
  /** What is counted; left out where the name says it. */
  readonly unit?: string;
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

/** Longest time that a timer holds, in ms: one that is set to more fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

function wholeNumber(least: number, most: number, unit?: string): Quantity {
  return { least, most, isWhole: true, ...(unit === undefined ? {} : { unit }) };
}

function any(least: number, most: number, unit?: string): Quantity {
  return { ...wholeNumber(least, most, unit), isWhole: false };
}

/**
 * Every number that can be set, with its range. Times fit into timers, with what is added to them; a rate leaves less than
 * a minute between two requests, and what goes on at once fits into the memory and the sockets of a machine.
 */
export const quantities = Object.freeze({
  settleMs: wholeNumber(0, 600_000, 'milliseconds'),
  budgetMs: wholeNumber(1, longestTimerMs, 'milliseconds'),
  hookTimeoutMs: wholeNumber(1, 600_000, 'milliseconds'),
  /** 0 turns the limit off. */
  checkTimeoutMs: wholeNumber(0, 86_400_000, 'milliseconds'),
  campaignMs: wholeNumber(1, 2_000_000_000, 'milliseconds'),
  ratePerSecond: any(0.1, 100_000, 'requests a second'),
  maxBytes: wholeNumber(0, Number.MAX_SAFE_INTEGER, 'bytes'),
  checksAtOnce: wholeNumber(1, 1_024),
  casesAtOnce: wholeNumber(1, 1_024),
  clients: wholeNumber(1, 1_024),
  cases: wholeNumber(1, 1_000_000_000),
  seed: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  restarts: wholeNumber(0, 1_000),
  times: wholeNumber(1, 10_000),
  /** Checks that fail. */
  bail: wholeNumber(1, 10_000),
  port: wholeNumber(0, 65_535),
  kept: wholeNumber(1, 1_000_000_000),
  seedMessages: wholeNumber(0, 1_000_000),
  /** Of trouble on the way. */
  percent: any(0, 100, 'percent'),
  delayMs: wholeNumber(0, 600_000, 'milliseconds'),
  retryAfterSeconds: wholeNumber(0, 86_400, 'seconds'),
  requestsPerSecond: any(0.1, 1_000_000, 'requests a second'),
} satisfies Record<string, Quantity>);

/** A range in words: `a whole number of milliseconds, 0 to 600000`. */
export function rangeOf({ unit, least, most, isWhole }: Quantity): string {
  return `a ${isWhole ? 'whole ' : ''}number${unit === undefined ? '' : ` of ${unit}`}, ${least} to ${most}`;
}

/** True of a number that is in the range. */
export function isWithin({ least, most, isWhole }: Quantity, value: number): boolean {
  return value >= least && value <= most && (!isWhole || Number.isInteger(value));
}

/**
 * The number that a text spells in plain decimals; `undefined` for all else, such as an empty text, a sign, an exponent
 * or another base, and for a number that is out of range.
 */
export function numberIn(text: string, quantity: Quantity): number | undefined {
  const value = Number(text);
  return /^[0-9]+(?:\.[0-9]+)?$/.test(text) && isWithin(quantity, value) ? value : undefined;
}
