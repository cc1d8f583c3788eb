import type { CallName } from '../../../spec/calls/index.ts';
import type { Guarded } from './reads.ts';
import { callOfFamily, familyNames } from '../family.ts';
import { goodRequests } from '../baseline-requests.ts';
import type { Drawn } from '../injection-point.ts';

/** The baseline request of a call as a case of its own; `undefined` for a call that has none. */
export function plainOf(call: CallName): Drawn | undefined {
  if (!(call in goodRequests)) return undefined;
  return {
    family: familyNames.find((each) => callOfFamily[each] === call) ?? 'authentication',
    label: `plain/${call}`,
    request: goodRequests[call as Guarded],
    shrinks: () => [],
  };
}
