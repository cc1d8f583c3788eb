import type { Place } from './sight.ts';
import { countWhile, push } from './sorted.ts';
import type { Stream } from './stream.ts';
import { anchorsOf, readsFrom, walksOf } from './walks.ts';
import type { Walk } from './walks.ts';

/** A complete walk that shows a message of some kind which had been known at some time. */
export interface Proof {
  readonly walk: Walk;
  readonly anchor: Place;
}

/** For each kind the complete walks that show one, by their begins, and the earliest known anchor of each and all later ones. */
export class Proofs {
  readonly #walks = new Map<
    string,
    { readonly begins: readonly number[]; readonly best: readonly Proof[] }
  >();

  /** From walks that began after some time: earlier ones prove nothing that is asked. */
  constructor(
    stream: Stream,
    { fromMs, settleMs }: { readonly fromMs: number; readonly settleMs: number },
    kindsOf: (kind: string, place: Place) => readonly string[],
  ) {
    const proofs = new Map<string, Proof[]>();
    for (const walk of walksOf(stream)) {
      if (!walk.isComplete || walk.startedMs <= fromMs) continue;
      for (const [kind, { earliest }] of anchorsOf(walk))
        if (earliest.lastMs > walk.endedMs + settleMs || readsFrom(walk, earliest).length === 1)
          for (const each of kindsOf(kind, earliest)) push(proofs, each, { walk, anchor: earliest });
    }
    for (const [kind, list] of proofs) {
      list.sort((one, other) => one.walk.startedMs - other.walk.startedMs);
      let earliest: Proof | undefined;
      const best = list
        .toReversed()
        .map((proof) => {
          if (earliest === undefined || proof.anchor.knownMs < earliest.anchor.knownMs) earliest = proof;
          return earliest;
        })
        .toReversed();
      this.#walks.set(kind, { begins: list.map(({ walk }) => walk.startedMs), best });
    }
  }

  /** A walk that began after one time and shows what had been known before another. */
  after(kind: string, beganMs: number, knownMs: number): Proof | undefined {
    const walks = this.#walks.get(kind);
    if (walks === undefined) return undefined;
    const { begins, best } = walks;
    const proof = best[countWhile(begins.length, (rank) => (begins[rank] ?? 0) <= beganMs)];
    return proof !== undefined && proof.anchor.knownMs < knownMs ? proof : undefined;
  }
}
