import type { Place } from './sight.ts';
import { push } from '../../spec/groups.ts';
import { countWhile } from './sorted.ts';
import type { Stream } from './stream.ts';
import { anchorsOf, bytesAt, readsFrom, speaksFor, walksOf, withAnchor, type Walk } from './walks.ts';

/** A complete walk that shows a message of some kind which had been known at some time. */
export interface Proof {
  readonly walk: Walk;
  readonly anchor: Place;
}

/** What is missing: when something older was known at the latest, its length, and whom it names of those for whom there are lists. */
interface Missed {
  readonly knownMs: number;
  readonly bytes: number;
  readonly names?: readonly string[];
}

/** For each kind the complete walks that show one, by their begins, and of each and all later ones the anchors that speak for all others. */
export class Proofs {
  readonly #namesOf: (place: Place) => readonly string[] | undefined;
  readonly #walks = new Map<
    string,
    { readonly begins: readonly number[]; readonly best: readonly (readonly Proof[])[] }
  >();

  /** From walks that began after some time: earlier ones prove nothing that is asked. Whose names are not known proves nothing either. */
  constructor(
    stream: Stream,
    { fromMs, settleMs }: { readonly fromMs: number; readonly settleMs: number },
    kindOf: (place: Place) => string,
    namesOf: (place: Place) => readonly string[] | undefined = () => [],
  ) {
    this.#namesOf = namesOf;
    const speaks = ({ anchor }: Proof, { anchor: other }: Proof): boolean =>
      speaksFor.byTime(anchor, other) && areAmong(namesOf(anchor), namesOf(other));

    const proofs = new Map<string, Proof[]>();
    for (const walk of walksOf(stream)) {
      if (!walk.isComplete || walk.startedMs <= fromMs) continue;
      const { pages } = walk;
      // What stands on the last page was there when the walk ended, and may not be among those that speak for the whole of it.
      for (const some of pages.length === 1 ? [pages] : [pages, pages.slice(-1)])
        for (const anchors of anchorsOf(some, speaksFor.byTime).values())
          for (const anchor of anchors)
            if (anchor.lastMs > walk.endedMs + settleMs || readsFrom(walk, anchor).length === 1)
              push(proofs, kindOf(anchor), { walk, anchor });
    }
    for (const [kind, list] of proofs) {
      list.sort((one, other) => one.walk.startedMs - other.walk.startedMs);
      let anchors: readonly Proof[] = [];
      const best = list
        .toReversed()
        .map((proof) => (anchors = withAnchor(anchors, proof, speaks)))
        .toReversed();
      this.#walks.set(kind, { begins: list.map(({ walk }) => walk.startedMs), best });
    }
  }

  /** A walk that began after some time and shows what was known before a message, is no shorter, and names nobody whom it does not. */
  after(kind: string, beganMs: number, { knownMs, bytes, names = [] }: Missed): Proof | undefined {
    const walks = this.#walks.get(kind);
    if (walks === undefined) return undefined;
    const { begins, best } = walks;
    const proofs = best[countWhile(begins.length, (rank) => (begins[rank] ?? 0) <= beganMs)];
    return proofs?.find(
      ({ anchor }) =>
        anchor.knownMs < knownMs && bytesAt(anchor) >= bytes && areAmong(this.#namesOf(anchor), names),
    );
  }
}

/** Of names that nobody knows nothing is said. */
function areAmong(some: readonly string[] | undefined, all: readonly string[] | undefined): boolean {
  return some !== undefined && all !== undefined && some.every((each) => all.includes(each));
}
