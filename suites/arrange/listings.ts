import { isRecord } from '../../spec/calls/index.ts';
import { statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';

/** Ends the check when the answer may ask for something that the contract does not show: a parameter, or a right. */
export function requireNoUnknownDemand(listed: Exchange): void {
  const mayDemand = [400, 401, 403, 409, 422].includes(statusOf(listed) ?? 0);
  given(!mayDemand, `the call needs something that is not documented: ${describeAnswer(listed)}`, listed);
}

/** The fields of a list whose form the contract does not show. */
export function fieldsOf({ response }: Exchange): string {
  const json = response?.json;
  if (Array.isArray(json)) return 'a bare list';
  return isRecord(json) ? Object.keys(json).toSorted().join(', ') : typeof json;
}
