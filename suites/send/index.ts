import type { Check } from '../../harness/check/check.ts';
import { acceptanceChecks } from './acceptances.ts';
import { contentRefusalChecks } from './content-refusals.ts';
import { contentSizeChecks } from './content-size.ts';
import { keyChecks } from './keys.ts';
import { overLimitChecks } from './over-limits.ts';
import { placementChecks } from './placement.ts';

/** Everything about the call that sends a message. */
export const sendingChecks: readonly Check[] = [
  ...acceptanceChecks,
  ...contentSizeChecks,
  ...contentRefusalChecks,
  ...keyChecks,
  ...placementChecks,
  ...overLimitChecks,
];
