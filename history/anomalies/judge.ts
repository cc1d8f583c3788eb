import type { ClauseId } from '../../spec/index.ts';
import type { Judged } from './anomaly.ts';
import type { World } from '../world/world.ts';

export type { Anomaly, Judged } from './anomaly.ts';

/** A rule, or a family of them, held against everything that is known. Pure, and about n log n in operations and items. */
export interface Judge {
  readonly name: string;
  /** The clauses that it may speak of. */
  readonly clauses: readonly ClauseId[];
  readonly judge: (world: World) => Judged;
}
