import type { Read } from '../../operation.ts';
import type { Sequence } from '../../sequence.ts';
import type { ClientFindings, ClientJudge } from '../client-judge.ts';
import type { Caller, Traffic } from '../traffic.ts';
import { judgeContinuations } from './continuations.ts';

/** Where cursors come from: the `next_after` of a page of the same stream. Any other number says something only if its origin is seen. */
export const cursors: ClientJudge = (traffic, findings) => {
  const issued = issuedIn(traffic);
  for (const caller of traffic.callers)
    for (const [stream, reads] of caller.readsOf)
      if (traffic.isWhole) judgeStream(findings, { stream, reads, caller, issued });
      else judgeContinuations(findings, { stream, reads, issued: issued.get(stream) });
};

/** By stream and cursor, when a page first gave it: to anybody, since clients may share what they keep. */
type Issued = ReadonlyMap<string, ReadonlyMap<Sequence, number>>;

function issuedIn({ callers }: Traffic): Issued {
  const issued = new Map<string, Map<Sequence, number>>();
  for (const { readsOf } of callers)
    for (const [stream, reads] of readsOf) {
      const ofStream = issued.get(stream) ?? new Map<Sequence, number>();
      issued.set(stream, ofStream);
      for (const { nextAfter, endedMs } of reads)
        if (nextAfter !== undefined)
          ofStream.set(nextAfter, Math.min(endedMs, ofStream.get(nextAfter) ?? Infinity));
    }
  return issued;
}

interface Judging {
  readonly stream: string;
  readonly reads: readonly Read[];
  readonly caller: Caller;
  readonly issued: Issued;
}

/** Pages that were shown last, by the numbers on them that are no cursors: of items, and of messages in their channels. */
interface Shown {
  readonly byItem: Map<Sequence, Read>;
  readonly byMessage: Map<Sequence, Read>;
}

function judgeStream(findings: ClientFindings, judging: Judging): void {
  const { stream, reads, issued } = judging;
  const known = issued.get(stream);
  const shown: Shown = { byItem: new Map(), byMessage: new Map() };
  for (const [index, read] of reads.entries()) {
    const before = reads[index - 1];
    if (before !== undefined && before.endedMs <= read.startedMs) noteShown(before, shown);
    const { after } = read;
    if (after === undefined || after === 0) continue;
    if ((known?.get(after) ?? Infinity) <= read.startedMs) {
      findings.count('client.cursor.from-next-after');
      findings.count('client.cursor.of-its-stream');
    } else judgeStray(findings, judging, { read, after, shown });
  }
}

function noteShown(page: Read, { byItem, byMessage }: Shown): void {
  for (const { sequence, message } of page.items) {
    if (sequence !== undefined) byItem.set(sequence, page);
    if (message.sequence !== undefined) byMessage.set(message.sequence, page);
  }
}

interface Stray {
  readonly read: Read;
  readonly after: Sequence;
  readonly shown: Shown;
}

/** A cursor that no page of its stream gave. */
function judgeStray(
  findings: ClientFindings,
  { stream, issued, caller }: Judging,
  { read, after, shown }: Stray,
): void {
  const page = shown.byItem.get(after);
  if (page !== undefined) {
    // Who goes back into a page does not go on from it.
    if (page.items.at(-1)?.sequence !== after || page.nextAfter === after) return;
    findings.add({
      name: 'cursor-of-an-item',
      clause: 'client.cursor.from-next-after',
      expected: `a read from ${page.nextAfter}, the next_after of the page`,
      actual: `a read from ${after}, the sequence of its last item`,
      witness: [read, page],
      root: `cursors of ${stream}`,
    });
    return;
  }
  const other = otherStreamOf(after, read, { issued, caller });
  const named = stream.startsWith('feed ') ? shown.byMessage.get(after) : undefined;
  if (other === undefined && named === undefined) return;
  findings.add({
    name: 'cursor-of-another-stream',
    clause: 'client.cursor.of-its-stream',
    expected: `a cursor of ${stream}`,
    actual: `${after}, ${other === undefined ? "a message's number in its channel" : `a cursor of ${other}`}`,
    witness: [read, named],
    root: `cursors of ${stream}`,
  });
}

/** Another stream that the caller had that cursor from: a feed for a channel, or a channel for a feed. */
function otherStreamOf(
  after: Sequence,
  { stream, startedMs }: Read,
  { issued, caller }: Pick<Judging, 'issued' | 'caller'>,
): string | undefined {
  const isFeed = stream.startsWith('feed ');
  return [...caller.readsOf.keys()].find(
    (name) => name.startsWith('feed ') !== isFeed && (issued.get(name)?.get(after) ?? Infinity) <= startedMs,
  );
}
