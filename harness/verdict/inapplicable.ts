import { type ClauseId, clauseOf } from '../../spec/index.ts';
import { isEnabled, needNames, whatEnables } from '../config/capabilities.ts';
import { type OptionalPart, partsNeeded, partsOfClause } from '../config/optional-parts.ts';
import type { Target } from '../config/target.ts';
import type { CheckEvent, ClauseVerdict } from '../results/generated/events.ts';
import { verdictOfCheck } from './tally.ts';

/** What a check needs; nothing for one that only watches. */
type Needs = readonly string[];

/** Whether a check could not decide something for want of a part that not every server has. */
export function mayBeInapplicable({ clauses }: CheckEvent, needs: Needs): boolean {
  return clauses.some((each) => isOpen(each) && partsOf(each, needs).length > 0);
}

/** The event with the clauses marked that ask nothing of a server without these parts. */
export function markedInapplicable(
  event: CheckEvent,
  needs: Needs,
  absent: ReadonlyMap<OptionalPart, string>,
): CheckEvent {
  const clauses = event.clauses.map((each) => {
    const part = isOpen(each) ? partsOf(each, needs).find((name) => absent.has(name)) : undefined;
    const inapplicable = part === undefined ? undefined : absent.get(part);
    if (inapplicable === undefined) return each;
    const { reason: _reason, enable: _enable, trouble: _trouble, ...rest } = each;
    return { ...rest, inapplicable };
  });
  return { ...event, clauses, verdict: verdictOfCheck(clauses) };
}

/** Whatever kept a check from deciding it, trouble too: what a server is without, others have shown. */
function isOpen({ verdict }: ClauseVerdict): boolean {
  return verdict === 'inconclusive';
}

/** A clause that is about no such part may be asked by a check that cannot do without one. */
function partsOf({ clause }: ClauseVerdict, needs: Needs): readonly OptionalPart[] {
  const own = partsOfClause(clause);
  return own.length > 0 ? own : partsNeeded(needs);
}

/** What would make a clause testable at a target; nothing where the target has all that its clause needs. */
export function enabling(clause: ClauseId, target: Target): Pick<ClauseVerdict, 'enable'> {
  const { needs } = clauseOf(clause);
  const lacking = needNames.find((name) => needs.includes(name) && !isEnabled(target, name));
  return lacking === undefined ? {} : { enable: whatEnables(lacking) };
}
