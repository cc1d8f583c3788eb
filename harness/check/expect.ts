import { parseExact } from '../../spec/calls/index.ts';
import type { Judgement, Problem } from '../../spec/oracles/values/judgement.ts';
import { type ClauseId, clauseOf, validate } from '../../spec/index.ts';
import { type Exchange, isRefusedForLength } from '../client/exchange.ts';
import { SuiteBug } from '../errors.ts';
import type { Draft, StreamView } from '../stream/stream-view.ts';
import type { Ledger } from '../verdict/ledger.ts';
import { CheckStopped, describeAnswer, type Failure } from '../verdict/outcome.ts';
import { jsonDifference, jsonTextOf, looksLike } from './json-difference.ts';

/**
 * Binds every judgement to the clause that it decides, and counts it. A broken `must` clause stops the check; a broken
 * `inferred` one is noted and the check goes on. An exchange without a complete answer judges nothing.
 */
export interface Expect {
  /** `asked` says how the request was made, where one clause is judged by several. */
  (clause: ClauseId, exchange: Exchange, asked?: string): ExchangeExpectation;
  /** What a stream of messages must never show. */
  readonly stream: (clause: ClauseId, view: StreamView) => StreamExpectation;
  /** The verdict of an oracle; `evidence` are the exchanges it judged. */
  readonly judgement: (clause: ClauseId, judgement: Judgement, ...evidence: readonly Exchange[]) => void;
  /** Equality of plain values, compared as JSON; `what` names the value for the report. */
  readonly equal: (
    clause: ClauseId,
    what: string,
    actual: unknown,
    expected: unknown,
    ...evidence: readonly Exchange[]
  ) => void;
  /** A condition that the words of the report state. */
  readonly holds: (
    clause: ClauseId,
    isTrue: boolean,
    problem: Problem,
    ...evidence: readonly Exchange[]
  ) => void;
}

interface ExchangeExpectation {
  /** Any 2xx. A 4xx, but for a 401, to a body or a query that a server may have no room for judges nothing. */
  toBeAccepted(): void;
  /** Any 2xx, also to a body or a query that a server may have no room for: for a clause that gives it that room. */
  toBeAcceptedAtAnyLength(): void;
  /** Any 4xx, but for a 429. A refusal without an ApiError may be a parser's in between: it proves nothing here. */
  toBeRefused(): void;
  /** No success: where the statuses of a refusal are left open, any other answer keeps what is not to be shown. */
  toShowNothing(): void;
  /** Exactly this status, or one of these. Another 4xx, but for a 401, to such a body or query judges nothing. */
  toHaveStatus(...statuses: readonly number[]): void;
}

interface StreamExpectation {
  /** The messages are nowhere, up to one sent after the settle time that is visible. */
  toNeverShow(...drafts: readonly Draft[]): Promise<void>;
}

