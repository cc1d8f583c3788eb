import { checksOf } from '../arrange/checks-of.ts';
import { acceptanceChecks } from './acceptances.ts';
import { contentRefusalChecks } from './content-refusals.ts';
import { contentSizeChecks } from './content-size.ts';
import { keyChecks } from './keys.ts';
import { overLimitChecks } from './over-limits.ts';
import { placementChecks } from './placement.ts';

/** Everything about the call that sends a message. */
export const sendChecks = checksOf('send', {
  acceptances: acceptanceChecks,
  'content-size': contentSizeChecks,
  'content-refusals': contentRefusalChecks,
  keys: keyChecks,
  placement: placementChecks,
  'over-limits': overLimitChecks,
});
