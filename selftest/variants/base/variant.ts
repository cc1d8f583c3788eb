import type { Sources } from '../../../reference/model/sources.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import type { Reference } from '../../../reference/start.ts';
import { limitsOf, type VariantLimits } from './limits.ts';
import { named } from '../../mutants/base/mutant.ts';
import { type Doing, overlayOf, type Overlay as ServerOverlay } from '../../mutants/base/overlay.ts';

/** A server that conforms in an unusual way, laid over the reference. */
export interface Variant extends VariantLimits {
  /** Slug that says what this server does. */
  readonly id: string;
  /** What leaves it open: ids of clauses, or a statement of our own. */
  readonly words: string;
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
type Table = Readonly<Record<string, Different>>;

/** The variants of a table. */
export function leavingOpen(table: Table): readonly Variant[] {
  return Object.entries(table).map(([name, doing]) => {
    const { id, what: words } = named(name);
    return { id, words, ...limitsOf(id), options: (under) => overlayOf(doing, under) };
  });
}

/** Rows of a table that one thing leaves open. */
export function openBy(words: string, rows: Table): Table {
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [`${id}: ${words}`, row]));
}

/** Variants of one thing that a server does in one way at a time: none is combined with another. */
export function alternatives(among: Table): readonly Variant[] {
  const variants = leavingOpen(among);
  return variants.map((variant) => ({
    ...variant,
    excludes: [
      ...(variant.excludes ?? []),
      ...variants.filter(({ id }) => id !== variant.id).map(({ id }) => id),
    ],
  }));
}
