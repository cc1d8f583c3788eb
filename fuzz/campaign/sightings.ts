import type { CallName } from '../../spec/calls/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { CaseTrace } from '../cases/injection-point.ts';
import { rootOf, verdictOf, type CaseFailure } from '../judge/failure.ts';
import type { Finding } from './finding.ts';

/** What is known of a root beside its finding. */
interface Sighted {
  times: number;
  /** When it came up first, in ms since the beginning. */
  firstMs: number | undefined;
  readonly clauses: Set<ClauseId>;
  readonly calls: Set<CallName>;
  /** Roots that came up with it and are not told apart from it as long as they do. */
  readonly companions: Set<string>;
  /** Other cases that it came up with, any of which may be its cause where the first is not. */
  readonly others: Suspect[];
}

/** A case that a failure came up with. */
interface Suspect {
  readonly failure: CaseFailure;
  readonly of: CaseTrace;
}

interface SightingsParts {
  /** Time since the beginning. */
  readonly elapsedMs: () => number;
  /** Called when a clause comes up for the first time. */
  readonly onFailure: (failure: CaseFailure) => void;
  /** Whether the corpus has a root. */
  readonly isKnown: (root: string) => boolean;
}

/** So many roots are looked at that the corpus does not show. */
const mostRoots = 200;
/** Of one root so many errors that do not come again are tried again: any of them may be one that does. */
const mostPassing = 5;
/** Of what does not come again with the first case that it came up with, so many others are tried. */
const mostOthers = 6;

/** The roots that came up in a campaign, how often, and with what. */
export class Sightings {
  readonly #parts: SightingsParts;
  readonly #seen = new Map<string, Sighted>();
  readonly #clausesSeen = new Set<string>();
  /** Of the roots seen, those that the corpus showed. */
  #ofCorpus = 0;
  #isFull = false;
  /** By root, how many errors of the server were tried again in vain. */
  readonly #passing = new Map<string, number>();

  constructor(parts: SightingsParts) {
    this.#parts = parts;
  }

  /** Whether there were roots too many to look at. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * What one answer shows has one cause: the gravest failure stands for it, the others are its companions; one that the corpus has stands
   * for no other. One that comes up with a root which it did not accompany at first has a cause of its own. `undefined` for what came up
   * already.
   */
  leadOf(failures: readonly CaseFailure[]): CaseFailure | undefined {
    for (const failure of failures) this.#tell(failure);
    const known = failures.flatMap((failure) => this.#noted(failure) ?? []);
    const left = failures.filter(
      (failure) =>
        !this.#seen.has(rootOf(failure)) && !known.some(({ companions }) => companions.has(rootOf(failure))),
    );
    const unknown = left.filter((failure) => !this.#parts.isKnown(rootOf(failure)));
    const leads = unknown.length > 0 ? unknown : left;
    const lead = leads.find(({ clause }) => verdictOf(clause) === 'failed') ?? leads[0];
    if (lead === undefined) return undefined;
    if (this.#seen.size - this.#ofCorpus >= mostRoots) {
      this.#isFull = true;
      return undefined;
    }
    this.#seen.set(rootOf(lead), {
      times: 1,
      firstMs: this.#parts.elapsedMs(),
      clauses: new Set([lead.clause, ...left.map(({ clause }) => clause)]),
      calls: new Set([lead.call]),
      companions: new Set(left.map(rootOf)),
      others: [],
    });
    return lead;
  }

  #tell(failure: CaseFailure): void {
    if (this.#clausesSeen.has(failure.clause)) return;
    this.#clausesSeen.add(failure.clause);
    this.#parts.onFailure(failure);
  }

  /** One more sighting of a root that is known already. */
  #noted(failure: CaseFailure): Sighted | undefined {
    const known = this.#seen.get(rootOf(failure));
    if (known === undefined) return undefined;
    known.times += 1;
    known.calls.add(failure.call);
    known.clauses.add(failure.clause);
    return known;
  }

  /** Notes cases that a failure came up with as well; a few of each root. */
  suspect(failure: CaseFailure, cases: readonly CaseTrace[]): void {
    const others = this.#seen.get(rootOf(failure))?.others;
    others?.push(...cases.slice(0, mostOthers - others.length).map((of) => ({ failure, of })));
  }

  /** The next of the cases noted with a root, which is tried no more. */
  nextSuspect(root: string): Suspect | undefined {
    return this.#seen.get(root)?.others.shift();
  }

  /** Counts `times` more of a root that the corpus shows. */
  add(root: string, times: number): void {
    if (!this.#seen.has(root)) this.#ofCorpus += 1;
    const sighted = this.#seen.get(root) ?? noSighting();
    sighted.times += times;
    sighted.firstMs ??= this.#parts.elapsedMs();
    this.#seen.set(root, sighted);
  }

  /** The next case that shows a root is tried again as if it were the first. */
  forget(root: string): void {
    this.#seen.delete(root);
  }

  /**
   * An error that comes and goes is counted among the answers; where a clause says that there is none, the chapter as a whole tells. Any
   * other of the root may be one that comes every time.
   */
  countOnly(root: string): void {
    this.#passing.set(root, (this.#passing.get(root) ?? 0) + 1);
    this.#seen.delete(root);
  }

  /** Whether a failure is a server error of a root of which enough came and went. */
  isCountedOnly(failure: CaseFailure): boolean {
    return failure.isServerError === true && (this.#passing.get(rootOf(failure)) ?? 0) >= mostPassing;
  }

  /** What was seen of a root, the clause and the call of its failure first. */
  of(failure: CaseFailure): Pick<Finding, 'clauses' | 'companions' | 'calls' | 'sightings' | 'firstMs'> {
    const root = rootOf(failure);
    const { times, firstMs = 0, clauses, calls, companions } = this.#seen.get(root) ?? noSighting();
    return {
      clauses: [...new Set([failure.clause, ...clauses])],
      companions: [...companions].filter((each) => each !== root),
      calls: [...new Set([failure.call, ...calls])],
      sightings: times,
      firstMs,
    };
  }
}

function noSighting(): Sighted {
  return {
    times: 0,
    firstMs: undefined,
    clauses: new Set(),
    calls: new Set(),
    companions: new Set(),
    others: [],
  };
}
