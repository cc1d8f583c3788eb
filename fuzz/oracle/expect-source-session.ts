import { judgeSession } from '../../generators/index.ts';
import type { JsonValue } from '../../generators/index.ts';
import { fault, fine, open } from './expected.ts';
import type { Aspect } from './expected.ts';

/** What becomes of a source session. A test holds the judge against the schema, over drawn sessions. */
export function sourceSessionAspect(session: unknown): Aspect {
  if (session === null || session === undefined) return open;
  const { faults, isOddTime } = judgeSession(session as JsonValue);
  if (isOddTime) return open;
  const [first, ...others] = faults;
  if (first === undefined) return fine;
  return others.some(({ keyword }) => keyword !== first.keyword)
    ? fault('source-session.invalid-is-refused', 'several rules')
    : fault(first.clause, first.rule ?? first.path);
}
