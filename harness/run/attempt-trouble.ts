import type { Exchange } from '../client/exchange.ts';
import type { Attempt } from './attempt.ts';
import type { Failure, Stop } from '../verdict/outcome.ts';
import { type GoodCredentials, isServerError, type TroubleMet, troubleMetIn } from '../verdict/trouble.ts';
import type { TroubleKind } from '../results/generated/events.ts';

/** What kept an attempt from its end, told apart from what the target lacks. */
export type AttemptTrouble = Omit<TroubleMet, 'exchange'> & {
  readonly exchange: Exchange | undefined;
};

/** Kinds that explain a stop although another exchange is named: some checks draw a 429 on purpose. */
const telling: readonly TroubleKind[] = ['server-error', 'no-answer', 'credential-refused'];

/** The trouble that stopped an attempt, if it was trouble. */
export function troubleIn({ stop, ledger }: Attempt, good: GoodCredentials): AttemptTrouble | undefined {
  if (stop === undefined || stop.kind === 'failed') return undefined;
  const named = exchangeOfStop(stop);
  const own = named === undefined ? undefined : troubleMetIn(named, good);
  if (own !== undefined) return own;
  const met = ledger.exchanges.map((exchange) => troubleMetIn(exchange, good));
  const other = met.findLast((each) => each !== undefined && telling.includes(each.kind));
  if (other !== undefined) return other;
  if (stop.kind !== 'timed-out') return undefined;
  return {
    kind: 'too-slow',
    text: 'the check did not end in time',
    exchange: undefined,
  };
}

/** True for a failure that rests on a server error: it may have come from what went on at the same time. */
export function restsOnServerError({ exchanges }: Failure): boolean {
  return exchanges.some(isServerError);
}

/** True for a failure that rests on an answer that came too late: this process may have been held up all the while. */
export function restsOnTimeout({ exchanges }: Failure): boolean {
  return exchanges.some(({ fault }) => fault?.kind === 'timeout');
}

/** True for a failure that rests on an answer that never came whole: it may have been lost on the way. */
export function restsOnFault({ exchanges }: Failure): boolean {
  return exchanges.some(({ fault }) => fault !== undefined);
}

function exchangeOfStop(stop: Stop): Exchange | undefined {
  return stop.kind === 'disturbed' || stop.kind === 'unmet' ? stop.exchange : undefined;
}
