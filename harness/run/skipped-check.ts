import { isEnabled, whatEnables } from '../config/capabilities.ts';
import type { Target } from '../config/target.ts';
import { type Check, labelsOf } from '../check/check.ts';
import type { CheckEvent } from '../results/generated/events.ts';
import { clauseOf } from '../../spec/index.ts';

/** Why a check cannot run, in words and with the remedy. */
interface Missing {
  readonly reason: string;
  readonly enable: string;
}

/** What keeps a check from running at a target; `undefined` when it can. */
export function missingFor(check: Check, target: Target): Missing | undefined {
  const need = check.needs.find((name) => !isEnabled(target, name));
  if (need !== undefined) return { reason: `the target has no ${need}`, enable: whatEnables(need) };
  if (!target.limits.isReadOnly || check.isReadOnly) return undefined;
  return { reason: 'the run is read-only', enable: 'run without --read-only' };
}

/** The event of a check that cannot run. */
export function skippedCheck(check: Check, { reason, enable }: Missing): CheckEvent {
  return {
    type: 'check',
    ...labelsOf(check),
    verdict: 'inconclusive',
    clauses: check.clauses.map((clause) => ({
      clause,
      level: clauseOf(clause).level,
      verdict: 'inconclusive',
      judged: 0,
      reason,
      enable,
    })),
    requests: 0,
    judged: 0,
    attempts: 0,
    durationMs: 0,
  };
}
