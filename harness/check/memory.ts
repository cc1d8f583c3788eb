import { unmet } from '../verdict/outcome.ts';
import type { Always } from './context.ts';

/**
 * Ends the check unless the server shows a message that was sent to it during this run: one that answers by rote, or
 * forgets, can refuse as a good server does and has proved nothing by it. Costs a run one message in all.
 */
export async function requireMemory({
  optional,
  identities,
}: Pick<Always, 'optional' | 'identities'>): Promise<void> {
  const author = optional('author') ?? unmet('no author to show that messages are kept');
  await identities.memory(author);
}
