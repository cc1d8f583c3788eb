import { idIn, isRecord, pairsOf, parameterOf } from '../../calls/index.ts';
import type { CallName, JsonRecord } from '../../calls/index.ts';
import { headerOf, isAccepted } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { readPage } from '../../harness/stream/page.ts';
import type { PageItem, PageRead } from '../../harness/stream/page.ts';
import { defaultLimit, judgeMentionIds, judgeMessagesWithinLimit } from '../../oracles/answers/feed.ts';
import { hasId, isSameId, judgeIsRequested, judgeSameWorkspace } from '../../oracles/answers/overview.ts';
import {
  judgeNextNotBehindItems,
  judgeNextPassesTheCursor,
  judgeWatermarkCoversThePage,
} from '../../oracles/pages/cursor.ts';
import {
  judgeAscending,
  judgeDistinctMessages,
  judgeDistinctSequences,
  judgeExclusive,
  judgeOnceInPage,
  judgeWithinLimit,
} from '../../oracles/pages/order.ts';
import { judgeIdsStandOnce } from '../../oracles/pages/places.ts';
import { idsIn, textsIn } from '../../oracles/values/json-texts.ts';
import type { Judgement, Problem } from '../../oracles/values/judgement.ts';
import type { ClauseId } from '../../spec/index.ts';
import { readInteger } from '../../oracles/requests/expect-query.ts';
import type { CaseFailure } from './failure.ts';
import type { SmallestPage } from './smallest-page.ts';

/** What must be known of the target and the run to judge what an answer shows. */
export interface ShownFacts {
  readonly workspaceId: string | undefined;
  readonly channelId: string | undefined;
  readonly secondChannelId: string | undefined;
  /** Field of a channel read that holds the messages; found by its shape when `undefined`. */
  readonly itemsField: string | undefined;
  readonly agentIdHeader: string;
  /** True of the content of a message that was arranged before the first case: others are judged by who sent them. */
  readonly isArranged: (content: string | undefined) => boolean;
  /** Learned from the pages that are judged. */
  readonly smallestPage: SmallestPage;
}

type Rule = readonly [ClauseId, Judgement];

/** Rules that one accepted answer keeps or breaks by itself, beyond those about its form. */
export function judgeShown(exchange: Exchange, facts: ShownFacts): readonly CaseFailure[] {
  if (!isAccepted(exchange)) return [];
  const { call } = exchange.request;
  // What one answer breaks is one finding, of all its clauses.
  return rulesOf(exchange, facts).flatMap(([clause, { problems }]) =>
    problems.slice(0, 1).map((problem) => failureOf(clause, call, problem)),
  );
}

function failureOf(clause: ClauseId, call: CallName, { expected, actual }: Problem): CaseFailure {
  return { clause, part: 'one answer', call, seenIn: 'answer', expected, actual };
}

function rulesOf(exchange: Exchange, facts: ShownFacts): readonly Rule[] {
  switch (exchange.request.call) {
    case 'mentions':
      return mentionsRules(pageOf(exchange, facts), exchange, facts);
    case 'channel-read':
      return channelRules(pageOf(exchange, facts), exchange, facts);
    case 'overview':
      return overviewRules(exchange, facts);
    case 'channels-list':
      return [['channels-list.lists-a-known-one', listsTheChannel(exchange, facts)]];
    default:
      return [];
  }
}

/** The page with what it was asked for, as far as nobody disputes that. */
function pageOf(exchange: Exchange, { itemsField }: ShownFacts): PageRead {
  const { query, call } = exchange.request;
  const integerAt = (name: string): bigint | undefined => {
    const value = readInteger(parameterOf(query, name) ?? '');
    return value.kind === 'integer' ? value.value : undefined;
  };
  const limit = integerAt('limit');
  const asked = {
    after: integerAt('after'),
    limit: limit === undefined || limit < 1n || limit > 100n ? undefined : Number(limit),
  };
  return readPage(exchange, asked, call === 'mentions' ? 'mentions' : itemsField);
}

