import type { MutantOptions } from '../reference/mutants/index.ts';

/** A reference of some kind that the self-test starts: the contract's own, a mutant, later a variant. */
export interface Server {
  readonly id: string;
  readonly options: () => MutantOptions;
}

/** The reference as it is. */
export const contractServer: Server = Object.freeze({ id: 'contract', options: () => ({}) });
