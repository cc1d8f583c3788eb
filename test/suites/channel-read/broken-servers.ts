import type { Answer, AnswerHook, OutgoingMessage, OutgoingPage, Rules } from '../../../reference/index.ts';
import { contractRules } from '../../../reference/index.ts';
import type { ReferenceOptions } from '../run-suite.ts';

/** A reference with one thing broken, and every finding that the checks of channel reads must come to. */
export interface BrokenServer {
  readonly name: string;
  readonly findings: readonly string[];
  /** Inferred rules that it may break as well, as the timing has it. */
  readonly mayAlso?: readonly string[];
  /** Checks that are run; unless given all but the two that take longest, or every one. */
  readonly only?: readonly string[] | 'every one';
  /** What somebody else goes on sending with the author's token while the checks run. */
  readonly foreign?: string;
  /** Made anew for each run: some of them remember. */
  readonly options: () => ReferenceOptions;
}

interface ReadBody {
  readonly messages: readonly OutgoingMessage[];
  readonly page: OutgoingPage;
}

function rules(broken: Partial<Rules>): ReferenceOptions {
  return { rules: { ...contractRules, ...broken } };
}

/** Replaces the answer of a channel read, asked with the given query by the given agent. */
function onRead(
  spoil: (
    body: ReadBody,
    asked: { readonly query: Readonly<Record<string, string>>; readonly agentId: string | null },
    answer: Answer,
  ) => Answer | ReadBody | undefined | Promise<undefined>,
): ReferenceOptions {
  const answer: AnswerHook = async (given, { route, query, actor }) => {
    if (route !== 'read' || given.status !== 200) return undefined;
    const spoiled = await spoil(given.body as ReadBody, { query, agentId: actor?.agentId ?? null }, given);
    if (spoiled === undefined) return undefined;
    return 'status' in spoiled ? spoiled : { ...given, body: spoiled };
  };
  return { answer };
}

/** A page cut down to what is `kept` of it, with the cursor that belongs to that. */
function onlyVisible(
  { messages, page }: ReadBody,
  after: bigint,
  isVisible: (message: OutgoingMessage) => boolean,
): ReadBody {
  const end = messages.findIndex((message) => !isVisible(message));
  if (end === -1) return { messages, page };
  const kept = messages.slice(0, end);
  const next = BigInt(kept.at(-1)?.sequence ?? after);
  return { messages: kept, page: { ...page, next_after: next, has_more: false } };
}

const cursorOf = ({ after }: Readonly<Record<string, string>>): bigint => BigInt(after ?? 0);

function evenly(sequence: bigint): bigint {
  return sequence + (sequence % 2n);
}

