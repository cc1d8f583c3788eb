import type { Exchange } from '../../harness/client/exchange.ts';
import type { EvidenceExchange } from '../../harness/results/generated/events.ts';
import type { CaseRequest } from '../cases/case-request.ts';

/** The beginning of an answer, as a finding keeps it: no secret is in it, and no id of the target. */
export interface AnswerExcerpt {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Empty where there was no body; other people's words are lengths and digests. */
  readonly text: string;
  readonly totalBytes: number;
}

/** What is kept of a request that showed a failure. */
export interface Kept {
  /** The answer that showed it, bounded, without secrets; `undefined` when it did not show again. */
  readonly answer: AnswerExcerpt | undefined;
  /** The exchanges that showed it, the cause first; the request alone when it did not show again. */
  readonly exchanges: readonly EvidenceExchange[];
}

/** Keeps a request and the exchanges that showed a failure, if any did again. */
export type EvidenceOf = (request: CaseRequest, exchanges: readonly Exchange[]) => Kept;

/** So much of a body is kept, in characters. */
const mostCharacters = 1_000;

/** The answer of some evidence, with places for the ids of the target. */
export function answerExcerptOf(
  { response }: EvidenceExchange,
  ids: Readonly<Record<string, string | undefined>>,
): AnswerExcerpt | undefined {
  if (response === undefined) return undefined;
  let text = response.body?.text ?? '';
  for (const [name, id] of Object.entries(ids)) if (id !== undefined) text = text.replaceAll(id, `{${name}}`);
  return {
    status: response.status,
    contentType: response.headers['content-type']?.[0],
    text: text.slice(0, mostCharacters),
    totalBytes: response.body?.totalBytes ?? 0,
  };
}
