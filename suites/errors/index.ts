import type { Check } from '../../harness/check/check.ts';
import { mentionsCredentialChecks } from './mentions-credentials.ts';
import { mentionsParameterChecks } from './mentions-parameters.ts';
import { refusalChecks } from './refusals.ts';

/** With which status what is refused. */
export const errorsChecks: readonly Check[] = [
  ...mentionsCredentialChecks,
  ...mentionsParameterChecks,
  ...refusalChecks,
];
