import type { RootSeen } from '../../harness/gate/baseline.ts';
import { rootOf, type CaseFailure } from '../judge/failure.ts';
import type { KnownFailure } from './finding.ts';
import { repeat, type Investigated, type Trial } from './investigate.ts';
import type { Sightings } from './sightings.ts';
import { push } from '../../spec/groups.ts';

interface KnownFailuresParts {
  readonly corpus: readonly KnownFailure[];
  readonly trial: Trial;
  readonly sightings: Sightings;
  /** Called for each that still fails, with what shows it now. */
  readonly onShown: (failure: CaseFailure, tried: Omit<Investigated, 'isUncontrolled'>) => Promise<void>;
}

/** The failures of earlier campaigns, and what became of each. */
export class KnownFailures {
  readonly #parts: KnownFailuresParts;
  readonly #byRoot = new Map<string, KnownFailure[]>();
  readonly #states = new Map<KnownFailure, RootSeen['state']>();
  readonly #undecided: Set<KnownFailure>;

  constructor(parts: KnownFailuresParts) {
    this.#parts = parts;
    this.#undecided = new Set(parts.corpus);
    for (const known of parts.corpus) {
      push(this.#byRoot, rootOf(known.failure), known);
    }
  }

  has(root: string): boolean {
    return this.#byRoot.has(root);
  }

  /** Roots of which no request fails any more; of what still came up no request says that it is gone. */
  fixedBeside(shown: ReadonlySet<string>): readonly string[] {
    return this.roots.flatMap(({ root, state }) => (state === 'passed' && !shown.has(root) ? [root] : []));
  }

  /** Those of which no try decided anything, and why where that is known. */
  get undecided(): readonly KnownFailure[] {
    return [...this.#undecided];
  }

  /** What became of the root of each: what several requests of one come to together. */
  get roots(): readonly RootSeen[] {
    return [...this.#byRoot].map(([root, own]) => {
      const states = own.map((known) => this.#states.get(known) ?? 'inconclusive');
      const state = (['fails', 'inconclusive'] as const).find((each) => states.includes(each)) ?? 'passed';
      return { root, clauses: [...new Set(own.map(({ failure }) => failure.clause))], state };
    });
  }

  /**
   * Tries earlier failures. What does not show is looked for like anything else: any case may show it. `onTried` hears how many tries
   * decided something.
   */
  async retry(isOwn: (index: number) => boolean, onTried: (tries: number) => void): Promise<void> {
    for (const [index, known] of this.#parts.corpus.entries()) {
      // What is another shard's is that one's to tell of.
      if (!isOwn(index)) this.#undecided.delete(known);
      // A few requests each; they share the server with nothing yet.
      else if (known.whyUntried === undefined) await this.#retryOne(known, onTried);
    }
  }

  async #retryOne(known: KnownFailure, onTried: (tries: number) => void): Promise<void> {
    const { request, name: label, isSure } = known;
    const { repeats, hasPassed, ...shown } = await repeat(this.#parts.trial, request, known.failure);
    const isPassing = hasPassed && shown.otherwise?.failure.isServerError === true;
    const last = shown.last ?? (isPassing ? undefined : shown.otherwise);
    onTried(repeats.of);
    if (repeats.of > 0) this.#undecided.delete(known);
    if (last === undefined) {
      // Of what came and went nobody knows that it is gone.
      if (repeats.of > 0 && isSure) this.#states.set(known, 'passed');
      return;
    }
    this.#states.set(known, 'fails');
    const { actual } = last.failure;
    const { expected } = last.kind === 'shows' ? last.failure : known.failure;
    const failure = { ...known.failure, expected, actual };
    this.#parts.sightings.add(rootOf(failure), repeats.times);
    const tried = { request, label, failure, repeats, shrinkSteps: 0, exchanges: last.exchanges };
    await this.#parts.onShown(failure, tried);
  }
}
