import { checksOf } from '../arrange/checks-of.ts';
import { acceptedCredentialChecks } from './accepted-credentials.ts';
import { credentialEndChecks } from './ended-credentials.ts';
import { endedMachineChecks } from './ended-machines.ts';
import { noAccessChecks } from './no-access.ts';
import { refusedCredentialChecks } from './refused-credentials.ts';
import { wrongSurfaceChecks } from './wrong-surface.ts';

/** Who gets in where, on every call of the contract. */
export const authChecks = checksOf('auth', {
  'accepted-credentials': acceptedCredentialChecks,
  'refused-credentials': refusedCredentialChecks,
  'wrong-surface': wrongSurfaceChecks,
  'no-access': noAccessChecks,
  'ended-credentials': credentialEndChecks,
  'ended-machines': endedMachineChecks,
});
