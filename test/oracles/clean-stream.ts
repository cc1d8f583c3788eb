import fc from 'fast-check';
import type { TimedPage } from '../../oracles/pages/read-page.ts';
import { item, pageOf } from './page-of.ts';

/** σ of every planted history, in ms. */
export const settleMs = 400;

/** Sequences of a stream with gaps, that may begin anywhere up to 2^60. */
export const gappySequences = fc
  .record({
    first: fc.oneof(fc.bigInt(1n, 5n), fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n), fc.bigInt(1n, 2n ** 60n)),
    gaps: fc.array(fc.bigInt(1n, 9n), { minLength: 2, maxLength: 25 }),
  })
  .map(({ first, gaps }) =>
    gaps.reduce((sequences, gap) => [...sequences, (sequences.at(-1) ?? 0n) + gap], [first]),
  );

/** How a conforming server may cut a walk: page sizes, empty pages with a cursor that moves, a speculative has_more. */
export const cuts = fc.record({
  sizes: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 6 }),
  isSpeculative: fc.boolean(),
});

interface Cut {
  readonly sizes: readonly number[];
  readonly isSpeculative: boolean;
}

/** A walk from 0 over what a stream holds, `startMs` on, one page every two ms. */
export function walkOf(
  sequences: readonly bigint[],
  { sizes, isSpeculative }: Cut,
  startMs: number,
): TimedPage[] {
  const pages: TimedPage[] = [];
  let after = 0n;
  let rest = [...sequences];
  for (
    let turn = 0;
    rest.length > 0 || (isSpeculative && turn === pages.length && pages.at(-1)?.hasMore !== false);
    turn += 1
  ) {
    const startedMs = startMs + 2 * turn;
    const size = sizes[turn % sizes.length] ?? 1;
    const [next] = rest;
    // A bounded scan may end in the gap before the next item.
    const isScan = size === 0 && next !== undefined && next > after + 1n;
    const items = rest.slice(0, isScan ? 0 : Math.max(1, size));
    rest = rest.slice(items.length);
    const cursor = isScan ? next - 1n : (items.at(-1) ?? after);
    const more = rest.length > 0 || (isSpeculative && items.length > 0);
    pages.push(
      pageOf({
        after,
        limit: 7,
        items: items.map((each) => item(each)),
        next: cursor,
        more,
        watermark: sequences.at(-1) ?? 0n,
        at: [startedMs, startedMs + 1],
      }),
    );
    after = cursor;
  }
  return pages;
}

/** A strictly increasing map of sequences, gaps widened by a factor and shifted; 0 stays 0, the cursor from the start. */
export const renumberings = fc
  .record({ factor: fc.bigInt(1n, 2n ** 20n), shift: fc.bigInt(0n, 2n ** 60n) })
  .map(
    ({ factor, shift }) =>
      (sequence: bigint): bigint =>
        sequence === 0n ? 0n : sequence * factor + shift,
  );

/** The same pages under other numbers. */
export function renumbered(pages: readonly TimedPage[], map: (sequence: bigint) => bigint): TimedPage[] {
  const optional = (value: bigint | undefined): bigint | undefined =>
    value === undefined ? undefined : map(value);
  return pages.map((page) => ({
    ...page,
    after: optional(page.after),
    nextAfter: optional(page.nextAfter),
    highWatermark: optional(page.highWatermark),
    items: page.items.map(({ sequence, id }) => ({ sequence: optional(sequence), id })),
  }));
}
