import type { ClauseId } from '../../../spec/index.ts';
import type { Sources } from '../../../reference/model/sources.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import type { Reference } from '../../../reference/start.ts';
import { named } from '../../mutants/base/mutant.ts';
import { type Doing, overlayOf, type Overlay as ServerOverlay } from '../../mutants/base/overlay.ts';

/** A server that conforms in an unusual way, laid over the reference. */
export interface Variant {
  /** Slug that says what this server does. */
  readonly id: string;
  /** What leaves it open: ids of clauses, or a statement of our own. */
  readonly words: string;
  /** Ids of variants that it is not combined with: together they would break the contract, or undo each other. */
  readonly excludes?: readonly string[];
  /** Inferred clauses whose reading it does not share, so that a run may warn of them. */
  readonly mayWarn?: readonly ClauseId[];
  /** It makes a run long; no two such variants are combined. */
  readonly isSlow?: boolean;
  /** Its overlay, made again for each server, since it may remember what that server did. */
  readonly options: (under: Underlay) => Overlay;
}

/** What a variant is laid over. */
export interface Underlay {
  /** The rules beneath, to be asked for what the variant leaves as it is. */
  readonly rules: Rules;
  /** Numbers from 0 up to 1, the same ones for the same seed. */
  readonly random: () => number;
  /** The time of the server. */
  readonly sources: Sources;
}

/** The parts of a server that a variant replaces. */
export interface Overlay extends ServerOverlay {
  /** Other people at work on the server while it runs. */
  readonly company?: Company;
}

/** Goes to work on a started server; what it returns ends the work. */
export type Company = (reference: Reference) => () => Promise<void>;

/** What a variant does. */
type Different = Doing<Underlay, Overlay>;

/** Variants by their ids, behind each of which and a colon stands what leaves it open. */
type Table = Readonly<Record<string, Different | LimitedVariant>>;

type VariantLimits = Pick<Variant, 'excludes' | 'mayWarn' | 'isSlow'>;

/** The variants of a table. */
export function leavingOpen(table: Table): readonly Variant[] {
  return Object.entries(table).map(([name, row]) => {
    const { id, what: words } = named(name);
    const { limits, doing } = row instanceof LimitedVariant ? row : but({}, row);
    return { id, words, ...limits, options: (under) => overlayOf(doing, under) };
  });
}

/** Rows of a table that one thing leaves open. */
export function openBy(words: string, rows: Table): Table {
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [`${id}: ${words}`, row]));
}

/** A variant of a table that does not go with every other, may be warned of, or is slow. */
export function but(limits: VariantLimits, doing: Different): LimitedVariant {
  return new LimitedVariant(limits, doing);
}

class LimitedVariant {
  readonly limits: VariantLimits;
  readonly doing: Different;

  constructor(limits: VariantLimits, doing: Different) {
    this.limits = limits;
    this.doing = doing;
  }
}

/** Variants of one thing that a server does in one way at a time: none is combined with another. */
export function alternatives(among: Table | readonly Variant[]): readonly Variant[] {
  const variants = Array.isArray(among) ? (among as readonly Variant[]) : leavingOpen(among as Table);
  return variants.map((variant) => ({
    ...variant,
    excludes: [
      ...(variant.excludes ?? []),
      ...variants.filter(({ id }) => id !== variant.id).map(({ id }) => id),
    ],
  }));
}
