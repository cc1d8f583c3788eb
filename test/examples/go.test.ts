import { describeExample } from './example.ts';
import { lacksGo } from './examples.ts';

describeExample('go', {
  prepare: lacksGo,
  // Receipts, which it has none of.
  mostInconclusive: 30,
});