export const brokenServers: readonly BrokenServer[] = [
  {
    name: 'reads without a limit succeed with a status of their own',
    findings: ['channel-read.success-is-2xx failed'],
    options: () =>
      onRead((body, { query }, answer) =>
        query['limit'] === undefined ? { ...answer, status: 300, body } : undefined,
      ),
  },
  {
    name: 'the greatest limit is 99',
    findings: ['channel-read.limit-100-accepted failed'],
    only: 'every one',
    options: () => rules({ maxLimit: (route) => (route === 'read' ? 99 : 100) }),
  },
  {
    name: 'pages hold one message more than asked for',
    findings: ['channel-read.limit-respected warned'],
    options: () =>
      rules({
        readLimit: (text, min, max, route) =>
          Math.min(max, (contractRules.readLimit(text, min, max, route) ?? 0) + (route === 'read' ? 1 : 0)) ||
          undefined,
      }),
  },
  {
    name: 'any channel can be read',
    findings: ['channel-read.unknown-channel warned'],
    options: () => ({
      answer: (given, { route, query }) =>
        route === 'read' && given.status === 404
          ? {
              ...given,
              status: 200,
              body: {
                messages: [],
                page: { next_after: cursorOf(query), has_more: false, high_watermark: 0 },
              },
            }
          : undefined,
    }),
  },
  {
    name: 'pages fall by sequence',
    findings: ['channel-read.ascending failed'],
    only: 'every one',
    options: () =>
      rules({
        comparePlaces: (left, right) =>
          (left.stream === 'channel' ? -1 : 1) * contractRules.comparePlaces(left, right),
      }),
  },
  {
    name: 'pages without a cursor fall by sequence',
    findings: ['channel-read.ascending failed'],
    options: () =>
      onRead(({ messages, page }, { query }) =>
        query['after'] === undefined ? { messages: messages.toReversed(), page } : undefined,
      ),
  },
  {
    name: 'two messages share a number',
    findings: ['channel-read.no-duplicate-sequence failed'],
    only: 'every one',
    options: () =>
      rules({
        presentMessage: (message, route) =>
          route === 'read' ? { ...message, sequence: evenly(BigInt(message.sequence)) } : message,
        nextAfter: (facts) => {
          const next = contractRules.nextAfter(facts);
          return facts.stream === 'channel' ? evenly(next) : next;
        },
      }),
  },
  {
    name: 'messages are renumbered as time goes by',
    findings: ['channel-read.sequence-names-one-message failed'],
    options: () => {
      const startedMs = performance.now();
      const shift = (): bigint => BigInt(Math.floor((performance.now() - startedMs) / 150));
      const ofChannel = (stream: string, value: bigint): bigint => (stream === 'channel' ? value : 0n);
      return rules({
        presentMessage: (message, route) =>
          route === 'read' ? { ...message, sequence: BigInt(message.sequence) + shift() } : message,
        firstSequenceAfter: (after, stream) => after + 1n - ofChannel(stream, after === 0n ? 0n : shift()),
        nextAfter: (facts) =>
          contractRules.nextAfter(facts) + ofChannel(facts.stream, facts.entries.length > 0 ? shift() : 0n),
        highWatermark: (facts) => facts.streamEnd + ofChannel(facts.stream, shift() + 1n),
      });
    },
  },
  {
    name: 'the cursor is inclusive',
    findings: ['channel-read.after-exclusive failed'],
    options: () =>
      rules({
        firstSequenceAfter: (after, stream) => (stream === 'channel' && after > 0n ? after : after + 1n),
      }),
  },
  {
    name: 'the cursor is ignored',
    findings: ['channel-read.after-exclusive failed'],
    options: () => rules({ firstSequenceAfter: (after, stream) => (stream === 'channel' ? 1n : after + 1n) }),
  },
  {
    name: 'a read from 0 leaves out the first message',
    findings: ['channel-read.after-zero failed'],
    options: () =>
      rules({
        firstSequenceAfter: (after, stream) => (stream === 'channel' && after === 0n ? 2n : after + 1n),
      }),
  },
  {
    name: 'a cursor that is no number counts as 0',
    findings: ['channel-read.after-type warned'],
    options: () =>
      rules({
        readAfter: (text, route) =>
          contractRules.readAfter(text, route) ?? (/^[a-z]/.test(text) ? 0n : undefined),
      }),
  },
  {
    name: 'a negative cursor counts as 0',
    findings: ['channel-read.after-negative warned'],
    options: () =>
      rules({
        readAfter: (text, route) =>
          contractRules.readAfter(text, route) ?? (text.startsWith('-') ? 0n : undefined),
      }),
  },
  {
    name: 'some cursors conflict that were given out',
    findings: ['channel-read.issued-cursor-is-no-conflict warned'],
    options: () => rules({ conflictsWithWatermark: ({ after }) => after > 0n && after % 5n === 3n }),
  },
  {
    name: 'next_after is the last message but one',
    findings: ['page.next-after-not-behind-items failed'],
    options: () =>
      rules({
        nextAfter: (facts) =>
          (facts.stream === 'channel' ? facts.entries.at(-2)?.sequence : undefined) ??
          contractRules.nextAfter(facts),
      }),
  },
  {
    name: 'next_after is the cursor that was asked with',
    findings: ['page.next-after-passes-the-cursor failed'],
    options: () =>
      rules({
        nextAfter: (facts) =>
          facts.stream === 'channel' && facts.isMoreAbove
            ? (facts.after ?? 0n)
            : contractRules.nextAfter(facts),
      }),
  },
  {
    name: 'small pages stay empty and announce more',
    findings: ['page.empty-page-moves-on failed'],
    options: () =>
      onRead(({ page }, { query }) =>
        query['limit'] === '2'
          ? { messages: [], page: { ...page, next_after: cursorOf(query), has_more: true } }
          : undefined,
      ),
  },
  {
    name: 'a message over the byte cap is never put on a page',
    findings: ['page.empty-page-moves-on failed'],
    only: 'every one',
    options: () => ({
      ...rules({ fitsOnPage: ({ bytes, nextBytes, capBytes }) => bytes + nextBytes <= capBytes }),
      settings: { historyBytes: 400_000 },
    }),
  },
  {
    name: 'the cursor of an empty page falls back',
    findings: ['page.next-after-never-falls-back failed'],
    options: () =>
      rules({
        nextAfter: (facts) =>
          contractRules.nextAfter(facts) -
          (facts.stream === 'channel' && facts.entries.length === 0 && (facts.after ?? 0n) > 0n ? 1n : 0n),
      }),
  },
  {
    name: 'has_more is always true',
    findings: ['page.empty-page-moves-on failed'],
    options: () => rules({ hasMore: (facts) => facts.stream === 'channel' || facts.isMoreAbove }),
  },
  {
    name: 'has_more is never true',
    findings: ['page.has-more-while-items-remain failed'],
    only: 'every one',
    options: () => rules({ hasMore: (facts) => facts.stream !== 'channel' && facts.isMoreAbove }),
  },
  {
    name: 'has_more overlooks a single message',
    findings: ['page.has-more-while-items-remain failed'],
    options: () =>
      rules({
        hasMore: (facts) =>
          facts.isMoreAbove &&
          (facts.stream !== 'channel' || facts.streamEnd > (facts.entries.at(-1)?.sequence ?? 0n) + 1n),
      }),
  },
  {
    name: 'has_more is false where the byte cap cut the page',
    findings: ['page.has-more-while-items-remain failed'],
    only: 'every one',
    options: () =>
      rules({ hasMore: (facts) => facts.isMoreAbove && !(facts.stream === 'channel' && facts.isCutByBytes) }),
  },
  {
    name: 'the watermark lags behind',
    findings: ['page.high-watermark-covers-the-page warned'],
    options: () =>
      rules({
        highWatermark: (facts) => (facts.stream === 'channel' ? facts.streamEnd / 2n : facts.streamEnd),
      }),
  },
  {
    name: 'the watermark is that of the page',
    findings: ['page.high-watermark-never-falls warned'],
    options: () =>
      rules({
        highWatermark: (facts) =>
          facts.stream === 'channel' ? contractRules.nextAfter(facts) : facts.streamEnd,
      }),
  },
  {
    name: 'next_after is one beyond the last message',
    findings: ['channel-read.walk-is-complete failed'],
    only: 'every one',
    options: () =>
      rules({
        nextAfter: (facts) => contractRules.nextAfter(facts) + (facts.stream === 'channel' ? 1n : 0n),
      }),
  },
  {
    name: 'next_after is the end of the channel',
    findings: ['channel-read.walk-is-complete failed'],
    options: () =>
      rules({
        nextAfter: (facts) => (facts.stream === 'channel' ? facts.streamEnd : contractRules.nextAfter(facts)),
      }),
  },
  {
    name: 'pages of more than three lack their second message',
    findings: ['channel-read.walk-is-complete failed'],
    only: 'every one',
    options: () =>
      onRead(({ messages, page }) =>
        messages.length > 3 ? { messages: messages.toSpliced(1, 1), page } : undefined,
      ),
  },
  {
    name: 'full pages of 100 lack their last message',
    findings: ['channel-read.walk-is-complete failed'],
    foreign: 'cf-0000000000000000-1. of another run',
    options: () =>
      onRead(({ messages, page }) =>
        messages.length === 100 ? { messages: messages.slice(0, 99), page } : undefined,
      ),
  },
  {
    name: 'every other message is visible later than its number allows',
    findings: ['channel-read.cursor-never-skips failed'],
    mayAlso: ['channel-read.reads-own-writes warned'],
    options: () =>
      rules({
        commitDelayMs: (entry) => (entry.stream === 'channel' && entry.sequence % 2n === 1n ? 25 : 0),
      }),
  },
  {
    name: 'longer messages are visible later than their number allows',
    findings: ['channel-read.cursor-never-skips failed'],
    options: () =>
      rules({ commitDelayMs: (entry) => (entry.stream === 'channel' && entry.sizeBytes > 4000 ? 25 : 0) }),
  },
  {
    name: 'one message in eight is lost',
    findings: ['service.sent-is-readable failed'],
    options: () => {
      let count = 0;
      return rules({ listsAcceptedSend: () => (count += 1) % 8 !== 3 });
    },
  },
  {
    name: 'others do not see what the author sent',
    findings: ['service.channels-are-shared warned'],
    options: () =>
      onRead(({ messages, page }, { agentId }) => ({
        messages: messages.filter(({ author }) => author.id === agentId),
        page,
      })),
  },
  {
    name: 'reading uses messages up',
    findings: ['channel-read.reads-repeat failed'],
    options: () => {
      const used = new Set<string>();
      return onRead(({ messages, page }, { agentId }) => {
        const fresh = messages.filter(({ id }) => !used.has(`${agentId} ${id}`));
        for (const { id } of fresh) used.add(`${agentId} ${id}`);
        return { messages: fresh, page };
      });
    },
  },
  {
    name: 'an agent sees its own messages late',
    findings: ['channel-read.reads-own-writes warned'],
    options: () => rules({ snapshotAgeMs: (stream) => (stream === 'channel' ? 40 : 0) }),
  },
  {
    name: 'an agent sees the messages of others later than those do',
    findings: ['channel-read.recency warned'],
    only: ['channel-read.message-read-by-one-agent-is-found-by-another'],
    options: () =>
      onRead((body, { query, agentId }) =>
        onlyVisible(
          body,
          cursorOf(query),
          ({ author, created_at: at }) => author.id === agentId || Date.now() - Date.parse(at) > 40,
        ),
      ),
  },
  {
    name: 'every other read is behind in what others have sent',
    findings: ['channel-read.reads-are-monotonic warned'],
    only: ['channel-read.reads-are-monotonic'],
    options: () => {
      let reads = 0;
      return onRead((body, { query, agentId }) => {
        reads += 1;
        const ageMs = reads % 2 === 0 ? 0 : 60;
        return onlyVisible(
          body,
          cursorOf(query),
          ({ author, created_at: at }) => author.id === agentId || Date.now() - Date.parse(at) >= ageMs,
        );
      });
    },
  },
  {
    name: 'a wait of 25 seconds is too long',
    findings: ['channel-read.wait-25-accepted failed'],
    only: 'every one',
    options: () => rules({ readWait: (text) => (Number(text) <= 20 ? Number(text) : undefined) }),
  },
  {
    name: 'a waiting read waits although messages are there',
    findings: ['channel-read.wait-answers-at-once warned'],
    options: () =>
      onRead(async ({ messages }, { query }) => {
        if (query['wait'] === '25' && messages.length > 1)
          await new Promise((resolve) => setTimeout(resolve, 3000).unref());
        return undefined;
      }),
  },
  {
    name: 'messages wake nobody',
    findings: ['channel-read.wait-wakes warned'],
    only: 'every one',
    options: () => rules({ wakesPolls: () => false }),
  },
  {
    name: 'messages turn up that the author never sent',
    findings: ['channel-read.nothing-unsent warned'],
    foreign: 'a message that nobody sent',
    options: () => ({}),
  },
];
