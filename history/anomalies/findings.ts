import type { ClauseId, JudgedClauseId } from '../../spec/index.ts';
import type { Operation, Read } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import { endedBy } from '../world/page.ts';
import type { World } from '../world/world.ts';
import { clausesOf, type AnomalyName } from './catalogue.ts';
import type { Anomaly, Judge, Judged, UntoldBreach } from './judge.ts';

/** Longest witness. */
const mostWitnesses = 6;
/** Of one name under one clause more are kept only for clients that had none: they say nothing else, and a broken server may show one on every page. */
const mostOfOneName = 50;

/** An anomaly as a judge writes it down: what it depends on and breaks may be left out, and its root is then what it breaks. */
export type Finding<Name extends string = AnomalyName, Id extends JudgedClauseId = ClauseId> = Pick<
  Anomaly<Name, Id>,
  'name' | 'clause' | 'expected' | 'actual'
> &
  Partial<Pick<Anomaly, 'decides' | 'dependsOn' | 'breaks' | 'times'>> & {
    readonly root: string;
    /** The cause first; gaps and repetitions are left out. */
    readonly witness: readonly (Operation | undefined)[];
  };

/** Collects what a judge finds: one anomaly of each name for a root, and what was put to the test. */
export class Findings<Name extends string = AnomalyName, Id extends JudgedClauseId = ClauseId> {
  readonly #opportunities = new Map<Id, { times: number }>();
  readonly #anomalies: Anomaly<Name, Id>[] = [];
  readonly #known = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #breaches = new Map<Id, number>();
  readonly #untold: UntoldBreach<Id>[] = [];

  /** A clause was put to the test, so many times. */
  count(clause: Id, times = 1): void {
    if (times <= 0) return;
    const known = this.#opportunities.get(clause);
    if (known === undefined) this.#opportunities.set(clause, { times });
    else known.times += times;
  }

  /** A clause was put to the test, and kept or not: then this is what was found. */
  hold(clause: Id, isKept: boolean, breach: () => Omit<Finding<Name, Id>, 'clause'>): void {
    if (isKept) this.count(clause);
    else this.add({ ...breach(), clause });
  }

  /** A breach, which is an opportunity as well. */
  add({ dependsOn = [], breaks = [], witness, ...finding }: Finding<Name, Id>): void {
    const { name, clause, root, times = 1 } = finding;
    this.count(clause);
    const key = `${name} ${clause} ${root}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#breaches.set(clause, (this.#breaches.get(clause) ?? 0) + times);
    const shown = witnessOf(witness);
    const ofClient = this.#counted(`${name} ${clause} ${shown.at(-1)?.client ?? ''}`);
    if (this.#counted(`${name} ${clause}`) > mostOfOneName && ofClient > 1)
      this.#untold.push({ clause, times, shownAt: Math.max(...shown.map(({ index }) => index)) });
    else {
      // Where a page is what is wrong, what others show of it decides nothing.
      const page = shown.find((each): each is Read => each.kind === 'read' && pageRoot(each) === root);
      this.#anomalies.push({ decides: page, ...finding, dependsOn, breaks, witness: shown });
    }
  }

  #counted(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  /** What was found. */
  get judged(): Judged<Name, Id> {
    const opportunities = new Map([...this.#opportunities].map(([clause, { times }]) => [clause, times]));
    return { opportunities, anomalies: this.#anomalies, breaches: this.#breaches, untold: this.#untold };
  }
}

/** A judge of what may break the clauses of these anomalies: it writes down what it finds in a world. */
export function judgeOf(
  anomalies: readonly AnomalyName[],
  write: (findings: Findings, world: World) => void,
): Judge {
  return {
    anomalies,
    clauses: clausesOf(...anomalies),
    judge: (world) => {
      const findings = new Findings();
      write(findings, world);
      return findings.judged;
    },
  };
}

/** A page, as a root. */
export function pageRoot({ index }: Pick<Read, 'index'>): string {
  return `read ${index}`;
}

/** What pages of channels, or of mentions, pass over behind their last item, as a root. */
export function passedRoot({ call }: Read): string {
  return `what ${call} passes over`;
}

/** What a page denies that lies beyond its limit, or beyond a byte cap, as a root. */
export function deniedRoot(read: Read, bytesBeyond: number): readonly string[] {
  const why = endedBy(read, bytesBeyond);
  return why === undefined ? [] : [`what ${read.call} denies beyond its ${why}`];
}

/**
 * Pages as what the absence of a message of so many bytes depends on: a page that goes on behind its last item may pass over what is missed, and
 * one that denies more may deny it, as others were seen to.
 */
export function absenceRoots(pages: readonly Read[], bytes: number): readonly string[] {
  const isPassing = ({ items, nextAfter }: Read): boolean => {
    const last = items.at(-1)?.sequence;
    return last !== undefined && nextAfter !== undefined && nextAfter > last;
  };
  return [
    ...pages.map(pageRoot),
    ...pages.filter(isPassing).map(passedRoot),
    ...pages.filter(({ hasMore }) => hasMore === false).flatMap((each) => deniedRoot(each, bytes)),
  ];
}

/** A message, as a root: by its marker where it has one, so that its send and all its copies have one root. */
export function messageRoot({ id, content }: SeenMessage): string {
  return markerRoot(content?.marker ?? id ?? 'without an id');
}

/** A message, as a root, by its marker. */
export function markerRoot(marker: string): string {
  return `message ${marker}`;
}

function witnessOf(operations: readonly (Operation | undefined)[]): readonly Operation[] {
  const known = operations.filter((operation) => operation !== undefined);
  return [...new Set(known)].slice(0, mostWitnesses);
}
