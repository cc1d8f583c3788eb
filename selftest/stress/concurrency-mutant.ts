import type { Sources } from '../../reference/model/sources.ts';
import { type Fault, named, type Startable, startable } from '../mutants/base/mutant.ts';
import { type Memory, type Overlay, overlayOf } from '../mutants/base/overlay.ts';
import { SendsInHand } from './sends-in-hand.ts';

/** A server that keeps the contract towards one client at a time, and breaks it between several, or at a restart. */
export interface ConcurrencyMutant extends Startable {
  readonly id: string;
  /** What it does, as a sentence about the server. */
  readonly what: string;
  /** Names of anomalies of which one has to be found. */
  readonly shows: readonly string[];
  /** Whether only a restart brings it out. */
  readonly isOfRestart: boolean;
}

/** A row of a table of mutants. */
interface Row {
  readonly shows: readonly [string, ...string[]];
  readonly does: Fault;
}

/** The mutants of a table by their ids, behind each of which and a colon stands what it does. */
export function concurrencyMutants(
  table: Readonly<Record<string, Row>>,
  { isOfRestart = false }: { readonly isOfRestart?: boolean } = {},
): readonly ConcurrencyMutant[] {
  return Object.entries(table).map(([name, { shows, does }]) => ({
    ...named(name),
    shows,
    isOfRestart,
    ...startable(does),
  }));
}

/** What a server does that knows which sends it has in hand. */
export function meeting(
  make: (sends: SendsInHand, given: Sources & Memory) => Parameters<typeof overlayOf>[0],
): Fault {
  return (given) => {
    const sends = new SendsInHand();
    return sends.overlay(overlayOf<object, Overlay>(make(sends, given), given));
  };
}
