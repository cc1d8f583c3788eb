import { contentMutants } from './content-mutants.ts';
import { feedMutants } from './feed-mutants.ts';
import { keepingMutants } from './keeping-mutants.ts';
import type { HistoryMutant } from './mutant.ts';
import { orderMutants } from './order-mutants.ts';
import { pageMutants } from './page-mutants.ts';
import { receiptMutants } from './receipt-mutants.ts';
import { sendMutants } from './send-mutants.ts';

export type { HistoryMutant } from './mutant.ts';

/** Everything that can be wrong with the simulated service. */
export const historyMutants: readonly HistoryMutant[] = [
  ...pageMutants,
  ...orderMutants,
  ...keepingMutants,
  ...contentMutants,
  ...feedMutants,
  ...sendMutants,
  ...receiptMutants,
];
