import { isRecord } from '../../spec/calls/index.ts';
import type { Exchange, ReceivedResponse } from '../../harness/client/exchange.ts';
import { messageIn } from '../../harness/stream/message-list.ts';
import { mapsEveryProvider } from '../../harness/wire/provider-words.ts';
import { judgeWire, type WireFacts } from '../../harness/wire/wire-judgement.ts';
import { isOfTheContract } from '../../spec/oracles/requests/contract-request.ts';
import type { CaseFailure } from './failure.ts';

/** What the form of an answer is held against. */
export interface FormFacts extends WireFacts {
  /**
   * True of the content of a message whose form an answer is judged by. Others were stored by some case, or by somebody
   * else: what is wrong with one is the matter of whoever sent it, and no further finding wherever it shows.
   */
  readonly isJudgedHere: (content: string | undefined) => boolean;
}

/** What is wrong with the form of one answer, whatever was asked. */
export function formFailures(exchange: Exchange, facts: FormFacts): readonly CaseFailure[] {
  const { request, response } = exchange;
  // Answers given below every handler have the form that their author likes.
  if (response === undefined || !isOfTheContract(request)) return [];
  const { problems = [] } = judgeWire(withoutOthers(exchange, response, facts), facts) ?? {};
  const areWordsKnown = mapsEveryProvider(facts.names);
  const counted = problems.filter(({ mayBeOwnWord }) => mayBeOwnWord !== true || areWordsKnown);
  return counted.map(({ clause, part, expected, actual }) => ({
    clause,
    // What is wrong with bodies is so whatever is asked.
    part: part === request.call ? 'every call' : part,
    call: request.call,
    seenIn: 'answer',
    expected,
    actual,
  }));
}

/** The answer without the mentions of messages that are judged elsewhere. */
function withoutOthers(
  exchange: Exchange,
  response: ReceivedResponse,
  { isJudgedHere }: FormFacts,
): Exchange {
  const { json } = response;
  if (exchange.request.call !== 'mentions' || !isRecord(json)) return exchange;
  const { mentions: entries } = json;
  // Where no message has a content at all, that is wrong with all of them.
  if (!Array.isArray(entries) || !entries.some((entry) => typeof contentOf(entry) === 'string'))
    return exchange;
  const mentions = entries.filter((entry) => !isRecord(entry) || isJudgedHere(contentOf(entry)));
  return { ...exchange, response: { ...response, json: { ...json, mentions } } };
}

function contentOf(entry: unknown): string | undefined {
  const content = isRecord(entry) ? messageIn(entry)['content'] : undefined;
  return typeof content === 'string' ? content : undefined;
}
