import type { EvidenceExchange, FindingEvent } from './generated/events.ts';

/**
 * The exchange whose answer decides: the one that the finding names, or else the last one, or that which was answered with the status
 * that the finding has. A request of which it is not known what came of it decides nothing.
 */
export function decidingExchange({
  exchanges: all,
  decidedBy,
  actual,
}: Pick<FindingEvent, 'exchanges' | 'decidedBy' | 'actual'>): EvidenceExchange | undefined {
  const exchanges = all.filter(isEnded);
  const named = exchanges.find(({ id }) => id === decidedBy);
  if (named !== undefined) return named;
  const last = exchanges.at(-1);
  return last === undefined || namesStatus(actual, last)
    ? last
    : (exchanges.findLast((each) => namesStatus(actual, each)) ?? last);
}

/** Whether what came of a request was kept: an answer, or why there was none. */
export function isEnded({ response, fault }: EvidenceExchange): boolean {
  return response !== undefined || fault !== undefined;
}

/** Whether words name the status that an exchange was answered with. */
export function namesStatus(words: string, { response }: EvidenceExchange): boolean {
  return response !== undefined && new RegExp(`\\bstatus ${response.status}\\b`).test(words);
}
