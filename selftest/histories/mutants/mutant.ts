import { sequenceOf } from '../../../history/sequence.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { ClauseId } from '../../../spec/index.ts';
import type { Random } from '../base/random.ts';
import type { Choices } from '../choices/choices.ts';
import type { Event } from '../clients/operator.ts';
import type { Inside } from '../service/inside.ts';
import type { Rules } from '../service/rules.ts';
import type { Stream } from '../service/stream.ts';

/** Something wrong with the simulated service. */
export interface HistoryMutant {
  readonly id: string;
  /** What the judges call what it makes a history show. */
  readonly anomaly: string;
  /** The clauses under one of which they name it. */
  readonly clauses: readonly ClauseId[];
  /** Other names that a history of it may show, since one wrong thing has consequences. */
  readonly consequences: readonly string[];
  readonly rules: (random: Random) => Partial<Rules>;
  /** What the service has to choose for it to show. */
  readonly choices?: (drawn: Choices) => Choices;
  /** What has to happen for it to show, and nothing else. */
  readonly events?: readonly Event[];
}

/** A mutant without an id of its own: that of its anomaly, and what it does where several show one anomaly. */
export type MutantDraft = Omit<HistoryMutant, 'id' | 'anomaly' | 'consequences'> &
  Partial<Pick<HistoryMutant, 'consequences'>>;

/** Mutants that show one anomaly, by what each does. */
export function showing(
  anomaly: string,
  mutants: Readonly<Record<string, MutantDraft>>,
): readonly HistoryMutant[] {
  return Object.entries(mutants).map(([what, mutant]) => ({
    id: `${anomaly}/${what}`,
    anomaly,
    consequences: [],
    ...mutant,
  }));
}

/** A number so much higher. */
export function plus(sequence: Sequence, more: number): Sequence {
  return sequenceOf(BigInt(sequence) + BigInt(more)) ?? 0;
}

/** A number so many times as high: room for others between. */
export function times(sequence: Sequence, factor: number): Sequence {
  return sequenceOf(BigInt(sequence) * BigInt(factor)) ?? 0;
}

/** Whether a stream is a channel. */
export function isChannel(stream: Stream, { channels }: Inside): boolean {
  return channels.includes(stream);
}

/** The same few of all values, whatever comes between. */
export function isChosen(text: string | undefined, oneOf: number): boolean {
  let mixed = 7;
  for (const letter of text ?? '') mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) >>> 0;
  return ((mixed ^ (mixed >>> 15)) >>> 0) % oneOf === 0;
}

/** Nothing but what the mutant does is late, refused, or retained for a while only; pages are as plain as they can be. */
export function plain(drawn: Choices): Choices {
  return {
    ...usualPages(drawn),
    appendLagMs: 0,
    replicaLagMs: 0,
    feedLagMs: 0,
    trimLagMs: 0,
    retention: { kind: 'all' },
    feedRetention: 'with-channel',
    lossShare: 0,
    limitedShare: 0,
    troubleShare: 0,
  };
}

/** Pages as plain as they can be. */
export function usualPages(drawn: Choices): Choices {
  return {
    ...drawn,
    wait: { ...drawn.wait, oneItem: false },
    page: {
      ...drawn.page,
      next: 'last-item',
      nextOfEmpty: 'echo',
      moreWhenFull: false,
      scan: 10_000,
      byteCap: 10_000_000,
      moreOnNewest: false,
      omittedOnChannel: 'newest',
      beyond: 'empty',
      belowRetained: 'served',
      watermark: 'stream',
    },
  };
}
