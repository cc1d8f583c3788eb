import { checksOf } from '../arrange/checks-of.ts';
import { acceptedCredentialChecks } from './accepted-credentials.ts';
import { closedCallChecks } from './closed-calls.ts';
import { credentialFormChecks } from './credential-forms.ts';
import { endedAccessChecks } from './ended-access.ts';
import { lackingSomebodyChecks } from './lacking-somebody.ts';
import { otherCredentialChecks } from './others.ts';
import { otherWayChecks } from './other-ways.ts';
import { authRestartChecks } from './restart.ts';

/** Who gets in where, on every call of the contract. */
export const authChecks = checksOf('auth', {
  'accepted-credentials': acceptedCredentialChecks,
  'closed-calls': closedCallChecks,
  'credential-forms': credentialFormChecks,
  'ended-access': endedAccessChecks,
  'lacking-somebody': lackingSomebodyChecks,
  others: otherCredentialChecks,
  'other-ways': otherWayChecks,
  restart: authRestartChecks,
});
