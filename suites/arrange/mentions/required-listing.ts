import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted } from '../../../harness/client/exchange.ts';
import { unmet } from '../../../harness/verdict/outcome.ts';

/**
 * The control request of every refusal of a parameter, a valid listing: how it says where it starts. Should one way be
 * refused, other clauses say so.
 */
export async function requireListing(author: Actor): Promise<'after=0&' | ''> {
  const [fromZero, newest] = await Promise.all([
    author.mentions('after=0&limit=10'),
    author.mentions('limit=10'),
  ]);
  if (isAccepted(fromZero)) return 'after=0&';
  return isAccepted(newest) ? '' : unmet('a listing with a limit of 10 was not accepted', newest);
}