function mentionsRules(page: PageRead, exchange: Exchange, facts: ShownFacts): readonly Rule[] {
  const { items, after } = page;
  // In the feeds of others there may be what is of another workspace, or of another campaign of theirs.
  const isAuthors = exchange.actor === 'author';
  const own = items.filter(({ content }) => isAuthors && facts.isArranged(content));
  return [
    [after === undefined ? 'mentions.newest-page-ascends' : 'mentions.ascending', judgeAscending(items)],
    // One event may be listed once for each of the targets by which it matches.
    ['mentions.no-duplicate-sequence', judgeDistinctMessages(items)],
    ['mentions.after.exclusive', judgeExclusive(page)],
    // Ours name one target of whoever reads them: others may be listed once for each.
    ['mentions.duplicate-message', judgeOnceInPage(own)],
    ['mentions.limit.respected', judgeMessagesWithinLimit(page)],
    ['mentions.limit.default', withinDefault(page, exchange)],
    ['page.next-after-passes-the-cursor', judgeNextPassesTheCursor([page])],
    ['page.next-after-not-behind-items', judgeNextNotBehindItems([page])],
    ['page.high-watermark-covers-the-page', judgeWatermarkCoversThePage([itemsAlone(page)])],
    ['mention.id.is-the-message-id', judgeMentionIds(own)],
    ['mentions.self-authored-excluded', byOthers(items, headerOf(exchange, facts.agentIdHeader))],
    ['message.workspace-id.is-its-workspace', inWorkspace(own, facts)],
    ['mentions.own-workspace-only', ofOneWorkspace(isAuthors ? items : [], facts)],
    ['message.channel-id.is-its-channel', judged(own.length, sentElsewhere(own, facts))],
  ];
}

function channelRules(page: PageRead, exchange: Exchange, facts: ShownFacts): readonly Rule[] {
  const { items } = page;
  const { smallestPage: smallest } = facts;
  smallest.note(page);
  const channelId = idIn('channel-read', exchange.request.path);
  const isUsual = channelId !== undefined && channelId === facts.channelId;
  const arranged = items.filter(({ content }) => isUsual && facts.isArranged(content));
  return [
    ['channel-read.ascending', judgeAscending(items)],
    ['channel-read.no-duplicate-sequence', judgeDistinctSequences(items)],
    ['channel-read.after-exclusive', judgeExclusive(page)],
    ['message.id.one-message', judgeIdsStandOnce([items])],
    // One page does not tell a lower limit that is not heeded from a least size of pages.
    [
      'channel-read.limit-respected',
      judgeWithinLimit(page.limit === 100 || smallest.isBelow(page) ? page : { ...page, limit: undefined }),
    ],
    ['page.next-after-passes-the-cursor', judgeNextPassesTheCursor([page])],
    ['page.next-after-not-behind-items', judgeNextNotBehindItems([page])],
    // What is new may be known to the watermark a little later; where more follows nothing is.
    [
      'page.high-watermark-covers-the-page',
      judgeWatermarkCoversThePage(page.hasMore === true ? [itemsAlone(page)] : []),
    ],
    ['message.workspace-id.is-its-workspace', inWorkspace(arranged, facts)],
    ['message.channel-id.is-its-channel', judged(arranged.length, elsewhere(arranged, [channelId ?? '']))],
    ['channel-read.wait-answers-at-once', answeredAtOnce(page)],
  ];
}

function overviewRules(
  { request, response }: Exchange,
  { channelId, workspaceId }: ShownFacts,
): readonly Rule[] {
  const body = isRecord(response?.json) ? response.json : {};
  const asked = idIn('overview', request.path);
  // Another spelling of the id, or another workspace that should have been refused, is judged by what was expected.
  if (workspaceId === undefined || asked !== workspaceId) return [];
  const { workspace, membership } = body;
  const channels = Array.isArray(body['channels']) ? body['channels'].filter(isRecord) : [];
  const isList = Array.isArray(body['channels']);
  return [
    ['overview.workspace.is-the-requested', judgeIsRequested(recordOf(workspace), workspaceId)],
    ['membership.workspace-id.is-the-workspace', judgeSameWorkspace([recordOf(membership)], workspaceId)],
    ['channel.workspace-id.is-the-workspace', judgeSameWorkspace(channels, workspaceId)],
    [
      'overview.channels.lists-a-known-one',
      lists(isList && channels.every(hasTextId) ? channels : undefined, channelId, (one, id) =>
        hasId([one], id),
      ),
    ],
  ];
}

