/** One figure of a part of `npm run bench`. */
export interface Row {
  /** What was measured, of which part. */
  readonly what: string;
  readonly value: number;
  /** `s`, `ms`, `MB`, `×` for a multiple, `%` for a share, or nothing for a count. */
  readonly unit: 's' | 'ms' | 'MB' | '×' | '%' | '';
  /** What the value may be at most, or has to be at least. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
  /** What else is worth a look, in a few words. */
  readonly note?: string;
}

/** Something to measure. */
export interface Part {
  /** As it is asked for on the command line. */
  readonly name: string;
  /** How it is measured, in a sentence or two for the page. */
  readonly how: string;
  /** False for what takes minutes, and is measured only where it is named. */
  readonly isQuick: boolean;
  /** Given is an empty folder for its files. */
  readonly measure: (folder: string) => Promise<readonly Row[]>;
}

/** Whether a figure is as good as wanted; `undefined` where nothing is wanted of it. */
export function isKept({ value, goal }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

/** The cells of a figure: what, value, goal, verdict, note. */
export function cellsOf(row: Row): readonly string[] {
  const { what, value, unit, goal, note = '' } = row;
  const wanted =
    goal === undefined
      ? ''
      : 'atMost' in goal
        ? `at most ${figure(goal.atMost, unit)}`
        : `at least ${figure(goal.atLeast, unit)}`;
  const verdict = { true: 'kept', false: 'missed', undefined: '' }[`${isKept(row)}`] ?? '';
  return [what, figure(value, unit), wanted, verdict, note];
}

function figure(value: number, unit: Row['unit']): string {
  const digits = unit === 'ms' || unit === 'MB' || unit === '' || unit === '%' ? 0 : 2;
  const isSmall = unit === 'ms' && value < 10;
  return `${value.toFixed(isSmall ? 2 : digits)}${unit === '' ? '' : ` ${unit}`}`;
}

/** Of several measurements the one in the middle; 0 of none. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
