import { addressOf } from '../../spec/calls/index.ts';
import type { Problem } from '../../spec/oracles/values/judgement.ts';
import type { ClauseId, ClauseLevel } from '../../spec/index.ts';
import type { Exchange } from '../client/exchange.ts';
import type { BrokenVerdict } from '../results/generated/events.ts';

/** A clause was seen broken: data for the report, not a sentence. */
export interface Failure extends Problem {
  readonly clause: ClauseId;
  readonly exchanges: readonly Exchange[];
}

/** What stopped a check before its end. These four are thrown by fixtures and expectations, never by a check itself. */
export type Stop =
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'disturbed'; readonly clause: ClauseId | undefined; readonly exchange: Exchange }
  | { readonly kind: 'unmet'; readonly reason: string; readonly exchange: Exchange | undefined }
  | { readonly kind: 'timed-out'; readonly afterMs: number };

/** Carries a {@link Stop} out of a check's body. Anything else thrown there is a bug of the suite. */
export class CheckStopped extends Error {
  readonly stop: Stop;

  constructor(stop: Stop) {
    super(describeStop(stop));
    this.name = 'CheckStopped';
    this.stop = stop;
  }
}

/** What comes of work that may end a check; `undefined` where it would. */
export function unlessStopped<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof CheckStopped) return undefined;
    throw error;
  });
}

/** Ends a check because the state it needs could not be made: inconclusive, never the clause's fault. */
export function unmet(reason: string, exchange?: Exchange): never {
  throw new CheckStopped({ kind: 'unmet', reason, exchange });
}

/** The reason of a check that was answered by a server that shows no message; why it shows none follows. */
export const uncredited = 'right answers count once the server shows a message that was sent to it';

/** Ends a check as inconclusive, with that reason, unless a precondition holds. */
export function given(holds: boolean, reason: string, exchange?: Exchange): asserts holds {
  if (!holds) unmet(reason, exchange);
}

/** True for no complete answer of the service, and for an error of the server: neither says anything of the next try. */
export function hasTrouble({ fault, response }: Exchange): boolean {
  return fault === undefined ? (response?.status ?? 0) >= 500 : fault.kind !== 'withheld';
}

/** Says in words why a check stopped. */
export function describeStop(stop: Stop): string {
  switch (stop.kind) {
    case 'failed':
      return `${stop.failure.clause}: expected ${stop.failure.expected}, got ${stop.failure.actual}`;
    case 'disturbed':
      return `disturbed: ${describeFault(stop.exchange)}`;
    case 'unmet':
      return stop.reason;
    case 'timed-out':
      return `not done within ${(stop.afterMs / 1_000).toFixed(1)} s: with fewer at once (--concurrency) or more time (--timeout) it may be`;
  }
}

/** `POST /v0/… as author met reset (…) 3 times in a row`. */
export function describeFault({ actor, request, fault }: Exchange): string {
  const times = fault !== undefined && fault.tries > 1 ? ` ${fault.tries} times in a row` : '';
  return `${request.method} ${addressOf(request)} as ${actor} met ${fault?.kind ?? 'no fault'} (${fault?.message ?? ''})${times}`;
}

/** `404`, or the fault when no answer came. */
export function describeAnswer({ response, fault }: Exchange): string {
  if (response === undefined) return fault === undefined ? 'no answer' : `${fault.kind}: ${fault.message}`;
  return `status ${response.status}`;
}

/** What a broken clause comes to by its level: a must fails, anything else warns. */
export function verdictWhenBroken(level: ClauseLevel): BrokenVerdict {
  return level === 'must' ? 'failed' : 'warned';
}