function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function hasTextId({ id }: JsonRecord): boolean {
  return typeof id === 'string';
}

/** Whoever uses a channel finds it listed, where channels are listed by their ids and the list is whole. */
function listsTheChannel({ actor, response }: Exchange, { channelId }: ShownFacts): Judgement {
  const ids = idsIn(response?.json);
  const isTold = ids.length > 0 || textsIn(response?.json).length === 0;
  const isWhole = !/"[^"]*(?:more|next|cursor)[^"]*":(?!null|false|"")/i.test(
    Buffer.from(response?.bytes ?? []).toString(),
  );
  return lists(actor === 'author' && isTold && isWhole ? ids : undefined, channelId, isSameId);
}

/** A list that can be read holds what the target names. */
function lists<T>(
  all: readonly T[] | undefined,
  wanted: string | undefined,
  isIt: (one: T, wanted: string) => boolean,
): Judgement {
  if (all === undefined || wanted === undefined) return judged(0, []);
  if (all.some((one) => isIt(one, wanted))) return judged(1, []);
  return judged(1, [{ expected: `the channel ${wanted} of the target`, actual: 'it is not listed' }]);
}

/** Without a limit no more than the default of it; a page that was asked for in another way decides nothing. */
function withinDefault(page: PageRead, { request }: Exchange): Judgement {
  const isAskedFor = pairsOf(request.query)?.every(([name]) => name === 'after') !== true;
  return judgeMessagesWithinLimit({ ...page, limit: isAskedFor ? undefined : defaultLimit });
}

function itemsAlone(page: PageRead): PageRead {
  return { ...page, nextAfter: undefined };
}

/** Who asks is named in the answer itself: none of the messages is theirs. */
function byOthers(items: readonly PageItem[], caller: string | undefined): Judgement {
  const authors = items.map(({ message }) => recordOf(message['author'])['id']);
  const isTheirs = (id: unknown): boolean => typeof id === 'string' && isSameId(id, caller ?? '');
  return judged(
    items.length,
    authors
      .filter(isTheirs)
      .map((id) => ({ expected: 'messages of others', actual: `one of ${String(id)}, who asks` })),
  );
}

function inWorkspace(items: readonly PageItem[], { workspaceId }: ShownFacts): Judgement {
  const messages = items.map(({ message }) => message);
  return workspaceId === undefined ? judged(0, []) : judgeSameWorkspace(messages, workspaceId);
}

/** Of whoever else's messages: beside some of the target's workspace there are none of another. */
function ofOneWorkspace(items: readonly PageItem[], facts: ShownFacts): Judgement {
  const { judged: count, problems } = inWorkspace(items, facts);
  return problems.length < count ? { judged: count, problems } : judged(0, []);
}

/** Ours went into a channel of the target, whichever of them. */
function sentElsewhere(
  own: readonly PageItem[],
  { channelId, secondChannelId }: ShownFacts,
): readonly Problem[] {
  const channelIds = [channelId, secondChannelId].filter((each) => each !== undefined);
  return channelIds.length === 0 ? [] : elsewhere(own, channelIds);
}

function elsewhere(items: readonly PageItem[], channelIds: readonly string[]): readonly Problem[] {
  return items.flatMap(({ message: { channel_id: shown } }) =>
    typeof shown !== 'string' || channelIds.some((each) => isSameId(each, shown))
      ? []
      : [{ expected: `channel_id ${channelIds.join(' or ')}`, actual: shown }],
  );
}

/** Share of the wait after which an answer was held back, whatever else was slow. */
const heldBackShare = 0.8;

/** A read from the beginning of a channel that holds messages has nothing to wait for. */
function answeredAtOnce({ exchange, after, items }: PageRead): Judgement {
  const waitMs = parameterOf(exchange.request.query, 'wait') === '25' ? 25_000 : 0;
  if (waitMs === 0 || after !== 0n || items.length === 0) return judged(0, []);
  const tookMs = exchange.endedMs - exchange.startedMs;
  if (tookMs < waitMs * heldBackShare) return judged(1, []);
  const actual = `after ${(tookMs / 1000).toFixed(1)} s`;
  return judged(1, [{ expected: 'an answer at once, since messages are there', actual }]);
}

function judged(count: number, problems: readonly Problem[]): Judgement {
  return { judged: count, problems };
}