/** Makes the `expect` of one attempt at a check; `declared` are the clauses that the check says it decides. */
export function createExpect(ledger: Ledger, checkId: string, declared: readonly ClauseId[]): Expect {
  const requireDeclared = (clause: ClauseId): void => {
    if (!declared.includes(clause))
      throw new SuiteBug(`check ${checkId} judges ${clause}, which it does not declare`);
  };
  const fail = (failure: Failure): void => {
    ledger.judge(failure.clause);
    if (clauseOf(failure.clause).level === 'must') throw new CheckStopped({ kind: 'failed', failure });
    ledger.failures.push(failure);
  };
  const holds: Expect['holds'] = (clause, isTrue, problem, ...exchanges) => {
    requireDeclared(clause);
    if (isTrue) ledger.judge(clause);
    else fail({ clause, ...problem, exchanges });
  };
  const judgement: Expect['judgement'] = (clause, { judged, problems }, ...exchanges) => {
    requireDeclared(clause);
    const [first] = problems;
    if (first !== undefined)
      fail({ clause, ...first, actual: withCount(first.actual, problems.length), exchanges });
    else if (judged > 0) ledger.judge(clause, judged);
  };
  const equal: Expect['equal'] = (clause, what, actual, expected, ...exchanges) => {
    const [wanted, got] = [jsonTextOf(expected), jsonTextOf(actual)];
    const whole = { expected: `${what} ${shown(wanted)}`, actual: shown(got) };
    // The order of keys is the server's choice: values that differ in nothing else are the same.
    const difference = got === wanted ? undefined : jsonDifference(what, expected, actual);
    // Of long values only what differs is of use, and of those that look the same.
    const isLong = Math.max(wanted.length, got.length) > longestShown;
    const isSeen = difference === undefined || !(isLong || looksLike(wanted, got));
    holds(clause, difference === undefined, isSeen ? whole : difference, ...exchanges);
  };
  const exchangeExpectation = (clause: ClauseId, exchange: Exchange, asked?: string): ExchangeExpectation => {
    requireDeclared(clause);
    const answered = (isMet: (status: number) => boolean, answer: string): void => {
      const status = completeStatus(exchange, clause);
      const expected = asked === undefined ? answer : `${answer} to a request ${asked}`;
      holds(clause, isMet(status), { expected, actual: describeAnswer(exchange) }, exchange);
    };
    const accepted = (): void => {
      requireValidRequest(exchange, checkId);
      answered((status) => status >= 200 && status < 300, 'accepted (any 2xx)');
    };
    return {
      toBeAccepted() {
        if (!isRefusedForLength(exchange)) accepted();
      },
      toBeAcceptedAtAnyLength: accepted,
      toBeRefused() {
        if (isForeignRefusal(completeStatus(exchange, clause), exchange)) return;
        answered((status) => status >= 400 && status < 500, 'refused (any 4xx)');
      },
      toShowNothing() {
        if (isForeignRefusal(completeStatus(exchange, clause), exchange)) return;
        answered((status) => status >= 300, 'refused (no 2xx)');
      },
      toHaveStatus(...statuses) {
        if (isRefusedForLength(exchange) && !statuses.includes(completeStatus(exchange, clause))) return;
        answered((status) => statuses.includes(status), `status ${statuses.join(' or ')}`);
      },
    };
  };
  const stream: Expect['stream'] = (clause, view) => ({
    async toNeverShow(...drafts) {
      const sighting = await view.seekNever(...drafts);
      const expected = `${view.label} never shows the message ${sighting?.draft.marker}`;
      holds(
        clause,
        sighting === undefined,
        { expected, actual: sighting?.actual ?? '' },
        ...(sighting?.exchanges ?? []),
      );
    },
  });
  return Object.assign(exchangeExpectation, { stream, judgement, equal, holds });
}

/** The status of a complete answer; an exchange that met a fault or a rate limit disturbs the check. */
function completeStatus(exchange: Exchange, clause: ClauseId): number {
  const { response, fault } = exchange;
  if (fault !== undefined || response === undefined)
    throw new CheckStopped({ kind: 'disturbed', clause, exchange });
  if (response.status === 429) {
    throw new CheckStopped({
      kind: 'unmet',
      reason: 'still rate limited after obeying Retry-After',
      exchange,
    });
  }
  return response.status;
}

/** A 4xx whose body is no ApiError: `errors` has a clause of its own for that. */
function isForeignRefusal(status: number, { response }: Exchange): boolean {
  return status >= 400 && status < 500 && validate('api-error', response?.json).length > 0;
}

/** What we call acceptable must be so by the schema, or the mistake is ours. */
function requireValidRequest({ request }: Exchange, checkId: string): void {
  if (request.call !== 'send' || typeof request.body !== 'string') return;
  const [problem] = validate('send-request', parseExact(request.body));
  if (problem !== undefined) {
    throw new SuiteBug(`check ${checkId} expects a send to be accepted whose body breaks ${problem.pointer}`);
  }
}

function withCount(text: string, count: number): string {
  return count > 1 ? `${text} (and ${count - 1} more)` : text;
}

const longestShown = 200;

function shown(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}… (${text.length} characters)` : text;
}
