import { checksOf } from '../arrange/checks-of.ts';
import { limitChecks } from './limits.ts';
import { mentionsCredentialChecks } from './mentions-credentials.ts';
import { refusalChecks } from './refusals.ts';

/** With which status what is refused. */
export const errorsChecks = checksOf('errors', {
  'mentions-credentials': mentionsCredentialChecks,
  refusals: refusalChecks,
  limits: limitChecks,
});
