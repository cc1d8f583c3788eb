import type { Change, Operation, Read, Report, Send } from './operation.ts';

/** What operations of every kind have; only the times have no usual value. */
type Ended = Pick<Operation, 'startedMs' | 'endedMs'> &
  Some<Pick<Operation, 'index' | 'client' | 'agent' | 'outcome' | 'status' | 'retryAfter'>>;

/** Each field may be left out. */
type Some<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** Each builder writes every field of its kind in one order: judges go through a million of one form in two thirds of the time. */
export function buildSend(common: Ended, own: Some<Send>, shown = own.shown): Send {
  return {
    kind: 'send',
    index: common.index ?? 0,
    client: common.client ?? '',
    agent: common.agent ?? '',
    startedMs: common.startedMs,
    endedMs: common.endedMs,
    outcome: common.outcome ?? 'accepted',
    status: common.status,
    retryAfter: common.retryAfter,
    channel: own.channel ?? '',
    // Many servers take an empty one for none.
    key: own.key?.trim() === '' ? undefined : own.key,
    content: own.content,
    contentType: own.contentType,
    targets: own.targets ?? none,
    files: own.files ?? none,
    session: own.session,
    host: own.host,
    expected: own.expected ?? 'open',
    refusedFor: own.refusedFor,
    stores: own.stores ?? 'all',
    shown,
  };
}

/** A read; without more it is a page of a channel, and empty. */
export function buildRead(common: Ended, own: Some<Read>, page: Some<Read> = own): Read {
  return {
    kind: 'read',
    index: common.index ?? 0,
    client: common.client ?? '',
    agent: common.agent ?? '',
    startedMs: common.startedMs,
    endedMs: common.endedMs,
    outcome: common.outcome ?? 'accepted',
    status: common.status,
    retryAfter: common.retryAfter,
    call: own.call ?? 'channel-read',
    stream: own.stream ?? '',
    after: own.after,
    limit: own.limit,
    wait: own.wait,
    query: own.query,
    expected: own.expected ?? 'open',
    refusedFor: own.refusedFor,
    isBaseline: own.isBaseline ?? true,
    items: page.items ?? noItems,
    nextAfter: page.nextAfter,
    hasMore: page.hasMore,
    highWatermark: page.highWatermark,
    agentId: page.agentId,
  };
}

/** A report of retrievals. */
export function buildReport(common: Ended, own: Some<Report>): Report {
  return {
    kind: 'report',
    index: common.index ?? 0,
    client: common.client ?? '',
    agent: common.agent ?? '',
    startedMs: common.startedMs,
    endedMs: common.endedMs,
    outcome: common.outcome ?? 'accepted',
    status: common.status,
    retryAfter: common.retryAfter,
    channel: own.channel ?? '',
    messages: own.messages ?? none,
  };
}

/** What the operator did. */
export function buildChange(common: Ended, own: Some<Change>): Change {
  return {
    kind: 'change',
    index: common.index ?? 0,
    client: common.client ?? 'operator',
    agent: common.agent ?? 'operator',
    startedMs: common.startedMs,
    endedMs: common.endedMs,
    outcome: common.outcome ?? 'accepted',
    status: common.status,
    retryAfter: common.retryAfter,
    change: own.change ?? '',
    subject: own.subject,
    detail: own.detail,
  };
}

/** One list for all that have nothing. */
const none: readonly string[] = [];
const noItems: Read['items'] = [];
