import { checksOf } from '../arrange/checks-of.ts';
import { grantsNothingChecks } from './grants-nothing.ts';
import { invalidSessionChecks } from './invalid.ts';
import { validSessionChecks } from './valid.ts';

/** The session that an agent says it writes from. */
export const sourceSessionChecks = checksOf('source-session', {
  valid: validSessionChecks,
  invalid: invalidSessionChecks,
  'grants-nothing': grantsNothingChecks,
});
