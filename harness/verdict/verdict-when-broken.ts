import type { ClauseLevel } from '../../spec/index.ts';
import type { BrokenVerdict } from '../results/events.ts';

/** What a broken clause comes to by its level: a must fails, anything else warns. */
export function verdictWhenBroken(level: ClauseLevel): BrokenVerdict {
  return level === 'must' ? 'failed' : 'warned';
}
