import type { ClauseId } from '../../spec/index.ts';
import type { Operation, Read } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import type { AnomalyName } from './catalogue.ts';
import type { Anomaly, Judged } from './anomaly.ts';

/** Longest witness. */
const mostWitnesses = 6;
/** Of one name under one clause more are not kept: they say nothing new, and a broken server may show one on every page. */
const mostOfOneName = 50;

/** An anomaly as a judge writes it down: what it depends on and breaks may be left out, and its root is then what it breaks. */
export type Finding = Pick<Anomaly, 'name' | 'clause' | 'expected' | 'actual'> &
  Partial<Pick<Anomaly, 'dependsOn' | 'breaks'>> & {
    readonly root: string;
    /** The cause first; gaps and repetitions are left out. */
    readonly witness: readonly (Operation | undefined)[];
  };

/** Collects what a judge finds: one anomaly of each name for a root, and what was put to the test. */
export class Findings {
  readonly #opportunities = new Map<ClauseId, { times: number }>();
  readonly #anomalies: Anomaly[] = [];
  readonly #known = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** A clause was put to the test, so many times. */
  count(clause: ClauseId, times = 1): void {
    if (times <= 0) return;
    const known = this.#opportunities.get(clause);
    if (known === undefined) this.#opportunities.set(clause, { times });
    else known.times += times;
  }

  /** Whether another anomaly of a name would not be kept. */
  isFull(name: AnomalyName, clause: ClauseId): boolean {
    return (this.#counts.get(`${name} ${clause}`) ?? 0) >= mostOfOneName;
  }

  /** A breach, which is an opportunity as well. */
  add({ dependsOn = [], breaks = [], witness, ...finding }: Finding): void {
    const { name, clause, root } = finding;
    this.count(clause);
    const key = `${name} ${clause} ${root}`;
    if (this.#known.has(key) || this.isFull(name, clause)) return;
    this.#known.add(key);
    this.#counts.set(`${name} ${clause}`, (this.#counts.get(`${name} ${clause}`) ?? 0) + 1);
    this.#anomalies.push({ ...finding, dependsOn, breaks, witness: witnessOf(witness) });
  }

  /** What was found. */
  get judged(): Judged {
    const opportunities = new Map([...this.#opportunities].map(([clause, { times }]) => [clause, times]));
    return { opportunities, anomalies: this.#anomalies };
  }
}

/** A page, as a root. */
export function pageRoot({ index }: Read): string {
  return `read ${index}`;
}

/** A message, as a root: by its marker where it has one, so that its send and all its copies have one root. */
export function messageRoot({ id, content }: SeenMessage): string {
  return `message ${content?.marker ?? id ?? 'without an id'}`;
}

function witnessOf(operations: readonly (Operation | undefined)[]): readonly Operation[] {
  const known = operations.filter((operation) => operation !== undefined);
  return [...new Set(known)].slice(0, mostWitnesses);
}
