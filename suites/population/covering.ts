/** Dimensions with their values; the first value of each is the plainest. */
export type Space = Readonly<Record<string, readonly string[]>>;

/** One value of each dimension. */
export type Row<Of extends Space> = { readonly [Name in keyof Of]: Of[Name][number] };

type Partially<Of extends Space> = Partial<Row<Of>>;

interface CoveringOptions<Of extends Space> {
  /** Whether some values, of as many dimensions as are decided yet, can stand together; a row in the end. */
  readonly isAllowed?: (row: Partially<Of>) => boolean;
  /** Whether the pairs of two dimensions are wanted; default: of any two. */
  readonly isWanted?: (one: keyof Of & string, other: keyof Of & string) => boolean;
}

/**
 * Rows in which every allowed pair of values stands at least once, of the dimensions that are wanted. Greedy: each row takes the
 * first pair that is missing, then for each dimension the value that covers the most of what is missing, the plainest of
 * equals. What no row can hold is left out.
 */
export function coveringRows<Of extends Space>(space: Of, options: CoveringOptions<Of> = {}): Row<Of>[] {
  const { isAllowed = () => true, isWanted = () => true } = options;
  const names = Object.keys(space) as (keyof Of & string)[];
  const groups = pairsOf(names).filter((pair) => isWanted(...pair));
  const missing = new Map<string, Partially<Of>>();
  for (const group of groups) {
    for (const pair of combinationsOf(space, group).filter(isAllowed)) missing.set(keyOf(pair), pair);
  }
  const rows: Row<Of>[] = [];
  for (const [key, combination] of missing) {
    if (!missing.has(key)) continue;
    const row = completed(space, names, combination, isAllowed, (candidate, name) =>
      gainOf(
        candidate,
        groups.filter((group) => group.includes(name)),
        missing,
      ),
    );
    missing.delete(key);
    if (row === undefined) continue;
    rows.push(row);
    for (const group of groups) missing.delete(keyOf(pick(row, group)));
  }
  return rows;
}

/** Every pair of names. */
function pairsOf<Name>(names: readonly Name[]): [Name, Name][] {
  return names.flatMap((one, index) => names.slice(index + 1).map((other): [Name, Name] => [one, other]));
}

/** Every combination of values of a few dimensions. */
export function combinationsOf<Of extends Space>(
  space: Of,
  names: readonly (keyof Of & string)[],
): Partially<Of>[] {
  return names.reduce<Partially<Of>[]>(
    (known, name) => known.flatMap((row) => (space[name] ?? []).map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
}

/** A row that holds `given`, or `undefined` when no allowed one does. */
function completed<Of extends Space>(
  space: Of,
  names: readonly (keyof Of & string)[],
  given: Partially<Of>,
  isAllowed: (row: Partially<Of>) => boolean,
  gain: (row: Partially<Of>, name: string) => number,
): Row<Of> | undefined {
  const name = names.find((each) => given[each] === undefined);
  if (name === undefined) return given as Row<Of>;
  const candidates = (space[name] ?? [])
    .map((value) => ({ ...given, [name]: value }))
    .filter(isAllowed)
    .map((row) => ({ row, gain: gain(row, name) }))
    .toSorted((one, other) => other.gain - one.gain);
  for (const { row } of candidates) {
    const whole = completed(space, names, row, isAllowed, gain);
    if (whole !== undefined) return whole;
  }
  return undefined;
}

/** How many of the missing pairs of these dimensions a row would hold, as far as it is decided. */
function gainOf<Of extends Space>(
  row: Partially<Of>,
  groups: readonly (readonly (keyof Of & string)[])[],
  missing: ReadonlyMap<string, unknown>,
): number {
  return groups.filter(
    (group) => group.every((name) => row[name] !== undefined) && missing.has(keyOf(pick(row, group))),
  ).length;
}

function pick<Of extends Space>(row: Partially<Of>, names: readonly (keyof Of & string)[]): Partially<Of> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Partially<Of>;
}

function keyOf(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(row));
}
