import { isStated } from '../../history/anomalies/roots.ts';
import type { Judged } from '../../history/judges/judge.ts';
import { exitCodes } from '../verdict/exit-code.ts';

/** What a history that was judged by itself ends with. */
export function exitCodeOfJudged({
  anomalies,
  opportunities,
}: Pick<Judged, 'anomalies' | 'opportunities'>): number {
  if (anomalies.some(isStated)) return exitCodes.broken;
  return opportunities.size === 0 ? exitCodes.inconclusive : exitCodes.conforms;
}
