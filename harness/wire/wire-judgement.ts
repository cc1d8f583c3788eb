import { isRecord, parameterOf, pathOfPointer, type JsonRecord } from '../../spec/calls/index.ts';
import {
  boundsOfClause,
  type ClauseId,
  clauseOfPointer,
  exercised,
  isUuid,
  type SchemaName,
  validate,
} from '../../spec/index.ts';
import { judgeFormer } from '../../spec/oracles/answers/overview.ts';
import type { Exchange, ReceivedResponse } from '../client/exchange.ts';
import { type JsonPath, pathsOfRecords, textOfPath } from '../client/json-path.ts';
import { similarAgentIdHeader } from '../config/reading/similar-header.ts';
import type { Bindings, Names } from '../config/target.ts';
import { cut } from '../output/printable.ts';
import { mentionsStatuses } from '../../spec/oracles/answers/server-errors.ts';
import { readPage } from '../stream/page.ts';
import { KnownMessages } from './known-messages.ts';
import { isFormOpen, isOwnRefusal } from './own-calls.ts';
import { isInOurMessage, withNeutralNames } from './provider-words.ts';
import { causeOf } from './wire-causes.ts';
import { remembered } from '../../spec/groups.ts';

/** One rule of one clause that an answer breaks, whoever asked for it and why. */
export interface WireProblem {
  readonly clause: ClauseId;
  /** The schema rule or the header: with the clause, the root that findings are gathered by. */
  readonly part: string;
  readonly expected: string;
  readonly actual: string;
  /** Where in the JSON body: the offending value, or the object that lacks a key or has one too many. */
  readonly path?: JsonPath;
  /** What goes wrong, whatever the clause: problems of one kind come from one cause. */
  readonly kind: string;
  /** The one value that is wrong: all that is wrong with it in one answer comes from one cause. */
  readonly value?: string;
  /**
   * True for an unknown provider in a message that this run has not sent: it may be the server's own word for one of the
   * four, so that it counts only once those words are known.
   */
  readonly mayBeOwnWord?: true;
}

/** A clause, or the pointer of a bound that it sets. */
export type Exercised = ClauseId | `${SchemaName}#/${string}`;

/** What one answer shows of the clauses about the form of answers. */
export interface WireJudgement {
  readonly problems: readonly WireProblem[];
  /** Clauses whose rule this answer really put to the test; of those that set bounds the rule of each that was reached. */
  readonly exercised: ReadonlySet<Exercised>;
}

/** What the judgement must know of the run: the server's names, and the marker by which our own messages are told. */
export interface WireFacts {
  readonly names: Names;
  readonly runId: string;
  /** Whether somebody sent this text: then what has it for a content is a message, in recorded traffic without a marker too. */
  readonly isSent?: (content: string) => boolean;
  /** Whether the answer to a send told this id: then what has it is a message, whatever has become of its text. */
  readonly isTold?: (id: string) => boolean;
  /** Where the calls are that only the suite has words for. */
  readonly bindings?: Bindings;
  /** True where problems are all that anybody asks for: what an answer puts to the test is left empty then. */
  readonly isUncounted?: boolean;
}

/** Mentions of a page, at most. */
const mostOnPage = 100;
/** Messages of a page that is larger than so many bytes for each are judged again whenever they are read. */
const mostBytesKnown = 8_000;

/** Holds a complete answer against every clause that speaks of the form of answers; `undefined` when there is nothing to judge. */
export function judgeWire(exchange: Exchange, facts: WireFacts): WireJudgement | undefined {
  const { response, request, fault } = exchange;
  if (response === undefined || fault !== undefined) return undefined;
  if (request.call === 'other' && !isOwnRefusal(request, response, facts.bindings)) return undefined;
  if (isFormOpen(request, response)) return undefined;
  const judging = new Judging(facts);
  judgeBody(exchange, response, facts, judging);
  judgeHeaders(exchange, response, facts.names, judging);
  return judging;
}

