import { isRecord, listReceipts } from '../../../spec/calls/index.ts';
import type { Always } from '../../../harness/check/context.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, isRefusal, type Exchange } from '../../../harness/client/exchange.ts';
import { readPage, type PageRead } from '../../../harness/stream/page.ts';
import { walk } from '../../../harness/stream/walk.ts';
import { describeAnswer } from '../../../harness/verdict/outcome.ts';
import { judgeListed, tiesRetrievals } from '../../../spec/oracles/answers/receipts.ts';
import { asText } from '../../../spec/oracles/values/json-texts.ts';
import type { Judgement } from '../../../spec/oracles/values/judgement.ts';
import { asLongAsThereIsHope } from '../eventually.ts';

/** Pages that are read of a list at most: a channel may have known many retrievals. */
const maxPages = 300;

/** The list of a channel's retrievals, read on as the contract has pages read. */
export interface FullList {
  readonly answers: readonly Exchange[];
  /** Why it may not be all; `undefined` when it was read to its end. */
  readonly problem: string | undefined;
}

/**
 * Reads the receipts of a channel as the server begins; and where that is not the begin, as the newest mentions are not, from the cursor 0
 * on too.
 */
export async function readFullList(
  actor: Actor,
  channelId: string,
  { limit }: { limit?: number } = {},
): Promise<FullList> {
  const ask = async (after: bigint | undefined) =>
    readPage(await actor.request(listReceipts(channelId, { after, limit })));
  const begun = await readOn(ask, undefined);
  if (begun.problem !== undefined) return begun;
  const { exchange: oldest } = await ask(0n);
  const [first] = begun.answers;
  if (isRefusal(oldest) || asText(oldest.response?.json) === asText(first?.response?.json)) return begun;
  const { answers, problem } = await readOn(ask, 0n);
  return { answers: [...begun.answers, ...answers], problem };
}

/** A message, and the agents that its list has to have. */
type Due = Parameters<typeof judgeListed>[0];

/** What a list shows of agents that reported, and the answers that it came in. */
interface ListedReports extends FullList {
  readonly judgement: Judgement;
  /** Whether it ties a message to an agent by their ids. */
  readonly isByIds: boolean;
}

/**
 * Reads the receipts of a channel until all that reported are in it, which is waited for: a report shows in a later fetch, and no words say
 * that it comes to this list as soon as it shows with its message.
 */
export function awaitFullList(
  context: Pick<Always, 'settleMs' | 'clock' | 'sleep'>,
  { actor, channelId, limit }: { readonly actor: Actor; readonly channelId: string; readonly limit?: number },
  due: Due,
): Promise<ListedReports> {
  const ids = due.map(({ messageId }) => messageId);
  const agents = due.flatMap(({ reporters }) => reporters);
  const read = async (): Promise<ListedReports> => {
    const list = await readFullList(actor, channelId, limit === undefined ? {} : { limit });
    const bodies = list.answers.map(({ response }) => response?.json);
    return { ...list, judgement: judgeListed(due, bodies), isByIds: tiesRetrievals(ids, agents, bodies) };
  };
  return asLongAsThereIsHope(context, read, {
    isEnough: (list) => list.problem !== undefined || list.judgement.problems.length === 0,
    // One of another form never comes to have them, however long it is waited for.
    isNothing: (list) => list.problem === undefined && list.isByIds && list.judgement.problems.length > 0,
  });
}

/**
 * Whether all that reported are in the list of a channel, which is waited for; `undefined` where the list cannot be read to its end, or
 * ties no message to an agent by their ids.
 */
export async function reportersInList(
  context: Pick<Always, 'settleMs' | 'clock' | 'sleep'>,
  of: { readonly actor: Actor; readonly channelId: string },
  reported: readonly { readonly messageId: string; readonly reporters: readonly string[] }[],
): Promise<ListedReports | undefined> {
  // Who has reported is recorded, in the preview or beyond it.
  const due = reported.map((each) => ({ ...each, preview: { agentIds: each.reporters, hasMore: false } }));
  const list = await awaitFullList(context, of, due);
  return list.problem === undefined && list.isByIds ? list : undefined;
}

async function readOn(
  ask: (after: bigint | undefined) => Promise<PageRead>,
  from: bigint | undefined,
): Promise<FullList> {
  const { pages, problem, isComplete } = await walk(ask, from, { maxPages });
  const answers = pages.map(({ exchange }) => exchange);
  const [first] = answers;
  if (first !== undefined && !isAccepted(first)) return { answers, problem: describeAnswer(first) };
  if (isComplete || isWhole(first)) return { answers, problem: undefined };
  return { answers, problem: problem ?? 'the list has no page that says whether more follows' };
}

/** An answer without a page of the contract's kind is all there is when it says so, and has nothing that may be a cursor. */
function isWhole(answer: Exchange | undefined): boolean {
  const json = answer?.response?.json;
  if (!isRecord(json) || 'page' in json || json['has_more'] !== false) return false;
  return Object.values(json).every((each) => typeof each === 'object' || typeof each === 'boolean');
}
