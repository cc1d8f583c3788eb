import type { ClauseId, JudgedClauseId } from '../../spec/index.ts';
import type { World } from '../world/world.ts';
import type { Operation, Read } from '../operation.ts';
import type { AnomalyName } from './catalogue.ts';

/** A rule, or a family of them, held against everything that is known. Pure, and about n log n in operations and items. */
export interface Judge {
  /** What it may write down, by the names of the catalogue. */
  readonly anomalies: readonly AnomalyName[];
  /** The clauses that it may speak of. */
  readonly clauses: readonly ClauseId[];
  readonly judge: (world: World) => Judged;
}

/** One breach of one clause that a history shows, by a server unless the types say otherwise. */
export interface Anomaly<Name extends string = AnomalyName, Id extends JudgedClauseId = ClauseId> {
  /** What the catalogue calls it: `late-commit`, `lost-write`. */
  readonly name: Name;
  readonly clause: Id;
  /** What is seen of one that conforms, and what was seen of this one. */
  readonly expected: string;
  readonly actual: string;
  /**
   * The few operations that show it, at most six, **the request that caused it first**: the accepted send of a bad message,
   * not the read of it. Judged by themselves they show the same anomaly.
   */
  readonly witness: readonly Operation[];
  /** The read whose answer decides, where that need not be the one that ended last. */
  readonly decides?: Read | undefined;
  /** How often it was seen, where one stands for several; default once. */
  readonly times?: number;
  /** What went wrong as a whole, such as one message or one page: anomalies with one root are one finding. */
  readonly root: string;
  /** Pages and messages whose own breach would explain this one. */
  readonly dependsOn: readonly string[];
  /** Pages and messages that are broken by this, so that what depends on them follows from it. */
  readonly breaks: readonly string[];
  /** The name of the anomaly that this one follows from: then that one is the finding, and this clause goes with it. */
  readonly explainedBy?: Name;
}

/** A breach without an anomaly. */
export interface UntoldBreach<Id extends JudgedClauseId = ClauseId> {
  readonly clause: Id;
  readonly times: number;
  /** The place in the history of the last operation that shows it. */
  readonly shownAt: number;
}

/** What a judge found in a whole history. */
export interface Judged<Name extends string = AnomalyName, Id extends JudgedClauseId = ClauseId> {
  /** How often the history put each clause to the test; without an entry, never. */
  readonly opportunities: ReadonlyMap<Id, number>;
  /** Of one name under one clause the first ones only. */
  readonly anomalies: readonly Anomaly<Name, Id>[];
  /** How often each clause was broken: at one root by one name once. */
  readonly breaches: ReadonlyMap<Id, number>;
  /** Those of them that no anomaly tells of, since there are many like them. */
  readonly untold: readonly UntoldBreach<Id>[];
}
