import { judgeSession } from '../../generators/index.ts';
import type { JsonValue } from '../../generators/index.ts';
import { reject, accept, open } from './expected.ts';
import type { Aspect } from './expected.ts';

/** What becomes of a source session. A test holds the judge against the schema, over drawn sessions. */
export function sourceSessionAspect(session: unknown): Aspect {
  if (session === null || session === undefined) return open;
  const { faults, isOddTime } = judgeSession(session as JsonValue);
  if (isOddTime) return open;
  const [first, ...others] = faults;
  if (first === undefined) return accept;
  return others.some(({ keyword }) => keyword !== first.keyword)
    ? reject('source-session.invalid-is-refused', 'several rules')
    : reject(first.clause, first.rule ?? first.path);
}
