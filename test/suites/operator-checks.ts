import type { Check } from '../../harness/check/check.ts';
import { allChecks } from '../../suites/index.ts';

const changes = [
  'revoke-hook',
  'expire-hook',
  'deactivate-hook',
  'rename-hook',
  'limit-hook',
  'restart-hook',
] as const;

/** True of a check in which the operator changes something while the server is in use. */
export function isOperatorCheck({ needs }: Check): boolean {
  return needs.some((need) => changes.some((change) => change === need));
}

/** Those of all areas. */
export const operatorChecks: readonly Check[] = allChecks.filter(isOperatorCheck);

/** The others of an area. */
export function withoutOperator(checks: readonly Check[]): readonly Check[] {
  return checks.filter((check) => !isOperatorCheck(check));
}
