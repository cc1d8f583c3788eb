import type { Command } from 'commander';
import type { Trouble } from '../../harness/front/fate.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { quantities, type Quantity } from '../../harness/config/quantities.ts';
import { numberOption } from './option-kinds.ts';

/** Options that say what goes wrong on the way to a server, as commander parses them. */
export interface TroubleOptions {
  readonly cut: number;
  readonly delay: number;
  readonly latency: number;
  readonly limited: number;
  readonly retryAfter: number;
  readonly unavailable: number;
}

/** Adds them; without any nothing goes wrong. */
export function addTroubleOptions(command: Command): Command {
  const option = (flags: string, what: string, quantity: Quantity, byDefault = 0): Command =>
    command.addOption(numberOption(flags, what, quantity).default(byDefault));
  const { percent, delayMs, retryAfterSeconds } = quantities;
  option('--cut <percent>', 'connections cut in the request, before the answer or in the answer', percent);
  option('--latency <ms>', 'time that every request is held up', delayMs);
  option('--delay <ms>', 'longest time that a request is held up besides, at random', delayMs);
  option('--limited <percent>', 'requests refused with a 429', percent);
  option('--retry-after <seconds>', 'what the 429 says in its Retry-After', retryAfterSeconds, 1);
  return option('--unavailable <percent>', 'requests that a gateway answers with a 503 of its own', percent);
}

/**
 * The trouble that the options ask for.
 * @throws InvalidTarget where it is more than all requests
 */
export function troubleOf(options: TroubleOptions, seed: number): Trouble {
  const { cut, limited, unavailable, delay, latency, retryAfter } = options;
  if (cut + limited + unavailable > 100)
    throw new InvalidTarget(
      '--cut, --limited and --unavailable are shares of all requests: together at most 100',
    );
  return {
    seed,
    cut: cut / 100,
    limited: limited / 100,
    unavailable: unavailable / 100,
    delayMs: delay,
    latencyMs: latency,
    retryAfterSeconds: retryAfter,
  };
}

/** The trouble in words; empty without any. */
export function troubleInWords({ cut, limited, unavailable, delayMs, latencyMs = 0 }: Trouble): string {
  const share = (part: number, what: string): string[] =>
    part === 0 ? [] : [`${what} ${Number((part * 100).toFixed(2))} %`];
  return [
    ...share(cut, 'cuts'),
    ...share(limited, '429 to'),
    ...share(unavailable, '503 to'),
    ...(latencyMs === 0 ? [] : [`a latency of ${latencyMs} ms`]),
    ...(delayMs === 0 ? [] : [`delays up to ${delayMs} ms`]),
  ].join(', ');
}
