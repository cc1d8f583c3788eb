import { addressOf, parameterOf } from '../../spec/calls/index.ts';
import { withoutCurl } from '../client/curl-line.ts';
import type { Exchange } from '../client/exchange.ts';
import type { EvidenceExchange } from '../results/generated/events.ts';

/** A request that is answered at once and stores nothing new, as it stands in the line of a finding. */
export type Resendable = Pick<Exchange, 'id' | 'actor' | 'request'>;

/** Sends a request as it was sent before. */
export type SendAgain = (before: Resendable) => Promise<Pick<Exchange, 'response'>>;

/** So long all the lines of a run are tried, or those of a campaign's finding. */
export const longestSendAgainMs = 5_000;
/** So many lines are tried, none of them with a longer body. */
const mostSentAgain = 50;
const longestSentAgain = 100_000;

/** The exchange without its answer, if sending it once more changes nothing at a server that keeps the contract. */
export function resendableOf({ id, actor, request, response }: Exchange): readonly Resendable[] {
  const { call, method, query, headers, hasFreshKey = false } = request;
  const isRead = method === 'GET' && parameterOf(query, 'wait') === undefined;
  // Under a key that has been used a server has stored what it will.
  const isRepetition = call === 'send' && !hasFreshKey && headers['idempotency-key'] !== undefined;
  const isShort = (request.body?.length ?? 0) <= longestSentAgain;
  return (isRead || (isRepetition && isShort)) && response !== undefined ? [{ id, actor, request }] : [];
}

/**
 * Sends what the lines of some evidence would, each once: what is answered with another status by now hung on what the server held, on
 * who was allowed to see it, or on what went on beside it. Nobody would see the fault by sending it, and it loses its line.
 */
export async function withTriedLines(
  all: readonly {
    readonly evidence: readonly EvidenceExchange[];
    readonly resendable: readonly Resendable[];
  }[],
  send: SendAgain,
  when: string,
): Promise<readonly (readonly EvidenceExchange[])[]> {
  const printed = all.flatMap(({ evidence, resendable }) => {
    const ids = new Set(evidence.flatMap(({ id, curl }) => (curl === undefined ? [] : [id])));
    return resendable.filter(({ id }) => ids.has(id));
  });
  const lines = new Map(printed.map((each) => [lineOf(each), each]));
  const statuses = new Map<string, number | undefined>();
  const sendOne = async ([line, each]: [string, Resendable]): Promise<void> => {
    statuses.set(line, (await send(each)).response?.status);
  };
  await Promise.all([...lines].slice(0, mostSentAgain).map(sendOne));
  const now = new Map(printed.map((each) => [each.id, statuses.get(lineOf(each))]));
  return all.map(({ evidence }) => evidence.map((each) => asAnsweredNow(each, now.get(each.id), when)));
}

/** What is sent, and by whom. */
function lineOf({ actor, request }: Resendable): string {
  return `${actor} ${addressOf(request)} ${JSON.stringify(request.headers)} ${String(request.body)}`;
}

/** Without its line where it is answered otherwise now, and that for no other reason than itself. */
function asAnsweredNow(
  evidence: EvidenceExchange,
  status: number | undefined,
  when: string,
): EvidenceExchange {
  return [undefined, 429, evidence.response?.status].includes(status)
    ? evidence
    : withoutCurl(evidence, `${when} it was answered with ${status}`);
}
