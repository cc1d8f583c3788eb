import { createHash } from 'node:crypto';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';

/** What a platform knows a finding by from run to run: the check and what it saw broken, whatever the server answered. */
export function fingerprintOf(finding: FindingEvent): string {
  return digestOf([finding.check, ...brokenClauses(finding).map(({ clause }) => clause)]);
}

/** A short digest of some words. */
export function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
