import { describeCutShort } from './describe-cut-short.ts';

describeCutShort(
  'its user',
  [['its budget', { budgetMs: 5_000 }, 1]],
  [['a signal', { interruptMs: 1_500 }, 130]],
);
