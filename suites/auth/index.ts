import type { Check } from '../../harness/check/check.ts';
import { acceptedCredentialChecks } from './accepted-credentials.ts';
import { noAccessChecks } from './no-access.ts';
import { refusedCredentialChecks } from './refused-credentials.ts';
import { wrongSurfaceChecks } from './wrong-surface.ts';

/** Who gets in where, on every call of the contract. */
export const authenticationChecks: readonly Check[] = [
  ...acceptedCredentialChecks,
  ...refusedCredentialChecks,
  ...wrongSurfaceChecks,
  ...noAccessChecks,
];
