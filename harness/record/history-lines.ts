import { HistoryLines } from '../../history/ndjson.ts';
import type { HistoryFacts, Operation } from '../../history/operation.ts';
import { withoutSecrets } from '../client/evidence.ts';

/**
 * Hands each operation on as lines for a file, after the line of the facts; secrets are removed, those too that are learned on the way.
 * `undefined` where nobody wants them.
 */
export function writtenTo(
  write: ((lines: string) => void) | undefined,
  facts: HistoryFacts,
  rules: { readonly secrets: readonly string[] },
): ((operation: Operation) => void) | undefined {
  if (write === undefined) return undefined;
  const lines = new HistoryLines();
  write(lines.header(facts));
  return (operation) => write(withoutSecrets(lines.operation(operation), rules.secrets));
}
