import { checksOf } from '../arrange/checks-of.ts';
import { listingChecks } from './listings.ts';
import { openCallChecks } from './open-calls.ts';
import { pathChecks } from './paths.ts';

/** Calls of which the contract shows little: where they are, who may ask, and that they answer. */
export const discoveryChecks = checksOf('discovery', {
  paths: pathChecks,
  'open-calls': openCallChecks,
  listings: listingChecks,
});
