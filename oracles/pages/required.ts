import type { Judgement, Problem } from '../values/judgement.ts';
import type { ReadItem, TimedPage } from './read-page.ts';
import type { SeenMessage } from './sightings.ts';

/** What is wrong, and the reads that show it: at most the first sight of a message, the read without it, the last sight. */
interface WitnessedProblem<P> extends Problem {
  readonly witness: readonly P[];
}

/** What a judgement of several reads of one stream came to: they tell what is in it and when it was seen. */
export interface CoverageJudgement<P> extends Judgement {
  readonly problems: readonly WitnessedProblem<P>[];
}

/** Judges the messages that each read must show: `missingOf` gives each that is missing, and `undefined` for one that is there. */
export function judgeRequired<P extends TimedPage>(
  reads: readonly P[],
  missingOf: (read: P) => readonly (SeenMessage<P> | undefined)[],
  problemOf: (missing: SeenMessage<P>, read: P) => Problem,
): CoverageJudgement<P> {
  const required = reads.flatMap((read) => missingOf(read).map((missing) => ({ read, missing })));
  const problems = required.flatMap(({ read, missing }) => {
    if (missing === undefined) return [];
    const witness = [...new Set([missing.knownBy, read, missing.lastBy])];
    return [{ ...problemOf(missing, read), witness }];
  });
  return { judged: required.length, problems };
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

/** Known more than `settleMs` before the read, and still there more than that afterwards. */
export function isSettledAround(message: SeenMessage<unknown>, read: TimedPage, settleMs: number): boolean {
  return message.knownMs < read.exchange.startedMs - settleMs && isSeenAgain(message, read, settleMs);
}

/** Ids of all messages that stand somewhere. */
export function idsOf(items: readonly ReadItem[]): ReadonlySet<string | undefined> {
  return new Set(items.map(({ id }) => id));
}

/** A message in the words of a report. */
export function nameOf({ id, sequence }: SeenMessage<unknown>): string {
  return `message ${id} at sequence ${sequence}`;
}
