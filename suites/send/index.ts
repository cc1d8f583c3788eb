import { checksOf } from '../arrange/checks-of.ts';
import { acceptanceChecks } from './acceptances.ts';
import { besideChecks } from './beside.ts';
import { contentSizeChecks } from './content-size.ts';
import { keyChecks } from './keys.ts';
import { openFormChecks } from './open-forms.ts';
import { overLimitChecks } from './over-limits.ts';
import { refusalChecks } from './refusals.ts';
import { reusedKeyChecks } from './reused-keys.ts';

/** Everything about the call that sends a message. */
export const sendChecks = checksOf('send', {
  acceptances: acceptanceChecks,
  'content-size': contentSizeChecks,
  refusals: refusalChecks,
  beside: besideChecks,
  keys: keyChecks,
  'reused-keys': reusedKeyChecks,
  'open-forms': openFormChecks,
  'over-limits': overLimitChecks,
});
