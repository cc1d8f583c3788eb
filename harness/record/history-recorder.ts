import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import { buildChange, buildRead, buildReport, buildSend } from '../../history/build-operation.ts';
import { Intern } from '../../history/intern.ts';
import type {
  Change,
  History,
  HistoryFacts,
  Operation,
  Outcome,
  Read,
  Send,
} from '../../history/operation.ts';
import { sequenceOf } from '../../history/sequence.ts';
import { type Exchange, headerOf } from '../client/exchange.ts';
import type { ExpectedOutcome, OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import { requestFactsOf } from '../config/request-facts.ts';
import type { Target } from '../config/target.ts';
import { messageIn } from '../stream/message-list.ts';
import { readPage } from '../stream/page.ts';
import { readPartsOf, reportPartsOf, sendPartsOf } from './request-parts.ts';
import { idOf, MessageReader } from './seen-message.ts';
import type { EndedCall } from '../hooks/hook-protocol.ts';
import { remembered } from '../../spec/groups.ts';

/** What the operator did when a hook was called; `subject` and `detail` as in {@link Change}. */
type NotedChange = Pick<Change, 'client' | 'change' | 'startedMs' | 'endedMs'> &
  Partial<Pick<Change, 'subject' | 'detail'>> & {
    /** False when the hook failed: then nobody knows. */
    readonly isDone: boolean;
  };

/** What a recorder has to know of the target. */
type RecordedTarget = Pick<Target, 'bindings' | 'names'>;

type PageParts = Pick<Read, 'items' | 'nextAfter' | 'hasMore' | 'highWatermark'>;

interface RecorderOptions {
  /** Is told of each operation, once. */
  readonly onOperation?: ((operation: Operation) => void) | undefined;
  /** False where `onOperation` alone is to have the operations, however many they are; default true. */
  readonly isKept?: boolean;
  /** True where operations are to be carried on into another history; texts have the same digests in both then. */
  readonly isCarried?: boolean;
  /** What is known of the target beside its names: of a good credential, or a channel. */
  readonly asked?: OracleFacts;
}

/** Turns exchanges into the operations of one history, in the order in which they end. */
export class HistoryRecorder {
  readonly #facts: HistoryFacts;
  readonly #asked: OracleFacts;
  readonly #target: RecordedTarget;
  readonly #intern: Intern;
  readonly #reader: MessageReader;
  readonly #agents = new Agents();
  /** By the body: one that comes again is the same object. */
  readonly #pages = new WeakMap<JsonRecord, PageParts>();
  readonly #operations: Operation[] = [];
  readonly #isKept: boolean;
  #count = 0;
  readonly #onOperation: (operation: Operation) => void;

  constructor(
    facts: HistoryFacts,
    target: RecordedTarget,
    {
      onOperation = () => undefined,
      isKept = true,
      isCarried = false,
      asked = requestFactsOf(target),
    }: RecorderOptions = {},
  ) {
    this.#isKept = isKept;
    this.#facts = facts;
    this.#target = target;
    this.#asked = asked;
    this.#onOperation = onOperation;
    this.#intern = new Intern(facts, isCarried ? { mostKeptUnits: 0 } : {});
    this.#reader = new MessageReader(this.#intern, target.names);
  }

  /** What has been recorded; it grows as long as the recorder is told more. */
  get history(): History {
    return { facts: this.#facts, operations: this.#operations };
  }

  /**
   * The operation that an exchange was; `undefined` for one that no history keeps, or that never left the client. Who has asked
   * the oracle about its request says what that is to come to: it costs as much as all the rest.
   */
  add(client: string, exchange: Exchange, expected?: ExpectedOutcome): Operation | undefined {
    if (exchange.fault?.kind === 'withheld') return undefined;
    const operation = this.#operationOf(client, exchange, expected);
    return operation === undefined ? undefined : this.#place(operation);
  }

  /** The operation that a call of a hook was. */
  change({ isDone, subject, detail, ...noted }: NotedChange): Operation {
    const outcome = isDone ? 'accepted' : 'indeterminate';
    const { change, ...common } = { ...noted, agent: 'operator', outcome, index: this.#count } as const;
    return this.#place(buildChange(common, { change, subject: subject?.toLowerCase(), detail }));
  }

  /** An operation of an earlier history of the same clock and settle time, as one of this. */
  carryOn(operation: Operation): void {
    const index = this.#count;
    if (operation.kind === 'read') {
      const items = operation.items.map((item) =>
        this.#intern.item({ ...item, message: this.#intern.message(item.message) }),
      );
      this.#place({ ...operation, index, items });
    } else if (operation.kind === 'send' && operation.shown !== undefined)
      this.#place({ ...operation, index, shown: this.#intern.message(operation.shown) });
    else this.#place({ ...operation, index });
  }

  /** The name that the history has for whoever uses a token. */
  agentOf(token: string, actor: string): string {
    return this.#agents.nameOf(`Bearer ${token}`, actor);
  }

  #place(operation: Operation): Operation {
    this.#count += 1;
    if (this.#isKept) this.#operations.push(operation);
    this.#onOperation(operation);
    return operation;
  }

  #operationOf(client: string, exchange: Exchange, expected?: ExpectedOutcome): Operation | undefined {
    const { request, response, startedMs, endedMs } = exchange;
    const agent = this.#agents.nameOf(request.headers['authorization'], exchange.actor);
    const outcome = outcomeOf(exchange);
    // What stands in front of the service has answered in its place: no answer of it came.
    const status = exchange.fault === undefined ? response?.status : undefined;
    const isTurnedAway = status === 429 || status === 503;
    const retryAfter = isTurnedAway ? secondsIn(headerOf(exchange, 'retry-after')) : undefined;
    const common = { index: this.#count, client, agent, startedMs, endedMs, outcome, status, retryAfter };
    const json = isRecord(response?.json) ? response.json : undefined;
    const { bindings } = this.#target;
    const asked = { intern: this.#intern, facts: this.#asked, agent, outcome: expected };
    const send = sendPartsOf(request, asked);
    if (send !== undefined) return buildSend(common, send, this.#shownOf(outcome, json));
    const read = readPartsOf(request, asked);
    if (read !== undefined) return buildRead(common, read, this.#pageOf(read.call, exchange, outcome));
    const report = reportPartsOf(request, bindings);
    return report === undefined ? undefined : buildReport(common, report);
  }

  #shownOf(outcome: Outcome, json: JsonRecord | undefined): Send['shown'] {
    if (outcome !== 'accepted' || json === undefined) return undefined;
    const message = messageIn(json);
    return 'content' in message && 'id' in message ? this.#reader.message(message) : undefined;
  }

  #pageOf(call: Read['call'], exchange: Exchange, outcome: Outcome): PageParts & Pick<Read, 'agentId'> {
    const { bindings, names } = this.#target;
    const header = exchange.response?.headers[names.agentIdHeader]?.[0];
    const agentId = call === 'mentions' ? idOf(header) : undefined;
    if (outcome !== 'accepted') return { ...noPage, agentId };
    const { json } = exchange.response ?? {};
    const known = isRecord(json) ? this.#pages.get(json) : undefined;
    if (known !== undefined) return { ...known, agentId };
    const isFeed = call === 'mentions';
    const page = readPage(exchange, isFeed ? undefined : bindings.items);
    const parts = {
      items: page.items.map((item) => this.#reader.item(item, isFeed)),
      nextAfter: sequenceOf(page.nextAfter),
      hasMore: page.hasMore,
      highWatermark: sequenceOf(page.highWatermark),
    };
    if (isRecord(json)) this.#pages.set(json, parts);
    return { ...parts, agentId };
  }
}

const noPage = { items: [], nextAfter: undefined, hasMore: undefined, highWatermark: undefined };

/** Statuses by which a server, or something in front of it, says that it has not dealt with the request. */
const unanswered = new Set([408, 425]);

function outcomeOf({ response, fault }: Exchange): Outcome {
  if (fault !== undefined || response === undefined) return 'indeterminate';
  const { status } = response;
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 && status < 500 && !unanswered.has(status) ? 'refused' : 'indeterminate';
}

/** Seconds as the contract writes them; `undefined` for a date, or nothing. */
function secondsIn(text = ''): number | undefined {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Names credentials: a history holds none, but has to tell whose requests are whose. */
class Agents {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** The number that the last further name of an actor had: a campaign makes up credentials by the thousand. */
  readonly #numbers = new Map<string, number>();

  /** One name for one value of `Authorization`: that of the first actor who used it, and a number where that is taken. */
  nameOf(authorization: string | undefined, actor: string): string {
    if (authorization === undefined) return 'anonymous';
    const name = remembered(this.#names, authorization, () => this.#free(actor));
    this.#taken.add(name);
    return name;
  }

  #free(actor: string): string {
    let name = actor;
    let number = this.#numbers.get(actor) ?? 1;
    while (this.#taken.has(name)) name = `${actor} (${(number += 1)})`;
    this.#numbers.set(actor, number);
    return name;
  }
}

/** Notes in the history what a call of a hook changed. */
export function noteHook(
  recorder: HistoryRecorder,
  { name, input, startedMs, endedMs, isDone }: EndedCall,
): void {
  const fields: Readonly<Record<string, unknown>> = { ...input };
  const token = fields['token'];
  const subject = subjectFields.map((field) => fields[field]).find((value) => typeof value === 'string');
  recorder.change({
    client: 'operator',
    change: name,
    subject: typeof token === 'string' ? recorder.agentOf(token, 'unnamed') : (subject as string | undefined),
    detail: detailOf(fields),
    startedMs,
    endedMs,
    isDone,
  });
}

/** Where the inputs of the hooks name what is changed. */
const subjectFields = ['agent_id', 'machine_id', 'human_user_id', 'id'];

function detailOf({
  kind,
  action,
  active,
  per_second: limit,
}: Readonly<Record<string, unknown>>): string | undefined {
  const words = [kind, action].filter((value) => typeof value === 'string');
  if (typeof active === 'boolean') words.push(active ? 'active' : 'inactive');
  if (limit !== undefined) words.push(limit === null ? 'lifted' : 'limited');
  return words.length === 0 ? undefined : words.join(' ');
}
