import type { Mutant } from '../base/mutant.ts';
import { feedCellMutants } from './feed-cells.ts';
import { messageCellMutants } from './message-cells.ts';
import { pageCellMutants } from './page-cells.ts';
import { sharingCellMutants } from './sharing-cells.ts';

/** Servers that break one rule of reading in one cell of the dimensions, and keep it everywhere else. */
export const cellMutants: readonly Mutant[] = Object.freeze(
  [...pageCellMutants, ...messageCellMutants, ...feedCellMutants, ...sharingCellMutants].map((each) => ({
    ...each,
    area: 'population',
  })),
);
