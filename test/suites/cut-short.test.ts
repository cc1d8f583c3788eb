import { describeCutShort } from './describe-cut-short.ts';

describeCutShort(
  'its user',
  [['a signal, which comes once it was shown', { interruptAfterHidden: 20 }, 130]],
  [['a signal', { interruptMs: 1_500 }, 130]],
);
