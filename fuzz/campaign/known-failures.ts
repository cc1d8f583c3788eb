import type { RootSeen } from '../../harness/gate/baseline.ts';
import { rootOf, type CaseFailure } from '../judge/failure.ts';
import type { KnownFailure } from './finding.ts';
import { repeat, type Investigated, type Trial } from './investigate.ts';
import type { Sightings } from './sightings.ts';

interface KnownFailuresParts {
  readonly trial: Trial;
  readonly sightings: Sightings;
  /** Called for each that still fails, with what shows it now. */
  readonly onShown: (failure: CaseFailure, tried: Omit<Investigated, 'isUncontrolled'>) => Promise<void>;
}

/** The failures of earlier campaigns, and what became of each. */
export class KnownFailures {
  readonly #parts: KnownFailuresParts;
  readonly #fixed: string[] = [];
  readonly #retried = new Map<string, RootSeen>();

  constructor(parts: KnownFailuresParts) {
    this.#parts = parts;
  }

  /** Names of those that no longer fail. */
  get fixed(): readonly string[] {
    return this.#fixed;
  }

  /** What became of the root of each. */
  get roots(): readonly RootSeen[] {
    return [...this.#retried.values()];
  }

  /**
   * Tries earlier failures: those that still fail are known from here on. `onTried` hears how many tries decided
   * something; what is another shard's to try is known all the same.
   */
  async retry(
    corpus: readonly KnownFailure[],
    isOwn: (index: number) => boolean,
    onTried: (tries: number) => void,
  ): Promise<void> {
    const { sightings } = this.#parts;
    for (const { failure } of corpus) {
      const root = rootOf(failure);
      sightings.expect(root);
      this.#retried.set(root, { root, clauses: [failure.clause], state: 'passed' });
    }
    for (const [index, known] of corpus.entries()) {
      // A few requests each; they share the server with nothing yet.
      const state = isOwn(index) ? await this.#retryOne(known, onTried) : 'inconclusive';
      const root = rootOf(known.failure);
      this.#retried.set(root, worse(state, this.#retried.get(root), known));
    }
    // It is new again when none of its entries shows it any more.
    for (const { root, state } of this.#retried.values()) if (state === 'passed') sightings.forget(root);
  }

  async #retryOne(known: KnownFailure, onTried: (tries: number) => void): Promise<RootSeen['state']> {
    const { request, name: label } = known;
    const { repeats, hasPassed, ...shown } = await repeat(this.#parts.trial, request, known.failure);
    const isPassing = hasPassed && shown.otherwise?.failure.isServerError === true;
    const last = shown.last ?? (isPassing ? undefined : shown.otherwise);
    onTried(repeats.of);
    if (last === undefined) {
      if (repeats.of > 0) this.#fixed.push(label);
      return repeats.of > 0 ? 'passed' : 'inconclusive';
    }
    const { actual } = last.failure;
    const { expected } = last.kind === 'shows' ? last.failure : known.failure;
    const failure = { ...known.failure, expected, actual };
    this.#parts.sightings.add(rootOf(failure), repeats.times);
    const tried = { request, label, failure, repeats, shrinkSteps: 0, exchanges: last.exchanges };
    await this.#parts.onShown(failure, tried);
    return 'fails';
  }
}

/** What several earlier requests of one root come to together. */
function worse(state: RootSeen['state'], before: RootSeen | undefined, { failure }: KnownFailure): RootSeen {
  const states = [state, before?.state];
  const together = (['fails', 'inconclusive'] as const).find((each) => states.includes(each)) ?? 'passed';
  const clauses = [...new Set([...(before?.clauses ?? []), failure.clause])];
  return { root: rootOf(failure), clauses, state: together };
}
