import type { Judgement, Problem } from './judgement.ts';
import { sequencesOf } from './read-page.ts';
import type { TimedPage } from './read-page.ts';
import type { SeenMessage } from './sightings.ts';

/** What is wrong, and the reads that show it: at most the first sight of a message, the read without it, the last sight. */
export interface WitnessedProblem<P> extends Problem {
  readonly witness: readonly P[];
}

/**
 * What a judgement of several reads of one stream came to. `reads` tell what is in the stream and when it was seen;
 * `judged`, all of them unless given, are those that are held to the rule.
 */
export interface CoverageJudgement<P> extends Judgement {
  readonly problems: readonly WitnessedProblem<P>[];
}

/** A message that a read owes, and whether it paid. */
interface Pair<P> {
  readonly read: P;
  readonly message: SeenMessage<P>;
  readonly isMissing: boolean;
}

/** Judges what each read owes; `problemOf` words what is missing. */
export function judgePairs<P extends TimedPage>(
  reads: readonly P[],
  owedBy: (read: P) => readonly Omit<Pair<P>, 'read'>[],
  problemOf: (pair: Pair<P>) => Problem,
): CoverageJudgement<P> {
  const pairs = reads.flatMap((read) => owedBy(read).map((owed) => ({ read, ...owed })));
  const problems = pairs
    .filter(({ isMissing }) => isMissing)
    .map((pair) => ({ ...problemOf(pair), witness: witnessOf(pair.read, [pair.message]) }));
  return { judged: pairs.length, problems };
}

/** The first sight of what was missed, the read that missed it, and the last sight. */
export function witnessOf<P extends TimedPage>(read: P, missed: readonly SeenMessage<P>[]): P[] {
  const [first] = missed;
  const last = missed.at(-1);
  return [
    ...new Set([
      ...(first === undefined ? [] : [first.knownBy]),
      read,
      ...(last === undefined ? [] : [last.lastBy]),
    ]),
  ];
}

/** Read by somebody before this read began. */
export function isKnownBefore({ knownMs }: SeenMessage<unknown>, { exchange }: TimedPage): boolean {
  return knownMs < exchange.startedMs;
}

/** Still there more than `settleMs` after the read. */
export function isSeenAgain(
  { lastMs }: SeenMessage<unknown>,
  { exchange }: TimedPage,
  settleMs: number,
): boolean {
  return lastMs > exchange.endedMs + settleMs;
}

/** Where the range that a page answers for begins: behind its cursor, or at its first item when there is none. */
export function cursorOf(read: TimedPage): bigint | undefined {
  return read.after ?? firstOf(read);
}

/** Sequence of the first item. */
export function firstOf({ items }: TimedPage): bigint | undefined {
  return sequencesOf(items)[0];
}

/** Ids of all messages on the page. */
export function idsOf({ items }: TimedPage): ReadonlySet<string> {
  return new Set(items.flatMap(({ id }) => id ?? []));
}

/** A message in the words of a report. */
export function nameOf({ id, sequence }: SeenMessage<unknown>): string {
  return `message ${id} at sequence ${sequence}`;
}
