import { idIn, isRecord, parameterOf, type CallName, type JsonRecord } from '../../spec/calls/index.ts';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import { readPage } from '../../harness/stream/page.ts';
import { idsIn, textsIn } from '../../spec/oracles/values/json-texts.ts';
import { allOf, inconclusive, type Judgement, type Problem } from '../../spec/oracles/values/judgement.ts';
import { mayGoOn } from '../../spec/oracles/answers/channel-list.ts';
import {
  hasId,
  isSameId,
  judgeCallerIsListed,
  judgeIsRequested,
  judgeMembersOnce,
  judgeSameWorkspace,
} from '../../spec/oracles/answers/overview.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { CaseFailure } from './failure.ts';

/** What must be known of the target to judge what an answer shows. */
export interface ShownFacts {
  readonly workspaceId: string | undefined;
  readonly channelId: string | undefined;
  /** The humans that are known, by their ids. */
  readonly humans: () => readonly string[];
  /** How long an answer that is due at once may take as things are, in ms. */
  readonly promptMs: () => number;
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
    case 'channel-read':
      return [['channel-read.wait-answers-at-once', answeredAtOnce(exchange, facts)]];
    case 'overview':
      return overviewRules(exchange, facts);
    case 'channels-list':
      return [['channels-list.lists-a-known-one', listsTheChannel(exchange, facts)]];
    default:
      return [];
  }
}

function overviewRules(
  { request, response }: Exchange,
  { channelId, workspaceId, humans }: ShownFacts,
): readonly Rule[] {
  const body = isRecord(response?.json) ? response.json : {};
  const asked = idIn('overview', request.path);
  // Another spelling of the id, or another workspace that should have been refused, is judged by what was expected.
  if (workspaceId === undefined || asked !== workspaceId) return [];
  const { workspace, membership } = body;
  const channels = Array.isArray(body['channels']) ? body['channels'].filter(isRecord) : [];
  const isList = Array.isArray(body['channels']);
  const members = Array.isArray(body['members']) ? body['members'].filter(isRecord) : undefined;
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
    [
      'overview.members.lists-somebody',
      members === undefined
        ? inconclusive
        : allOf([
            judgeCallerIsListed({ membership: recordOf(membership), members }, humans()),
            judgeMembersOnce(members),
          ]),
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
  const isWhole = response !== undefined && !mayGoOn(response);
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

/** Share of the wait after which an answer was held back, whatever else was slow. */
const heldBackShare = 0.8;

/** A read from the beginning of a channel that holds messages has nothing to wait for: what takes longer than others may is held back. */
function answeredAtOnce(exchange: Exchange, { promptMs }: ShownFacts): Judgement {
  const { request, startedMs, endedMs } = exchange;
  const waitMs = parameterOf(request.query, 'wait') === '25' ? 25_000 : 0;
  const isFromTheStart = parameterOf(request.query, 'after') === '0';
  if (waitMs === 0 || !isFromTheStart) return judged(0, []);
  if (readPage(exchange).items.length === 0) return judged(0, []);
  const tookMs = endedMs - startedMs;
  if (tookMs < Math.min(waitMs * heldBackShare, promptMs())) return judged(1, []);
  const actual = `after ${(tookMs / 1000).toFixed(1)} s`;
  return judged(1, [{ expected: 'an answer at once, since messages are there', actual }]);
}

function judged(count: number, problems: readonly Problem[]): Judgement {
  return { judged: count, problems };
}
