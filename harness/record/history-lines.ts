import { HistoryLines } from '../../history/ndjson.ts';
import type { HistoryFacts, Operation } from '../../history/operation.ts';
import type { Clean, KnownSecrets } from '../output/known-secrets.ts';

/**
 * Hands each operation on as lines for a file, after the line of the facts; secrets are removed, those too that are learned on the way.
 * `undefined` where nobody wants them.
 */
export function writtenTo(
  write: ((lines: Clean) => void) | undefined,
  facts: HistoryFacts,
  secrets: KnownSecrets,
): ((operation: Operation) => void) | undefined {
  if (write === undefined) return undefined;
  const lines = new HistoryLines();
  write(secrets.clean(lines.header(facts)));
  return (operation) => write(secrets.clean(lines.operation(operation)));
}
