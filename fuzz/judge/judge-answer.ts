import { type CallName, isRecord, parameterOf } from '../../spec/calls/index.ts';
import type { Exchange, ReceivedResponse } from '../../harness/client/exchange.ts';
import { cut } from '../../harness/output/printable.ts';
import type { Expected } from '../../spec/oracles/requests/expected.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { CaseFailure } from './failure.ts';
import { type FormFacts, formFailures } from './form-of-answer.ts';

/** What one answer came to. */
export interface AnswerVerdict {
  /** `trouble`: no complete answer of the service, or a limit that stayed reached; decides nothing. */
  readonly kind: 'judged' | 'trouble';
  readonly failures: readonly CaseFailure[];
  /** Short name of the answer: `201`, `400 invalid`, `timeout`. */
  readonly answerKind: string;
}

/** Holds one answer against what was expected of it and against what must hold of every answer. */
export function judgeAnswer(exchange: Exchange, expected: Expected, facts: FormFacts): AnswerVerdict {
  const { response, fault } = exchange;
  const answerKind = kindOf(exchange);
  if (fault !== undefined || response === undefined) return { kind: 'trouble', failures: [], answerKind };
  const form = formFailures(exchange, facts);
  if (response.status === 429) return { kind: 'trouble', failures: form, answerKind };
  return {
    kind: 'judged',
    failures: [...outcomeFailures(exchange, response, expected), ...form],
    answerKind,
  };
}

/** An answer in a few letters: its status and the code of its error, or the fault. */
function kindOf({ response, fault }: Pick<Exchange, 'response' | 'fault'>): string {
  if (fault !== undefined || response === undefined) return fault?.kind ?? 'nothing';
  const { json, status } = response;
  const error = isRecord(json) && status >= 400 ? json['error'] : undefined;
  const code = isRecord(error) ? error['code'] : undefined;
  return typeof code === 'string' ? `${status} ${cut(code, 40)}` : String(status);
}

/** A cursor in conflict with the watermark may be refused; the beginning is in conflict with nothing. */
const noConflict: Readonly<Partial<Record<CallName, ClauseId>>> = {
  mentions: 'mentions.issued-cursor-is-no-conflict',
  'channel-read': 'channel-read.issued-cursor-is-no-conflict',
};

/** The clause by which the credential of a role opens a call. */
function openerOf(role: string): ClauseId {
  return role === 'api-key' ? 'auth.api-key-accepted' : 'auth.bearer-accepted';
}

function outcomeFailures(
  { request, actor }: Exchange,
  response: ReceivedResponse,
  expected: Expected,
): readonly CaseFailure[] {
  const { status } = response;
  const { call } = request;
  const failure = (part: string, wanted: string, clause: CaseFailure['clause']): readonly CaseFailure[] => [
    {
      clause,
      part,
      call,
      seenIn: 'answer',
      isOutcome: true,
      ...(status >= 500 ? { isServerError: true } : {}),
      expected: wanted,
      actual: describe(response),
    },
  ];
  const isRefused = status >= 400 && status <= 499;
  const isTaken = status >= 200 && status <= 299;
  switch (expected.kind) {
    case 'accept':
      if (isTaken) return [];
      if (status === 401) return failure('refused as 401', 'the credential opens the call', openerOf(actor));
      if (expected.mayBe === 'any 4xx' ? isRefused : expected.mayBe.includes(status)) return [];
      if (status === 409 && call in noConflict && parameterOf(request.query, 'after') === '0')
        return failure(
          'after=0: conflict',
          'reading from the beginning is not a conflict',
          noConflict[call] ?? expected.clause,
        );
      return failure(`${expected.part}: refused`, 'accepted (any 2xx)', expected.clause);
    case 'reject': {
      if (!isRefused) {
        const what = isTaken ? 'accepted' : 'neither accepted nor refused';
        return failure(`${expected.part}: ${what}`, 'refused (any 4xx)', expected.clause);
      }
      const { named } = expected;
      if (named === undefined || named.statuses.includes(status)) return [];
      return failure(`${expected.part}: status`, `status ${named.statuses.join(' or ')}`, named.clause);
    }
    default:
      return [];
  }
}

function describe(response: ReceivedResponse): string {
  return `answered ${kindOf({ response, fault: undefined })}`;
}
