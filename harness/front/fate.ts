import { hashOf } from '../hash.ts';

/** What goes wrong on the way, and how often. Shares are from 0 to 1, of all requests. */
export interface Trouble {
  /** The same seed gives the same fates, by the order in which requests arrive. */
  readonly seed: number;
  /** Connections that are cut: in the request, before the answer, or in the answer. */
  readonly cut: number;
  /** Requests that are refused with a 429, and its `Retry-After`. */
  readonly limited: number;
  readonly retryAfterSeconds: number;
  /** Requests that a gateway answers with a 503 in words of its own. */
  readonly unavailable: number;
  /** Every request is held up by a random time up to this, in ms. */
  readonly delayMs: number;
  /** Every request is held up by this besides, in ms. */
  readonly latencyMs?: number;
}

/** What becomes of a request. All but `pass` are trouble; those with `unanswered` reach the server all the same. */
export const fateKinds = [
  'pass',
  'cut-in-request',
  'cut-unanswered',
  'cut-in-answer',
  'limited',
  'unavailable',
  'unavailable-unanswered',
] as const;

export type FateKind = (typeof fateKinds)[number];

export interface Fate {
  readonly kind: FateKind;
  readonly delayMs: number;
  /** How much of the request or the answer passes before a cut, from 0 to 1. */
  readonly passed: number;
}

/** One in so many gateways gives up on a request that the server has already answered. */
const lateGateways = 4;
const cuts = ['cut-in-request', 'cut-unanswered', 'cut-in-answer'] as const;

/** The fate of request `index`, counted from 0 in the order in which requests arrive. */
export function fateOf(trouble: Trouble, index: number): Fate {
  const draw = (number: number): number => hashOf(trouble.seed, index * 4 + number) / 2 ** 32;
  const delayMs = (trouble.latencyMs ?? 0) + draw(2) * trouble.delayMs;
  return { kind: kindOf(trouble, draw(0), draw(1)), delayMs, passed: draw(3) };
}

function kindOf({ cut, limited, unavailable }: Trouble, which: number, form: number): FateKind {
  if (which < cut) return cuts[Math.floor(form * cuts.length)] ?? 'cut-unanswered';
  if (which < cut + limited) return 'limited';
  if (which >= cut + limited + unavailable) return 'pass';
  return form * lateGateways < 1 ? 'unavailable-unanswered' : 'unavailable';
}
