import { inconclusive } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
import { textDifference } from '../values/text-difference.ts';

/** The text read back is the text that was sent, code unit by code unit. A text that is missing decides nothing. */
export function judgeUnaltered(sent: string, read: string | undefined): Judgement {
  if (read === undefined) return inconclusive;
  const difference = textDifference(sent, read);
  return { judged: 1, problems: difference === undefined ? [] : [difference] };
}
