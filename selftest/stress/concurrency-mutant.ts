import { type Sources, trueSources } from '../../reference/model/sources.ts';
import { type MutantOptions, optionsOf, type Overlay } from '../mutants/base/mutant.ts';

/** A server that keeps the contract towards one client at a time, and breaks it between several, or at a restart. */
export interface ConcurrencyMutant {
  readonly id: string;
  /** What it does, as a sentence about the server. */
  readonly what: string;
  /** Names of anomalies of which one has to be found. */
  readonly shows: readonly string[];
  /** Whether only a restart brings it out. */
  readonly isOfRestart: boolean;
  /** How to start the reference so that it does this; made again for each start. */
  readonly options: () => MutantOptions;
  /** The same as what lies over the contract's rules, by the time of some sources. */
  readonly overlay: (sources: Sources) => Overlay;
}

/** A row of a table of mutants, by id. */
interface Row {
  readonly what: string;
  readonly shows: readonly [string, ...string[]];
  readonly make: (sources: Sources) => Overlay;
}

/** The mutants of a table. */
export function concurrencyMutants(
  table: Readonly<Record<string, Row>>,
  { isOfRestart = false }: { readonly isOfRestart?: boolean } = {},
): readonly ConcurrencyMutant[] {
  return Object.entries(table).map(([id, { what, shows, make }]) => ({
    id,
    what,
    shows,
    isOfRestart,
    overlay: make,
    options: () => optionsOf(make(trueSources)),
  }));
}
