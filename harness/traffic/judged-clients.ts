import type { ClientAnomaly, JudgedClients as Judged } from '../../history/clients/client-judge.ts';
import { operationsAround } from '../../history/anomalies/around.ts';
import type { History } from '../../history/operation.ts';
import { credentialOf } from '../../history/world/principals.ts';
import type { ClientClauseId } from '../../spec/index.ts';
import { clientChecks } from '../judging/run-wide-checks.ts';
import { timelineOf } from '../judging/timeline.ts';
import type { CheckEvent, FindingEvent } from '../results/generated/events.ts';
import type { Sighted } from '../verdict/findings.ts';
import { runWideEvent } from '../verdict/run-wide-check.ts';

/** So many credentials are told of under one clause; of more, only the count of breaches knows. */
const mostTold = 20;

/** What histories of traffic show of those who asked: under each clause a finding for each credential. */
export class JudgedClients {
  readonly #found = new Map<ClientClauseId, Map<string, Sighted>>();
  readonly #opportunities = new Map<ClientClauseId, number>();

  /** Notes what the judges said of the clients in a history. */
  note(history: History, { opportunities, anomalies }: Judged): void {
    for (const [clause, times] of opportunities)
      this.#opportunities.set(clause, (this.#opportunities.get(clause) ?? 0) + times);
    for (const anomaly of anomalies) {
      const found = this.#found.get(anomaly.clause) ?? new Map<string, Sighted>();
      this.#found.set(anomaly.clause, found);
      const who = credentialOf(anomaly.witness[0]?.agent ?? '');
      const known = found.get(who);
      if (known !== undefined) found.set(who, { ...known, seen: { times: known.seen.times + 1 } });
      else if (found.size < mostTold) found.set(who, sightedOf(anomaly, who, history));
    }
  }

  /** Each clause that a credential was seen to break, by what showed it first. */
  get sighted(): readonly Sighted[] {
    return [...this.#found.values()].flatMap((found) => [...found.values()]);
  }

  /** The checks of clients, one for each part of what the contract asks of them. */
  checks(): readonly CheckEvent[] {
    const broken = new Set(this.#found.keys());
    const kept = new Map([...this.#opportunities].filter(([clause]) => !broken.has(clause)));
    const why = () => ({ reason: 'nothing that clients asked put it to the test' });
    return clientChecks.map((check) => runWideEvent(check, { broken, kept, why }));
  }
}

/** Whose a finding of a client is; `undefined` for one of a server. */
export function whoseIn({ check, actual }: Pick<FindingEvent, 'check' | 'actual'>): string | undefined {
  return clientChecks.some(({ id }) => id === check) ? actual.slice(0, actual.indexOf(': ')) : undefined;
}

function sightedOf(anomaly: ClientAnomaly, who: string, { operations }: History): Sighted {
  const { name, clause, expected, actual, witness, root } = anomaly;
  // Of another credential, or of a server, nothing has the same cause.
  const own = [`${who}, ${root}`];
  return {
    clause,
    part: who,
    check: clientChecks.find(({ clauses }) => clauses.includes(clause))?.id ?? 'client',
    anomaly: name,
    expected,
    actual: `${who}: ${actual}`,
    seen: { times: 1 },
    exchanges: [],
    timeline: timelineOf(witness, operationsAround(operations, witness)),
    shownBy: { own, others: own },
  };
}
