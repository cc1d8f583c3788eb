import { clauseOf } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import { isEnabled, needNames, whatEnables } from '../config/capabilities.ts';
import type { Target } from '../config/target.ts';
import type { ClauseVerdict } from '../results/events.ts';

/** What would make a clause testable at a target; nothing where the target has all that its clause needs. */
export function enabling(clause: ClauseId, target: Target): Pick<ClauseVerdict, 'enable'> {
  const { needs } = clauseOf(clause);
  const lacking = needNames.find((name) => needs.includes(name) && !isEnabled(target, name));
  return lacking === undefined ? {} : { enable: whatEnables(lacking) };
}
