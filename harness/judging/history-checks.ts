import { judges } from '../../history/judges/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import { byArea } from '../verdict/run-wide-check.ts';
import type { RunWideCheck } from '../verdict/run-wide-check.ts';

/** What judges of the whole history speak of, one check per area of the contract. */
export const historyChecks: readonly RunWideCheck[] = byArea('history', clausesOfJudges()).map(
  ({ id, area, about, clauses }) => ({
    id,
    area,
    title: `all that was sent and read, taken together, keeps what the contract says of ${about}`,
    clauses,
  }),
);

function clausesOfJudges(): ReadonlySet<ClauseId> {
  return new Set(judges.flatMap(({ clauses }) => clauses));
}
