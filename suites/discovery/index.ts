import type { Check } from '../../harness/check/check.ts';
import { listingChecks } from './listings.ts';
import { openCallChecks } from './open-calls.ts';
import { pathChecks } from './paths.ts';

/** Calls of which the contract shows little: where they are, who may ask, and that they answer. */
export const discoveryChecks: readonly Check[] = [...pathChecks, ...openCallChecks, ...listingChecks];
