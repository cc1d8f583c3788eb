import { randomUUID } from 'node:crypto';
import type { Check } from '../../../harness/check/check.ts';
import { contractRules } from '../../../reference/index.ts';
import type {
  Answer,
  AnsweredRequest,
  CredentialProblem,
  RouteName,
  Rules,
} from '../../../reference/index.ts';
import { plausibleOverview } from '../../../selftest/degenerate/answers/plausible-bodies.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';
import type { ReferenceOptions } from '../run-suite.ts';

/** A check, a server that breaks what it looks at, and all that a run of this check alone then finds. */
export interface BrokenServer {
  readonly check: string;
  readonly findings: readonly string[];
  readonly options: () => ReferenceOptions;
}

/** Findings of one check against the server that is broken for it. */
export async function findingsOfBroken(
  checks: readonly Check[],
  { check, options }: BrokenServer,
): Promise<string[]> {
  return findingsOf(
    await runAgainst(
      checks.filter(({ id }) => id === check),
      options(),
    ),
  );
}

/** A server with some of the contract's rules replaced. */
export function withRules(rules: Partial<Rules>): ReferenceOptions {
  return { rules: { ...contractRules, ...rules } };
}

/** A server that lets a credential with one problem in on one call. */
export function admitting(problem: CredentialProblem, route: RouteName): ReferenceOptions {
  return withRules({ admits: (met, on) => met === problem && on === route });
}

/** A server that answers some requests in another way. */
export function answering(
  isMeant: (request: AnsweredRequest) => boolean,
  answer: Answer | ((request: AnsweredRequest) => Answer),
): ReferenceOptions {
  return {
    answer: (_, request) => {
      if (!isMeant(request)) return undefined;
      return typeof answer === 'function' ? answer(request) : answer;
    },
  };
}

/** True from the `nth` time on that `isMeant` is: what preflight asks first may still be answered well. */
export function fromTime(nth: number, isMeant: (request: AnsweredRequest) => boolean) {
  let times = 0;
  return (request: AnsweredRequest): boolean => {
    if (!isMeant(request)) return false;
    times += 1;
    return times >= nth;
  };
}

/** A refusal with everything that the contract asks of one. */
export function refusal(status: number): Answer {
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return { status, headers, body: { error: { code: 'refused', message: 'The request was refused.' } } };
}

/** A well-formed success of a call, with nothing in it. */
export function success({ route, path }: AnsweredRequest): Answer {
  const page = { next_after: 0, has_more: false, high_watermark: 0 };
  switch (route) {
    case 'mentions':
      return { status: 200, headers: { 'x-service-agent-id': randomUUID() }, body: { mentions: [], page } };
    case 'read':
      return { status: 200, headers: {}, body: { messages: [], page } };
    case 'overview':
      return { status: 200, headers: {}, body: plausibleOverview(path.split('/').at(-1) ?? '') };
    default:
      return { status: 200, headers: {}, body: {} };
  }
}
