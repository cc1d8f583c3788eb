import { checksOf } from '../arrange/checks-of.ts';
import { limitChecks } from './limits.ts';
import { refusalChecks } from './refusals.ts';

/** With which status what is refused. */
export const errorsChecks = checksOf('errors', {
  refusals: refusalChecks,
  limits: limitChecks,
});
