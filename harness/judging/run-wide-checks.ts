import { wireChecks } from '../wire/wire-checks.ts';
import { byArea, type RunWideCheck } from '../verdict/run-wide-check.ts';
import { judgedClauses } from '../../history/judges/index.ts';
import { trafficClauses } from '../../history/clients/catalogue.ts';
import type { ClientClauseId } from '../../spec/index.ts';

/** What judges of the whole history speak of, one check per area of the contract. */
export const historyChecks: readonly RunWideCheck[] = byArea('history', judgedClauses).map(
  ({ id, area, about, clauses }) => ({
    id,
    area,
    title: `all that was sent and read, taken together, keeps what the contract says of ${about}`,
    clauses,
  }),
);

/** What judges of live traffic speak of on the side of clients. */
export const clientChecks: readonly RunWideCheck<ClientClauseId>[] = byArea('client', trafficClauses).map(
  ({ id, area, about, clauses }) => ({
    id,
    area,
    title: `what clients asked, taken together, keeps what the contract says of their ${about}`,
    clauses,
  }),
);

/** The checks that have no body of their own: any run includes them, and they end last. */
export const runWideChecks: readonly RunWideCheck[] = Object.freeze([...wireChecks, ...historyChecks]);

/** Their areas. */
export const runWideAreas: ReadonlySet<string> = new Set(runWideChecks.map(({ area }) => area));
