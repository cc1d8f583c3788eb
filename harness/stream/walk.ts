import type { Operation, Read } from '../../history/operation.ts';
import type { Sequence } from '../../history/sequence.ts';
import type { PageItem, PageRead } from './page.ts';

/** A stream of pages read as the contract tells a client to: from a cursor on, while `has_more` is true. */
export interface Walk {
  readonly pages: readonly PageRead[];
  readonly items: readonly PageItem[];
  /** True when the last page said that nothing more is there. */
  readonly isComplete: boolean;
  /** Why it is not complete. */
  readonly problem: string | undefined;
  /** Where a next walk goes on; `undefined` when no page gave a cursor. */
  readonly nextAfter: bigint | undefined;
}

export interface WalkOptions {
  /** Pages read at most. */
  readonly maxPages?: number;
}

/** The same cursor may come back this often with nothing to show before the walk is called stalled. */
const maxStalls = 5;

/**
 * Reads pages from `start` on. An empty page that says more is there is followed, since a server may scan in bounded
 * steps; a cursor that does not move is asked again a few times.
 */
export async function walk(
  readFrom: (after: bigint | undefined) => Promise<PageRead>,
  start: bigint | undefined,
  { maxPages = 5_000 }: WalkOptions = {},
): Promise<Walk> {
  const pages: PageRead[] = [];
  let after = start;
  let stalls = 0;
  const ended = (isComplete: boolean, problem?: string): Walk => ({
    pages,
    items: pages.flatMap((page) => page.items),
    isComplete,
    problem,
    nextAfter: after,
  });
  while (pages.length < maxPages) {
    const page = await readFrom(after);
    pages.push(page);
    const status = page.exchange.response?.status;
    if (page.exchange.fault !== undefined)
      return ended(false, `${page.exchange.fault.kind}: ${page.exchange.fault.message}`);
    if (status === undefined || status < 200 || status > 299)
      return ended(false, `answered ${String(status)}`);
    if (page.nextAfter === undefined)
      return ended(page.hasMore === false, 'a page without a usable next_after');
    const hasMoved = after === undefined || page.nextAfter > after;
    after = hasMoved ? page.nextAfter : after;
    if (page.hasMore !== true) return ended(page.hasMore === false);
    stalls = hasMoved ? 0 : stalls + 1;
    if (stalls >= maxStalls)
      return ended(false, `has_more stays true while next_after stays at ${String(after)}`);
  }
  return ended(false, `more than ${maxPages} pages`);
}

/** Reads on in the same way where what counts is in the history; ends at a cursor that does not move, and after so many empty pages. */
export async function walkRecorded(
  ask: (after: Sequence) => Promise<Operation | undefined>,
  start: Sequence,
  { maxPages, maxEmpty = maxPages }: { readonly maxPages: number; readonly maxEmpty?: number },
): Promise<readonly Read[]> {
  const pages: Read[] = [];
  for (let [after, empty] = [start, 0]; pages.length < maxPages;) {
    const page = await ask(after);
    if (page?.kind !== 'read' || page.outcome !== 'accepted') break;
    pages.push(page);
    empty = page.items.length === 0 ? empty + 1 : 0;
    const next = page.nextAfter;
    if (empty > maxEmpty || page.hasMore !== true || next === undefined || next <= after) break;
    after = next;
  }
  return pages;
}
