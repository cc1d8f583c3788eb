import type { History } from '../../operation.ts';
import { ClientFindings, type ClientJudge, type JudgedClients } from '../client-judge.ts';
import { cursors } from './cursors.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { pages } from './pages.ts';
import { pauses } from './pauses.ts';
import { receipts } from './receipts.ts';
import { requests } from './requests.ts';
import { trafficOf } from '../traffic.ts';

export { clientCatalogue, type ClientAnomalyName } from '../catalogue.ts';
export { ClientFindings, type ClientAnomaly, type JudgedClients } from '../client-judge.ts';

const judges: readonly ClientJudge[] = [requests, cursors, pages, limits, keys, pauses, receipts];

/**
 * Holds what clients asked against what the contract asks of them. Nothing is said of what a conforming client may do, whoever else
 * uses its credential. `isWhole`: the history has everything that these clients ever asked, as where a server was started for
 * them; default false, so that cursors may be older than it, and messages shown elsewhere.
 */
export function judgeClients(
  history: History,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): JudgedClients {
  const traffic = trafficOf(history, isWhole);
  const findings = new ClientFindings();
  for (const judge of judges) judge(traffic, findings);
  return findings.judged;
}
