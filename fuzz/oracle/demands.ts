import type { CallName } from '../../calls/index.ts';
import type { ClauseId } from '../../spec/index.ts';

/** What a server asks of baseline requests though the contract does not: the oracle blames it and nothing else. */
export interface Demands {
  /** Parameters without which no listing of mentions is answered. */
  readonly mentions: Set<'after' | 'limit'>;
  /** By call, the clause that its baseline request shows to be broken. */
  readonly refused: Map<CallName, ClauseId>;
}
