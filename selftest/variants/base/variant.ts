import type { ClauseId } from '../../../spec/index.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import type { Reference } from '../../../reference/start.ts';
import type { Overlay as MutantOverlay } from '../../mutants/base/mutant.ts';

/** A server that conforms in an unusual way: one use of one freedom, laid over the reference. */
export interface Variant {
  /** Slug that says what this server does. */
  readonly id: string;
  /** Number in the catalogue of freedoms, 1 to 42; undefined for one outside of it. */
  readonly freedom?: number;
  /** What leaves it open: ids of clauses, or a statement of our own. */
  readonly words: string;
  /** Ids of variants that it is not combined with: together they would break the contract, or undo each other. */
  readonly excludes?: readonly string[];
  /** Inferred clauses whose reading it does not share, so that a run may warn of them. */
  readonly mayWarn?: readonly ClauseId[];
  /** It makes a run long; no two such variants are combined. */
  readonly isSlow?: boolean;
  /** Its overlay, made anew for each server, since it may remember what that server did. */
  readonly options: (under: Underlay) => Overlay;
}

/** What a variant is laid over. */
export interface Underlay {
  /** The rules beneath, to be asked for what the variant leaves as it is. */
  readonly rules: Rules;
  /** Numbers from 0 up to 1, the same ones for the same seed. */
  readonly random: () => number;
}

/** The parts of a server that a variant replaces. */
export interface Overlay extends MutantOverlay {
  /** Other people at work on the server while it runs. */
  readonly company?: Company;
}

/** Goes to work on a started server; what it returns ends the work. */
export type Company = (reference: Reference) => () => Promise<void>;

/** Variants of one thing that a server does in one way at a time: none is combined with another. */
export function alternatives(...variants: readonly Variant[]): readonly Variant[] {
  return variants.map((variant) => ({
    ...variant,
    excludes: [
      ...(variant.excludes ?? []),
      ...variants.filter(({ id }) => id !== variant.id).map(({ id }) => id),
    ],
  }));
}
