import type { Always } from '../../../harness/check/context.ts';
import type { PageItem, PageRead } from '../../../harness/stream/page.ts';
import type { ClauseId } from '../../../spec/index.ts';

/** What somebody is listed. */
interface Feed {
  readonly items: readonly PageItem[];
  readonly pages: readonly PageRead[];
}

/** Numbers are those of the workspace: no message that one feed lists has the number of another in a second feed. */
export function judgeNumbers(
  { expect }: Pick<Always, 'expect'>,
  clause: ClauseId,
  feeds: readonly Feed[],
): void {
  const known = new Map<bigint, { readonly id: string; readonly feed: Feed }>();
  let judged = 0;
  for (const feed of feeds)
    for (const { id, sequence } of feed.items) {
      if (id === undefined || sequence === undefined) continue;
      const before = known.get(sequence);
      if (before === undefined) known.set(sequence, { id, feed });
      // One feed with a number twice is a fault of its own.
      if (before === undefined || before.feed === feed) continue;
      judged += 1;
      if (before.id === id) continue;
      const problem = {
        expected: `another number than ${sequence} for message ${id}: in another feed message ${before.id} has it`,
        actual: String(sequence),
      };
      const evidence = [before.feed, feed].flatMap(({ pages }) => pages.slice(-1));
      expect.holds(clause, false, problem, ...evidence.map(({ exchange }) => exchange));
      return;
    }
  expect.judgement(clause, { judged, problems: [] });
}
