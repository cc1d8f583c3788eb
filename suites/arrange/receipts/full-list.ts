import { listReceipts } from '../../../spec/calls/index.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import { readPage } from '../../../harness/stream/page.ts';
import { walk } from '../../../harness/stream/walk.ts';
import { describeAnswer } from '../../../harness/verdict/outcome.ts';
import { valuesOf } from '../../../spec/oracles/values/json-texts.ts';

/** Pages that are read of a list at most: a channel may have known many retrievals. */
const maxPages = 300;

/** The list of a channel's retrievals, read on as the contract has pages read. */
export interface FullList {
  readonly answers: readonly Exchange[];
  /** Where a next reading goes on; `undefined` when the answers have no cursor. */
  readonly end: bigint | undefined;
  /** Why it may not be all; `undefined` when it was read to its end. */
  readonly problem: string | undefined;
}

/** Reads the receipts of a channel, from a cursor on or, without one, as the server begins. */
export async function readFullList(
  actor: Actor,
  channelId: string,
  { limit }: { limit?: number } = {},
): Promise<FullList> {
  const ask = async (after: bigint | undefined) =>
    readPage(await actor.request(listReceipts(channelId, { after, limit })));
  const { pages, nextAfter: end, problem, isComplete } = await walk(ask, undefined, { maxPages });
  const answers = pages.map(({ exchange }) => exchange);
  const [first] = answers;
  if (first !== undefined && !isAccepted(first)) return { answers, end, problem: describeAnswer(first) };
  if (isComplete || isWhole(first)) return { answers, end, problem: undefined };
  return { answers, end, problem: problem ?? 'the list has no page that says whether more follows' };
}

/** An answer without a page of the contract's kind is all there is when it says so. */
function isWhole(answer: Exchange | undefined): boolean {
  const json = answer?.response?.json;
  if (typeof json !== 'object' || json === null || 'page' in json) return false;
  const hasMore = valuesOf(json, 'has_more');
  return hasMore.length > 0 && !hasMore.includes(true);
}
