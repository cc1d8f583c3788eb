import type { Read } from '../../operation.ts';
import type { Sequence } from '../../sequence.ts';
import type { ClientFindings } from '../client-judge.ts';

/** Pages that a caller left by a wrong cursor, each by another one: one alone may be older than what is known, or meant. */
const timesEnough = 3;

interface Continued {
  readonly stream: string;
  /** Of one caller, by when they began. */
  readonly reads: readonly Read[];
  /** By cursor, when a page of the stream first gave it. */
  readonly issued: ReadonlyMap<Sequence, number> | undefined;
}

/** A read, and the page that the same caller had just before. */
interface Step {
  readonly page: Read;
  readonly read: Read;
}

/** The numbers of a page that are no cursors of its stream. */
const mistaken = [
  {
    name: 'cursor-of-an-item',
    clause: 'client.cursor.from-next-after',
    numberOf: ({ items }: Read) => items.at(-1)?.sequence,
    what: 'the sequence of its last item',
  },
  {
    name: 'cursor-of-another-stream',
    clause: 'client.cursor.of-its-stream',
    numberOf: ({ items, stream }: Read) =>
      stream.startsWith('feed ') ? items.at(-1)?.message.sequence : undefined,
    what: "its last message's number in its channel",
  },
] as const;

/**
 * Where reads go on in live traffic. A cursor may be older than what is known, or another process may have it from elsewhere; so only
 * a caller is at fault that leaves page after page by such a number, and none by its `next_after`.
 */
export function judgeContinuations(findings: ClientFindings, { stream, reads, issued }: Continued): void {
  const steps = reads.slice(1).flatMap((read, index): Step[] => {
    const page = reads[index];
    const isNext = page !== undefined && page.nextAfter !== undefined && page.endedMs <= read.startedMs;
    return isNext && read.after !== undefined ? [{ page, read }] : [];
  });
  for (const { name, clause, numberOf, what } of mistaken) {
    // Elsewhere the right and the wrong number are the same.
    const telling = steps.filter(({ page }) => ![undefined, page.nextAfter].includes(numberOf(page)));
    const right = telling.filter(({ page, read }) => read.after === page.nextAfter);
    findings.count(clause, right.length);
    const wrong = telling.filter(
      ({ page, read }) =>
        read.after === numberOf(page) && (issued?.get(read.after as Sequence) ?? Infinity) > read.startedMs,
    );
    const apart = [...new Map(wrong.map((step) => [step.read.after, step])).values()];
    const last = apart.at(-1);
    if (last === undefined || apart.length < timesEnough || right.length > 0) continue;
    findings.add({
      name,
      clause,
      expected: `a read from ${last.page.nextAfter}, the next_after of the page before`,
      actual: `a read from ${last.read.after}, ${what}, as after ${apart.length - 1} pages before`,
      witness: apart.toReversed().flatMap(({ read, page }) => [read, page]),
      root: `cursors of ${stream}`,
    });
  }
}
