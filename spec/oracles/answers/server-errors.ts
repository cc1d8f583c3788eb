/** The statuses of the mentions call: what it succeeds with, and what it may refuse with. */
export const mentionsStatuses: readonly number[] = [200, 400, 401, 403, 409, 429];

/** The clauses that server errors break which do not come every time. */
type PassingErrorClause = 'mentions.error-statuses' | 'service.served-requests-stay-served';

/** Unavailable for the moment, or overloaded: the list of the mentions has a status for limits alone, and none for this. */
const unavailable = 503;
const notImplemented = 501;

/**
 * The clause that a server error breaks where such requests are answered as they should be before and after it. Of the mentions the contract lists
 * what an error may be; of a send and a channel read it says nowhere that there is none, and of other calls nothing at all.
 */
export function clauseOfPassingError(
  call: string,
  status: number | undefined,
): PassingErrorClause | undefined {
  if (status === undefined || status < 500 || status === notImplemented) return undefined;
  if (call === 'mentions' && status !== unavailable) return 'mentions.error-statuses';
  return ['mentions', 'channel-read', 'send'].includes(call)
    ? 'service.served-requests-stay-served'
    : undefined;
}

/** What there should have been in place of such an error. */
export function insteadOfPassingError(clause: string): string {
  return clause === 'mentions.error-statuses'
    ? `one of ${mentionsStatuses.join(', ')}`
    : 'an answer of the service, as such requests get before and after';
}
