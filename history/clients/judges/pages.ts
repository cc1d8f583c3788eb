import type { Read } from '../../operation.ts';
import { push } from '../../../spec/groups.ts';
import type { Sequence } from '../../sequence.ts';
import type { ClientJudge } from '../client-judge.ts';

/** A client that has read so often since, and never on from the page, will not come to it. */
const readsEnough = 8;

/** After a page that announced more the client asks for that. A page without a cursor may announce what is older, and says nothing. */
export const pages: ClientJudge = ({ callers, isWhole }, findings) => {
  // In live traffic another process may read on, elsewhere, or nobody want more than the page.
  if (!isWhole) return;
  for (const { readsOf } of callers)
    for (const [stream, reads] of readsOf) {
      const lastMs = reads.at(-readsEnough)?.startedMs ?? -Infinity;
      const cursors = new Set(reads.map(({ after }) => after));
      for (const [after, alike] of withMore(reads)) {
        const [first] = alike;
        if (first === undefined) continue;
        // An answer may have been lost on its way, and the page have grown until it was asked for again.
        const isReadOn = ({ nextAfter }: Read): boolean => cursors.has(nextAfter);
        // Mostly the next read asks for it: only for others all are looked through.
        if (alike.some(isReadOn) || alike.some((page) => reads.some((read) => goesBeyond(read, page))))
          findings.count('client.pages.reads-on');
        else if (first.endedMs <= lastMs)
          findings.add({
            name: 'more-left',
            clause: 'client.pages.reads-on',
            expected: `a read from ${first.nextAfter}, as the page from ${after} announces more`,
            actual: 'other reads alone',
            witness: [first, reads.at(-1)],
            root: `pages of ${stream}`,
          });
      }
    }
};

/** Whether a read asks for what comes after a page, or shows it, or the end, from before: as for who has only peeked. */
function goesBeyond(read: Read, page: Read): boolean {
  const { after, nextAfter = 0, hasMore, startedMs } = read;
  const end = page.nextAfter ?? 0;
  if (after === undefined || after >= end) return after === end;
  return nextAfter > end || (hasMore === false && startedMs >= page.endedMs);
}

/** Pages that announce more, by the cursor that they were read from. */
function withMore(reads: readonly Read[]): ReadonlyMap<Sequence, readonly Read[]> {
  const pagesOf = new Map<Sequence, Read[]>();
  for (const read of reads) {
    const { after, nextAfter, hasMore } = read;
    if (hasMore === true && after !== undefined && nextAfter !== undefined && nextAfter > after)
      push(pagesOf, after, read);
  }
  return pagesOf;
}
