import type { Random } from '../base/random.ts';

/** What is around a service while its history is made. Times in ms, shares of 1. */
export interface Conditions {
  readonly settleMs: number;
  /** Clocks of clients tick so coarsely; 0 is a clock of microseconds. */
  readonly tickMs: number;
  /** How many requests or answers get lost on the way. */
  readonly lossShare: number;
  /** How many requests what stands in front of the service answers in its place. */
  readonly troubleShare: number;
  /** Others write so often; `undefined` for never. */
  readonly foreignEveryMs: number | undefined;
  /** Messages that others wrote before. */
  readonly ghosts: number;
}

/** Each by itself. */
export function drawConditions(random: Random): Conditions {
  return {
    settleMs: random.pick([600, 800, 1_000]),
    tickMs: random.pick([0, 0, 1, 5]),
    lossShare: random.pick([0, 0.06, 0.1]),
    troubleShare: random.pick([0, 0, 0.02, 0.05]),
    foreignEveryMs: random.pick([undefined, undefined, 40, 150]),
    ghosts: random.integer(0, 4),
  };
}

/** The same, and nothing but what a service does is late or gets lost. */
export function undisturbed(drawn: Conditions): Conditions {
  return { ...drawn, settleMs: 400, lossShare: 0, troubleShare: 0 };
}
