import type { Check } from '../../harness/check/check.ts';
import { grantsNothingChecks } from './grants-nothing.ts';
import { invalidSessionChecks } from './invalid.ts';
import { validSessionChecks } from './valid.ts';

/** The session that an agent says it writes from. */
export const sourceSessionChecks: readonly Check[] = [
  ...validSessionChecks,
  ...invalidSessionChecks,
  ...grantsNothingChecks,
];
