import type { IncomingMessage } from 'node:http';
import type { Fate } from '../../harness/front/fate.ts';
import { type CallName, callOf, partsOfAddress } from '../../spec/calls/index.ts';
import type { PlannedTrouble } from '../scenario.ts';

/** The fates that a scenario has planned: requests are counted by their call, and what nobody planned passes. */
export function plannedFates(planned: readonly PlannedTrouble[]): (incoming: IncomingMessage) => Fate {
  const counts = new Map<CallName, number>();
  const sinceMs = new Map<PlannedTrouble, number>();
  const meets = (trouble: PlannedTrouble, number: number): boolean => {
    const { numbers = [], during } = trouble;
    if (during === undefined || number < during.from) return numbers.includes(number);
    const nowMs = performance.now();
    if (!sinceMs.has(trouble)) sinceMs.set(trouble, nowMs);
    return nowMs - (sinceMs.get(trouble) ?? 0) < during.ms;
  };
  return ({ method = '', url = '' }) => {
    const call = callOf(method, partsOfAddress(url).path);
    const number = (counts.get(call) ?? 0) + 1;
    counts.set(call, number);
    const kind = planned.find((each) => each.call === call && meets(each, number))?.kind ?? 'pass';
    return { kind, delayMs: 0, passed: 0.5 };
  };
}
