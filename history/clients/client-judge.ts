import { Findings } from '../anomalies/findings.ts';
import type { Anomaly, Judged } from '../anomalies/judge.ts';
import type { ClientClauseId } from '../../spec/index.ts';
import type { ClientAnomalyName } from './catalogue.ts';
import type { Traffic } from './traffic.ts';

/** One breach of a clause of clients; the first of its operations is the request at fault. */
export type ClientAnomaly = Anomaly<ClientAnomalyName, ClientClauseId>;

/** What was found of the clients in a history. */
export type JudgedClients = Judged<ClientAnomalyName, ClientClauseId>;

/** Collects what the judges of clients find. */
export class ClientFindings extends Findings<ClientAnomalyName, ClientClauseId> {}

/** A rule, or a family of them, held against what clients asked. Pure, and about n log n in operations and items. */
export type ClientJudge = (traffic: Traffic, findings: ClientFindings) => void;
