import type { Role, World } from '../../../reference/model/world.ts';
import { objectOf } from '../../mutants/base/spoil-answer.ts';
import { askAs } from '../base/ask-as.ts';
import { leavingOpen, type Overlay, type Variant } from '../base/variant.ts';

/** How long a report is not seen with its message, in ms. */
const shownAfterMs = 250;

/** Who counts as having retrieved a message. */
export const receiptVariants: readonly Variant[] = leavingOpen({
  'the-authors-own-report-is-announced: the author is left out of the preview; that its retrieval is recorded is not excluded, and lies beyond it':
    { isAnnounced: () => true },
  'retrievals-are-timed-in-seconds: the order of a preview is by time of recording, then by UUID; how precise that time is is not said':
    { recordedMs: (nowMs) => nowMs - (nowMs % 1000) },
  'retrievals-are-shown-later: a report shows in a later fetch; how much later is not said': ({
    rules,
    sources,
  }) => ({
    isPreviewed: (receipt, authorId) =>
      rules.isPreviewed(receipt, authorId) && sources.now() - receipt.recordedMs >= shownAfterMs,
  }),
  'previews-come-from-replicas: nothing says that a preview is as recent as the one before': ({
    rules,
    random,
    sources,
  }) => ({
    isPreviewed: (receipt, authorId) =>
      rules.isPreviewed(receipt, authorId) && receipt.recordedMs <= sources.now() - random() * 120,
  }),
  'receipts-are-listed-newest-first: receipts-list.shapes: the order of the list, and what a cursor of it means later, are not shown':
    () => newestFirst(),
  'a-preview-says-that-there-are-no-more: has_more is absent or false where there are no more; that it is never false is read into it':
    {
      // Its type knows the one value that the contract names.
      presentReceipts: (agentIds, isMore) => ({
        retrieved: { agent_ids: [...agentIds], has_more: isMore as true },
      }),
    },
});

/** A list of receipts that begins with the newest, and whose cursors count how many were listed before. */
function newestFirst(): Overlay {
  const isOwn = { 'x-whole-list': 'true' };
  let baseUrl = '';
  const wholeList = async (path: string, authorization: string): Promise<readonly unknown[] | undefined> => {
    const receipts: unknown[] = [];
    for (let [after, hasMore] = [0, true]; hasMore;) {
      const headers = { ...isOwn, authorization };
      const answer = await fetch(`${baseUrl}${path}?after=${after}&limit=100`, { headers });
      const body = (await answer.json()) as Partial<ReceiptsBody>;
      // A limit, the end of a credential, or another variant that lays the list out in its own way.
      if (body.receipts === undefined || body.page === undefined) return undefined;
      receipts.unshift(...body.receipts.toReversed());
      ({ next_after: after, has_more: hasMore } = body.page);
    }
    return receipts;
  };
  return {
    company: ({ baseUrl: address, world: { channelId, roles } }) => {
      baseUrl = address;
      // Before anybody else reports.
      const reporting = reportAll(`${baseUrl}/v0/channels/${channelId}`, roles);
      return () => reporting;
    },
    answer: async (answer, { route, path, query, headers }) => {
      if (route !== 'receipts' || answer.status !== 200 || 'x-whole-list' in headers) return undefined;
      const all = await wholeList(path, String(headers['authorization'])).catch(() => undefined);
      if (all === undefined) return undefined;
      const [from, limit] = [Number(query['after'] ?? 0), Number(query['limit'] ?? 50)];
      const receipts = all.slice(from, from + limit);
      const next_after = from + receipts.length;
      const page = { next_after, has_more: next_after < all.length, high_watermark: all.length };
      return { ...answer, body: { receipts, page } };
    },
  };
}

interface ReceiptsBody {
  readonly receipts: readonly unknown[];
  readonly page: { readonly next_after: number; readonly has_more: boolean };
}

/** Has agents of the workspace send a message each, and report that they retrieved all of them. */
async function reportAll(channelUrl: string, { apiKey, author, peer }: World['roles']): Promise<void> {
  const post = async (path: string, { token }: Role, body: object): Promise<unknown> => {
    const answer = await askAs(channelUrl, token, `/${path}`, { body });
    return answer.status === 201 ? answer.json() : undefined;
  };
  const sent = await Promise.all(
    [author, peer].map((each) => post('messages', each, { content: 'retrieved by all' })),
  );
  // Where another variant refuses a send, or answers it in its own way, there is one less.
  const message_ids = sent.flatMap((each) => objectOf(objectOf(each)['message'])['id'] ?? []);
  for (const each of [peer, apiKey]) await post('receipts', each, { message_ids });
}
