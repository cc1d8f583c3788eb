import { describeCutShort } from './describe-cut-short.ts';

describeCutShort(
  'what it loses',
  [['a server that goes, after it was looked for', { fate: [14_000, 'reset'] }, 1]],
  [
    ['a server that dies', { fate: [1_500, 'die'] }, 3],
    ['a server that falls silent', { fate: [1_500, 'hang'] }, 3],
    ['a server that drops every connection', { fate: [1_500, 'reset'] }, 3],
    ['another server without its data', { fate: [1_500, 'forget'] }, 3],
    ['the loss of every message', { fate: [1_500, 'lose'] }, 3],
    ['the loss of every message, after it was looked for', { fate: [14_000, 'lose'] }, 3],
  ],
);

describeCutShort(
  'its user',
  [['its budget', { budgetMs: 15_000 }, 1]],
  [['its budget', { budgetMs: 1_500 }, 3]],
);
