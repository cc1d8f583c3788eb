import { jsonAnswer } from '../../../reference/model/answer.ts';
import type { Role, World } from '../../../reference/model/world.ts';
import { listOf, objectOf, spoilBody } from '../../mutants/base/spoil-answer.ts';
import type { OutgoingReceipt } from '../../../reference/rules/receipts.ts';
import { askAs } from '../base/ask-as.ts';
import { alternatives, leavingOpen, openBy, type Overlay, type Variant } from '../base/variant.ts';

/** How long a report is not seen with its message, in ms. */
const shownAfterMs = 250;
/** How long one is not seen in the list, in ms. */
const listedAfterMs = 1200;
/** Messages that one report counts for. */
const mostInReport = 10;
/** How long one stays in a queue, in ms. */
const queuedMs = 2500;
/** How far the clock of one of two hosts is ahead, in ms. */
const hostAheadMs = 5000;

/** Who counts as having retrieved a message. */
export const receiptVariants: readonly Variant[] = [
  ...alternatives(
    openBy('receipts-list.shapes', {
      'receipts-refer-to-messages-by-number': listedAs((receipts) => ({
        messages: [...new Set(receipts.map((each) => each.message_id))].map((id) => ({
          id,
          receipt_ids: receipts.flatMap((each, at) => (each.message_id === id ? at : [])),
        })),
        receipts: receipts.map(({ agent_id, recorded_at }, id) => ({ id, agent_id, recorded_at })),
      })),
      'receipts-are-listed-in-columns': listedAs((receipts) => ({
        message_id: receipts.map((each) => each.message_id),
        agent_id: receipts.map((each) => each.agent_id),
      })),
      'receipts-name-agents-by-kind': listedAs((receipts) => ({
        receipts: receipts.map(({ agent_id, ...others }) => ({ ...others, principal: `agent:${agent_id}` })),
      })),
      'receipts-are-listed-one-a-page': ({ rules }) => ({
        readLimit: (text, min, max, route) =>
          route === 'receipts' ? 1 : rules.readLimit(text, min, max, route),
        defaultLimit: (route, after) => (route === 'receipts' ? 1 : rules.defaultLimit(route, after)),
      }),
    }),
  ),
  ...leavingOpen({
    'the-authors-own-report-is-announced: the author is left out of the preview; that its retrieval is recorded is not excluded, and lies beyond it':
      { isAnnounced: () => true },
    'a-send-records-its-author: an author has its message by the answer to its send, and no preview lists it; what is recorded lies beyond':
      { recordsAuthorOnSend: () => true, isAnnounced: () => true },
    'retrievals-are-timed-in-seconds: the order of a preview is by time of recording, then by UUID; how precise that time is is not said':
      { recordedMs: (nowMs) => nowMs - (nowMs % 1000) },
    'retrievals-are-shown-later: a report shows in a later fetch; how much later is not said': ({
      rules,
      sources,
    }) => ({
      isPreviewed: (receipt, authorId) =>
        rules.isPreviewed(receipt, authorId) && sources.now() - receipt.recordedMs >= shownAfterMs,
    }),
    'hosts-time-retrievals-by-clocks-of-their-own: by whose clock a time of recording is told is not said': ({
      nth,
    }) => ({ recordedMs: (nowMs) => (nth(2) ? nowMs + hostAheadMs : nowMs) }),
    'some-reports-wait-in-a-queue: a report shows in a later fetch; that it is recorded once it is taken is not said':
      ({ rules, sources }) => {
        const isRecorded = (agentId: string, recordedMs: number): boolean =>
          isQueued(agentId) ? sources.now() - recordedMs >= queuedMs : true;
        return {
          rules: {
            isPreviewed: (receipt, authorId) =>
              rules.isPreviewed(receipt, authorId) && isRecorded(receipt.agentId, receipt.recordedMs),
          },
          ...spoilBody('receipts', (body) => {
            const { receipts } = body;
            // Another variant may lay the list out in its own way.
            if (!Array.isArray(receipts)) return body;
            const recorded = receipts.filter((each) => {
              const { agent_id: agentId, recorded_at: at } = objectOf(each);
              return isRecorded(String(agentId), Date.parse(String(at)));
            });
            return { ...body, receipts: recorded };
          }),
        };
      },
    'the-list-of-receipts-is-behind-the-previews: a report shows in a later fetch; that it comes to the list as soon as it shows with its message is not said':
      ({ sources }) =>
        spoilBody('receipts', (body) => {
          const { receipts } = body;
          // Another variant may lay the list out in its own way.
          if (!Array.isArray(receipts)) return body;
          const isThere = (each: unknown): boolean =>
            sources.now() - Date.parse(String(objectOf(each)['recorded_at'])) >= listedAfterMs;
          return { ...body, receipts: receipts.filter(isThere) };
        }),
    'a-report-counts-for-ten-messages-and-says-so: service.other-operations: how a retrieval is reported, and how many messages one report may name, is not shown':
      {
        rules: { countsInReport: (place) => place < mostInReport },
        answer: (answer, { route }) =>
          route === 'reportReceipts' && answer.status === 204
            ? jsonAnswer(200, { counted_at_most: mostInReport })
            : undefined,
      },
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
  }),
];

/** What a list of receipts holds, in another form. */
function listedAs(form: (receipts: readonly OutgoingReceipt[]) => object): Overlay {
  return spoilBody('receipts', ({ receipts, page }) => ({
    ...form(listOf(receipts) as readonly OutgoingReceipt[]),
    page,
  }));
}

/** About one agent in two. */
function isQueued(agentId: string): boolean {
  return /[02468ace]$/i.test(agentId);
}

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
