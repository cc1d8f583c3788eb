import { clauses, clientClauses, originalOf } from '../../spec/index.ts';
import type { CheckEvent } from '../results/generated/events.ts';
import { areaOf, type Check } from '../check/check.ts';
import { runWideChecks } from '../judging/run-wide-checks.ts';
import { verdictOfCheck } from '../verdict/tally.ts';
import { namesMeant } from './names-meant.ts';
import type { Selection } from './select-checks.ts';

/** What a narrowed run was asked for; whatever else runs along is shown only where it found something. */
export class AskedFor {
  /** Ids of checks, those without a body included. */
  readonly #checks: ReadonlySet<string>;
  /** Absent where checks were asked for, and whatever they decide. */
  readonly #clauses: ReadonlySet<string> | undefined;
  readonly #known: readonly Check[];

  constructor(known: readonly Check[], checks: ReadonlySet<string>, asked?: ReadonlySet<string>) {
    this.#known = known;
    this.#checks = checks;
    this.#clauses = asked;
  }

  /** How many checks will be told of, if nothing else finds anything. */
  get count(): number {
    return [...this.#known, ...runWideChecks].filter((check) => this.#askedOf(check).length > 0).length;
  }

  /** The clauses that count, with all that say the same: those asked for, where no check came to them too, and those told of. */
  clausesWith(told: readonly string[]): ReadonlySet<string> {
    const own = this.#known.flatMap((check) => this.#askedOf(check));
    return withSame([...own, ...told, ...(this.#clauses ?? [])]);
  }

  /** Whether what a check says of a clause was asked for. */
  isAsked(check: string, clause: string): boolean {
    return this.#askedOf({ id: check, clauses: [clause] }).length > 0;
  }

  /** The part of an event that was asked for, and what is broken; `undefined` where that is nothing. */
  partOf(event: CheckEvent): CheckEvent | undefined {
    const asked = new Set<string>(
      this.#askedOf({ id: event.check, clauses: event.clauses.map((each) => each.clause) }),
    );
    const shown = event.clauses.filter(
      ({ clause, verdict }) => asked.has(clause) || verdict === 'failed' || verdict === 'warned',
    );
    if (shown.length === 0) return undefined;
    return shown.length === event.clauses.length
      ? event
      : { ...event, clauses: shown, verdict: verdictOfCheck(shown) };
  }

  #askedOf({
    id,
    clauses: own,
  }: {
    readonly id: string;
    readonly clauses: readonly string[];
  }): readonly string[] {
    if (!this.#checks.has(id)) return [];
    const asked = this.#clauses;
    if (asked === undefined) return own;
    const isWatching = runWideChecks.some((check) => check.id === id);
    // What a check is about is left to it.
    const isLeft = (clause: string): boolean =>
      isWatching && this.#known.some((check) => check.clauses.some((each) => each === clause));
    return own.filter((clause) => asked.has(originalOf(clause)) && !isLeft(clause));
  }
}

/** What there is to choose from, and what was taken of it. */
interface Choice {
  readonly all: readonly Check[];
  readonly taken: readonly Check[];
}

/**
 * What a selection asks for; `undefined` where it names nothing.
 * @throws InvalidTarget when a name is unknown or a pattern matches nothing
 */
export function askedFor({ all, taken }: Choice, selection: Selection): AskedFor | undefined {
  const { checks, clauses: ofClauses, areas } = selection;
  if (checks.length + ofClauses.length + areas.length === 0) return undefined;
  const known = [...all.map((check) => ({ id: check.id, area: areaOf(check) })), ...runWideChecks];
  const ids = meant('check', checks, known, ({ id }) => id);
  const ofAreas = meant('area', areas, known, ({ area }) => area);
  const asked = known.filter(
    ({ id, area }) => (ids?.has(id) ?? true) && (ofAreas?.has(area) ?? true) && !isLeftOut(id, all, taken),
  );
  const bodies = asked.filter(({ id }) => taken.some((check) => check.id === id));
  const isPattern = [...checks, ...areas].some((name) => name.includes('*'));
  // A pattern means what only watches where it matches nothing else.
  const shown = isPattern && bodies.length > 0 ? bodies : asked;
  const wanted = meant('clause', ofClauses, clauses, ({ id }) => id);
  return new AskedFor(
    taken,
    new Set(shown.map(({ id }) => id)),
    wanted && new Set([...wanted].map((id) => originalOf(id))),
  );
}

/** The names that were meant; `undefined` for no name, which means all. */
function meant<Item>(
  kind: 'check' | 'clause' | 'area',
  given: readonly string[],
  known: readonly Item[],
  nameOf: (item: Item) => string,
): ReadonlySet<string> | undefined {
  if (given.length === 0) return undefined;
  return new Set(namesMeant(kind, given, [...new Set(known.map(nameOf))]));
}

function isLeftOut(id: string, all: readonly Check[], taken: readonly Check[]): boolean {
  return all.some((check) => check.id === id) && taken.every((check) => check.id !== id);
}

/** Clauses with all that say the same. */
export function withSame(ids: readonly string[]): ReadonlySet<string> {
  const originals = new Set(ids.map(originalOf));
  return new Set(
    [...clauses, ...clientClauses].flatMap(({ id }) => (originals.has(originalOf(id)) ? id : [])),
  );
}