class Judging implements WireJudgement {
  readonly problems: WireProblem[] = [];
  readonly exercised = new Set<Exercised>();
  readonly #added = new Set<ReadonlySet<Exercised>>();
  readonly #isUncounted: boolean;

  constructor({ isUncounted = false }: Pick<WireFacts, 'isUncounted'>) {
    this.#isUncounted = isUncounted;
  }

  holds(clause: ClauseId, isTrue: boolean, problem: Omit<WireProblem, 'clause' | 'kind'>): void {
    this.exercised.add(clause);
    if (!isTrue) this.problems.push({ clause, kind: clause, ...problem });
  }

  /** What was found of one of the values that this answer holds. */
  add({ problems, exercised: clauses }: WireJudgement): void {
    this.problems.push(...problems);
    // Nearly all messages put the same clauses to the test.
    if (this.#added.has(clauses)) return;
    this.#added.add(clauses);
    for (const clause of clauses) this.exercised.add(clause);
  }

  /** Without a `runId` every message may be of anybody. What is judged is all of the body, or stands `within` it. */
  schema(name: SchemaName, value: unknown, { runId, within = whole(value) }: SchemaOptions = {}): void {
    for (const pointer of this.#isUncounted ? [] : exercised(name, value)) {
      const named = exercisedAt(pointer);
      if (named !== undefined) this.exercised.add(named);
    }
    for (const { pointer, keyword, instancePath, message } of validate(name, value)) {
      const clause = clauseOfPointer(pointer);
      if (clause === undefined) continue;
      const path = [...within.path(), ...pathOfPointer(instancePath)];
      const place = path.length === 0 ? 'the top' : textOfPath(within.body, path);
      this.problems.push({
        clause: clause.id,
        part: pointer,
        expected: clause.text,
        actual: `${message} (at ${place})`,
        path,
        ...causeOf({ keyword, pointer, message }, path),
        ...(clause.id === 'source-session.provider.values' &&
          (runId === undefined || !isInOurMessage(value, instancePath, runId)) && { mayBeOwnWord: true }),
      });
    }
  }
}

const named = new Map<string, Exercised | undefined>();

/** What a rule that was put to the test says of its clause; `undefined` for a rule of none. */
function exercisedAt(pointer: string): Exercised | undefined {
  if (!named.has(pointer)) {
    const clause = clauseOfPointer(pointer)?.id;
    const isBound = clause !== undefined && boundsOfClause(clause).has(pointer);
    named.set(pointer, isBound ? (pointer as Exercised) : clause);
  }
  return named.get(pointer);
}

interface SchemaOptions {
  readonly runId?: string;
  readonly within?: { readonly body: unknown; readonly path: () => JsonPath };
}

function whole(body: unknown): { readonly body: unknown; readonly path: () => JsonPath } {
  return { body, path: () => [] };
}

function judgeBody(exchange: Exchange, response: ReceivedResponse, facts: WireFacts, judging: Judging): void {
  const { status, bytes, json } = response;
  const { call, query } = exchange.request;
  // What a wait comes to that ends with nothing is not shown.
  const isEmptyWait = status === 204 && parameterOf(query, 'wait') !== undefined;
  const requiresBody =
    status >= 400 ||
    (status < 300 &&
      (call === 'mentions' || call === 'overview' || (call === 'channel-read' && !isEmptyWait)));
  if (bytes.byteLength === 0 && !requiresBody) return;
  const isJson = json !== undefined;
  const actual = bytes.byteLength === 0 ? 'no body' : `${bytes.byteLength} bytes that are not JSON`;
  judging.holds('service.bodies-are-json', isJson, {
    part: call,
    expected: 'a JSON body',
    actual,
    value: 'body',
  });
  if (!isJson) return;
  const neutral = withNeutralNames(json, facts.names);
  if (status >= 400) {
    judging.schema('api-error', neutral);
    // What breaks a rule of an ApiError does not show that it is one.
    const isAnother = ({ clause, part }: WireProblem): boolean =>
      clause !== 'errors.body-is-api-error' && part.startsWith('api-error#');
    if (judging.problems.some(isAnother)) judging.exercised.delete('errors.body-is-api-error');
  } else if (status >= 200 && status < 300) judgeSuccess(exchange, neutral, facts, judging);
}

function judgeSuccess(exchange: Exchange, json: unknown, facts: WireFacts, judging: Judging): void {
  switch (exchange.request.call) {
    case 'mentions':
      return judgeMentions(exchange, json, facts, judging);
    case 'overview':
      return judgeOverview(json, judging);
    case 'channel-read':
      return judgeChannelRead(exchange, json, facts, judging);
    default:
      return undefined;
  }
}

/** Its form, and that nobody is listed as a former member, as far as words tell; where nobody is, nobody may have left. */
function judgeOverview(json: unknown, judging: Judging): void {
  judging.schema('workspace-overview-response', json);
  const members = isRecord(json) ? json['members'] : undefined;
  const { problems } = judgeFormer(Array.isArray(members) ? members.filter(isRecord) : []);
  for (const problem of problems.slice(0, 1))
    judging.holds('overview.members.leave-at-once', false, { part: 'members', ...problem });
}

/** The page by itself, and each mention on it; a page that is longer than any, or no page, as a whole. */
function judgeMentions(exchange: Exchange, json: unknown, facts: WireFacts, judging: Judging): void {
  const mentions = isRecord(json) ? json['mentions'] : undefined;
  if (!Array.isArray(mentions) || mentions.length > mostOnPage || !mentions.every(isRecord))
    return judging.schema('mentions-response', json, { runId: facts.runId });
  judging.schema('mentions-response', { ...(json as JsonRecord), mentions: [] });
  judgeRecords('mention', mentions, { exchange, json, facts }, judging);
}

/**
 * Where a channel read keeps its messages is not shown: they are known by the marker of this run that some of them carry, or by the id
 * that the answer to a send told, beside an author.
 */
function judgeChannelRead(exchange: Exchange, json: unknown, facts: WireFacts, judging: Judging): void {
  const { runId, isSent, isTold } = facts;
  judging.schema('channel-read-response', json);
  const { items } = readPage(withJson(exchange, json));
  const messages = items.map(({ message }) => message);
  const isOurs = (message: JsonRecord): boolean =>
    isSent === undefined
      ? Object.values(message).some((value) => typeof value === 'string' && value.includes(runId))
      : typeof message['content'] === 'string' && isSent(message['content']);
  const hasId = ({ id, author }: JsonRecord): boolean =>
    typeof id === 'string' && isRecord(author) && isTold?.(id) === true;
  if (messages.some(isOurs) || messages.some(hasId))
    judgeRecords('message', messages, { exchange, json, facts }, judging);
}

/** What a run reads again and again. */
type KnownSchema = 'mention' | 'message';

/** Holds each of some records within a page against a schema. */
function judgeRecords(
  name: KnownSchema,
  records: readonly JsonRecord[],
  {
    exchange,
    json,
    facts,
  }: { readonly exchange: Exchange; readonly json: unknown; readonly facts: WireFacts },
  judging: Judging,
): void {
  const known = knownOf(facts)[name];
  const areSmall = (exchange.response?.bytes.byteLength ?? 0) <= records.length * mostBytesKnown;
  let paths: ReadonlyMap<object, JsonPath> | undefined;
  for (const record of records) {
    const judge = (): WireJudgement => {
      const path = (): JsonPath => (paths ??= pathsOfRecords(json)).get(record) ?? [];
      const one = new Judging(facts);
      one.schema(name, record, { runId: facts.runId, within: { body: json, path } });
      return one;
    };
    judging.add(areSmall ? known.judge(record, judge) : judge());
  }
}

/** The form of one that is as it should be hangs on nothing but the run. */
const knownByFacts = new WeakMap<WireFacts, Readonly<Record<KnownSchema, KnownMessages>>>();

function knownOf(facts: WireFacts): Readonly<Record<KnownSchema, KnownMessages>> {
  return remembered(knownByFacts, facts, () => ({
    mention: new KnownMessages(),
    message: new KnownMessages(),
  }));
}

function withJson(exchange: Exchange, json: unknown): Exchange {
  return exchange.response === undefined
    ? exchange
    : { ...exchange, response: { ...exchange.response, json } };
}

function judgeHeaders(exchange: Exchange, response: ReceivedResponse, names: Names, judging: Judging): void {
  const { status, bytes } = response;
  const { call } = exchange.request;
  const header = (name: string): string | undefined => response.headers[name]?.[0];
  if (bytes.byteLength > 0) {
    const mediaType = header('content-type');
    const isJson = /^\s*application\/json\s*(?:;|$)/i.test(mediaType ?? '');
    judging.holds('service.content-type-is-json', isJson, {
      part: call,
      expected: 'content-type application/json',
      actual: mediaType ?? 'no content-type',
      value: 'body',
    });
  }
  if (status === 401) {
    judging.holds('auth.www-authenticate', header('www-authenticate') !== undefined, {
      part: 'www-authenticate',
      expected: 'a www-authenticate header with the 401',
      actual: 'none',
    });
  }
  // The limit of long polls is met by this call alone.
  const isWaitTooMany =
    status === 429 && call === 'channel-read' && parameterOf(exchange.request.query, 'wait') !== undefined;
  if (isWaitTooMany && header('retry-after') === undefined)
    judging.holds('errors.limit-elsewhere-is-429', false, {
      part: 'retry-after',
      expected: 'a retry-after header with the 429 of a read that waits',
      actual: 'none',
    });
  if (call === 'mentions') judgeMentionsHeaders(response, header, judging);
  if (call === 'mentions' && status === 200)
    judgeAgentIdHeader(exchange.actor, response, header, names, judging);
}

function judgeAgentIdHeader(
  actor: string,
  { headers }: ReceivedResponse,
  header: (name: string) => string | undefined,
  names: Names,
  judging: Judging,
): void {
  const agentId = header(names.agentIdHeader);
  // A key of the workspace is nobody's in particular: which agent it stands for, if any, is open.
  const mayBeNobody = actor.startsWith('api-key');
  // The contract has a neutral word in that name: a header like it may be the one, and the target has to say so.
  if (agentId !== undefined || !(mayBeNobody || similarAgentIdHeader(headers) !== undefined)) {
    judging.holds('mentions.agent-id-header.present', agentId !== undefined, {
      part: 'header',
      expected: `the header ${names.agentIdHeader}`,
      actual: 'none',
    });
  }
  if (agentId !== undefined) {
    judging.holds('mentions.agent-id-header.type', isUuid(agentId), {
      part: 'header',
      expected: `a UUID in ${names.agentIdHeader}`,
      actual: `${agentId.length} characters that are not a UUID`,
    });
  }
}

function judgeMentionsHeaders(
  { status }: ReceivedResponse,
  header: (name: string) => string | undefined,
  judging: Judging,
): void {
  if (status >= 200 && status < 300) {
    judging.holds('mentions.status-is-200', status === 200, {
      part: 'status',
      expected: 'status 200',
      actual: `status ${status}`,
    });
  }
  // One server error says nothing: whether it comes every time is found out at the end of a run.
  if (status >= 400 && status < 500) {
    const expected = `one of ${mentionsStatuses.join(', ')}`;
    judging.holds('mentions.error-statuses', mentionsStatuses.includes(status), {
      part: 'status',
      expected,
      actual: `status ${status}`,
    });
  }
  if (status === 429) {
    const retryAfter = header('retry-after');
    judging.holds('errors.retry-after-present', retryAfter !== undefined, {
      part: 'retry-after',
      expected: 'a retry-after header with the 429',
      actual: 'none',
    });
    if (retryAfter !== undefined) {
      judging.holds('errors.retry-after-is-a-count', /^[0-9]+$/.test(retryAfter), {
        part: 'retry-after',
        expected: 'a whole number in retry-after',
        actual: JSON.stringify(cut(retryAfter, 60)),
      });
    }
  }
}
