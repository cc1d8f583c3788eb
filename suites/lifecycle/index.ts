import type { Check } from '../../harness/check/check.ts';
import { credentialEndChecks } from './credentials.ts';
import { limitChecks } from './limits.ts';
import { machineChecks } from './machines.ts';
import { membershipChecks } from './membership.ts';
import { renamingChecks } from './renaming.ts';
import { restartChecks } from './restart.ts';

/** What the operator changes while the server is in use. */
export const lifecycleChecks: readonly Check[] = [
  ...credentialEndChecks,
  ...membershipChecks,
  ...machineChecks,
  ...renamingChecks,
  ...limitChecks,
  ...restartChecks,
];
