import { addressOf, idIn, listMentions, readChannel, type SentRequest } from '../../spec/calls/index.ts';
import { randomUUID } from 'node:crypto';
import { integerParameter } from '../../spec/oracles/requests/expect-query.ts';
import type { OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import { mentionsStatuses } from '../../spec/oracles/answers/server-errors.ts';
import type { ClauseId } from '../../spec/index.ts';
import { isWrite, type Client } from '../client/client.ts';
import { type Exchange, type FaultKind, headerOf, isAccepted, statusOf } from '../client/exchange.ts';
import { readPage, readPageObject } from '../stream/page.ts';
import { describeTrouble, isServerError } from '../verdict/trouble.ts';
import { askedOf, baselineCallOf, type BaselineCall } from '../wire/baseline-request.ts';
import { push } from '../../spec/groups.ts';

/** A server error that came every time, or whenever several requests came at once. */
export interface ProvenError {
  readonly clause: ClauseId;
  /** The call that always fails; absent where it fails only at times, or with some bodies. */
  readonly call?: BaselineCall;
  readonly expected: string;
  readonly actual: string;
  /** The check that met it first. */
  readonly metIn: string;
  readonly seen: { readonly times: number; readonly of: number };
  readonly exchanges: readonly Exchange[];
}

export interface RepeatParts {
  readonly client: Pick<Client, 'exchange'>;
  readonly signal: AbortSignal;
  readonly sleep: (durationMs: number) => Promise<void>;
  /** Gives a body that is sent again a marker of its own: it makes another message. */
  readonly renewed: (body: string) => string;
  /** Is told of everything that is sent again. */
  readonly note: (exchange: Exchange) => void;
}

/** What was asked, and by whom. */
type Asked = Pick<Exchange, 'actor' | 'request'>;

interface Suspect {
  /** Absent for a send of which nothing says that it is served. */
  readonly call?: BaselineCall;
  readonly exchange: Exchange;
  readonly metIn: string;
  /** The fields of its body, where they may be what the server stumbles over. */
  readonly holding?: string;
}

/** The service has failed; others say that it does not do such a thing, or not now. */
const internalError = 500;

/** Pauses before a request is repeated, in ms: a server error that is passing has passed, or fails to come once. */
const pausesMs = [50, 100, 200, 400, 600, 800];
/** The same for a request whose answer has been looked at in two attempts and in a quiet one already. */
const shortPausesMs = [20, 50, 100, 150];
/** What a server that stumbles leaves of an answer, the last of them until it has been started again. */
const brokenOff: readonly FaultKind[] = ['reset', 'truncated', 'protocol', 'refused'];
/** A body of which nothing says that it is served may be more than a server has room for, in characters. */
const longestOpen = 20_000;
/** How often a server is looked at that fails a call whatever is asked, and how long between, in ms: it may be starting, or its database. */
const mostLooks = 30;
const betweenLooksMs = 500;
/** The longest `Retry-After` that is waited out, in ms. */
const longestRetryMs = mostLooks * betweenLooksMs;
/** Different requests of one call, as one role, that are repeated until one fails every time. */
const mostOfARoot = 3;
/** Requests without an answer that are told: a server may have to be started again for each. */
const mostUnanswered = 3;
/** Requests sent at once, and how often; as many follow one after another. */
const atOnce = 8;
const rounds = 3;
/** Server errors among those that were sent at once, with none among the others, that no chance explains. */
const leastAtOnce = 6;

/**
 * Server errors that baseline requests drew, a status 500 that any other send drew, and what either got no answer to. One alone says nothing: a
 * server may be in trouble for a moment. At the end of a run, when nothing else is going on, each kind is repeated by itself, with pauses, and then
 * several baseline requests at once.
 */
export class ServerErrors {
  readonly #facts: OracleFacts;
  readonly #suspects = new Map<string, Suspect[]>();
  /** The furthest cursor that each channel has handed out beside a message. */
  readonly #reached = new Map<string, bigint>();
  /** A request of each call that was accepted, by a credential of the target: the last read, and the first baseline send. */
  readonly #accepted = new Map<string, Asked>();

  constructor(facts: OracleFacts) {
    this.#facts = facts;
  }

  /** Looks at an exchange of the check `metIn`. */
  note(metIn: string, exchange: Exchange): void {
    if (isAccepted(exchange)) this.#noteAccepted(exchange);
    if (!isServerError(exchange) && !isBrokenOff(exchange)) return;
    const call = callOf(exchange, this.#facts);
    if (call !== undefined) {
      // Of a listing of mentions statuses are given, and here there is none.
      if (isBrokenOff(exchange) && call === 'mentions') return;
      this.#suspect(`${call} ${exchange.actor} ${exchange.request.path}`, { call, exchange, metIn });
    } else if (
      (isBrokenOff(exchange) || exchange.response?.status === internalError) &&
      isOpenSend(exchange, this.#facts)
    ) {
      const holding = fieldsOf(exchange);
      this.#suspect(`send with ${holding}`, { exchange, metIn, holding });
    }
  }

  /** What draws an error and what gets no answer are repeated apart. */
  #suspect(name: string, suspect: Suspect): void {
    const root = isBrokenOff(suspect.exchange) ? `unanswered ${name}` : name;
    push(this.#suspects, root, suspect);
  }

  /** Clauses that one of them breaks if it comes again. */
  get suspected(): ReadonlySet<ClauseId> {
    const clausesOf = ({ call }: Suspect): ClauseId[] => {
      const { clause } = brokenBy(call);
      return call === undefined ? [clause] : [clause, 'service.requests-at-once-are-served'];
    };
    return new Set([...this.#suspects.values()].flatMap(([first]) => (first ? clausesOf(first) : [])));
  }

  /** Repeats what drew server errors or no answer; gives those that come every time, else those that come when several are sent at once. */
  async repeat(parts: RepeatParts): Promise<readonly ProvenError[]> {
    const roots = [...this.#suspects.values()].map((suspects) =>
      suspects.filter((each) => this.#isWithin(each)),
    );
    const isUnanswered = ([first]: readonly Suspect[]): boolean =>
      first !== undefined && isBrokenOff(first.exchange);
    const failing = await this.#repeatErrors(
      roots.filter((suspects) => !isUnanswered(suspects)),
      parts,
    );
    return [...failing, ...(await repeatUnanswered(roots.filter(isUnanswered), parts))];
  }

  async #repeatErrors(
    roots: readonly (readonly Suspect[])[],
    parts: RepeatParts,
  ): Promise<readonly ProvenError[]> {
    const prove = (): Promise<readonly (ProvenError | undefined)[]> =>
      Promise.all(roots.map((suspects) => proveAlone(suspects, parts)));
    const first = await prove();
    const calls = first.flatMap((each) => each?.call ?? []);
    const found = calls.length > 0 && (await this.#waitFor(calls, parts)) ? await prove() : first;
    const alone = found.filter((each) => each !== undefined);
    const passing = roots.filter(
      (suspects, index) =>
        found[index] === undefined && suspects.length > 1 && suspects[0]?.call !== undefined,
    );
    if (passing.length === 0 || alone.some(({ call }) => call !== undefined)) return alone;
    const [most = []] = passing.toSorted((one, other) => other.length - one.length);
    const together = await proveAtOnce(most, parts);
    return together === undefined ? alone : [...alone, together];
  }

  /**
   * Waits for these calls as long as what was accepted of them before is answered no more, or no call at all is; tells whether that was so: what was
   * asked meanwhile says nothing of a single request.
   */
  async #waitFor(calls: readonly BaselineCall[], parts: RepeatParts): Promise<boolean> {
    const known = [...new Set(calls)].flatMap((call) => this.#accepted.get(call) ?? []);
    let down = known.length > 0 ? known : [...this.#accepted.values()];
    for (let look = 0; look < mostLooks && !parts.signal.aborted; look += 1) {
      const looked = down.map(async (each) => (isServerError(await sendAgain(each, parts)) ? [each] : []));
      const still = (await Promise.all(looked)).flat();
      const isFew = still.length === 0 || (known.length === 0 && still.length < down.length);
      if (look === 0 && isFew) return false;
      if (still.length === 0) break;
      down = still;
      await parts.sleep(betweenLooksMs);
    }
    return true;
  }

  /** What becomes of a cursor beyond the channel is left open. */
  #isWithin({ call, exchange }: Suspect): boolean {
    if (call !== 'channel-read') return true;
    const after = integerParameter(exchange.request.query, 'after') ?? 0n;
    return after <= (this.#reached.get(exchange.request.path) ?? 0n);
  }

  #noteAccepted(exchange: Exchange): void {
    const { actor, request } = exchange;
    if (request.call === 'channel-read') this.#noteCursor(exchange);
    if (isMade(actor)) return;
    const { call, method } = request;
    const isFirstSend = call === 'send' && !this.#accepted.has(call);
    if (method === 'GET' || (isFirstSend && baselineCallOf(exchange, this.#facts) === call))
      this.#accepted.set(call, { actor, request });
  }

  #noteCursor(exchange: Exchange): void {
    const { nextAfter: next } = readPageObject(exchange);
    const { path } = exchange.request;
    if (next === undefined || next <= (this.#reached.get(path) ?? 0n)) return;
    if (readPage(exchange).items.length > 0) this.#reached.set(path, next);
  }
}

/** Any reading of mentions counts: the statuses of its refusals are given. */
function callOf(exchange: Exchange, facts: OracleFacts): BaselineCall | undefined {
  const { call, method } = exchange.request;
  return call === 'mentions' && method === 'GET' ? call : baselineCallOf(exchange, facts);
}

/** Whether it is a send of which the contract neither says that it is served nor that it is refused. */
function isOpenSend(exchange: Exchange, facts: OracleFacts): boolean {
  const asked = askedOf(exchange, facts);
  const isShort = (exchange.request.body?.length ?? 0) <= longestOpen;
  return asked?.call === 'send' && asked.kind === 'open' && (isShort || !isBrokenOff(exchange));
}

/** True of a connection that ended in place of an answer. */
function isBrokenOff({ fault }: Exchange): boolean {
  return fault !== undefined && brokenOff.includes(fault.kind);
}

/** The first of these requests that draws a server error each time it is repeated alone. */
async function proveAlone(
  suspects: readonly Suspect[],
  parts: RepeatParts,
): Promise<ProvenError | undefined> {
  for (const suspect of distinctOf(suspects)) {
    // One is enough.
    const repeats = await repeatAlone(suspect.exchange, pausesMs, parts, longestRetryMs);
    const last = repeats.at(-1);
    if (last === undefined || repeats.length < pausesMs.length || !repeats.every(isServerError)) continue;
    const { call } = suspect;
    return { ...proven(suspect, last, repeats.length + 1), ...(call === undefined ? {} : { call }) };
  }
  return undefined;
}

/** What gets no answer each time, one after another: what one of them breaks off would be taken for another. */
async function repeatUnanswered(
  roots: readonly (readonly Suspect[])[],
  parts: RepeatParts,
): Promise<readonly ProvenError[]> {
  const found: ProvenError[] = [];
  for (const suspects of roots) {
    if (found.length === mostUnanswered) break;
    const each = await proveUnanswered(suspects, parts);
    // A server that is gone for good has another finding.
    if (each === 'gone') break;
    if (each !== undefined) found.push(each);
  }
  return found;
}

/** The first of these requests that gets no answer each time; `gone` where no other request does any more. */
async function proveUnanswered(
  suspects: readonly Suspect[],
  parts: RepeatParts,
): Promise<ProvenError | 'gone' | undefined> {
  for (const suspect of distinctOf(suspects)) {
    const repeats: Exchange[] = [];
    for (const pauseMs of pausesMs) {
      await parts.sleep(pauseMs);
      const repeated = await sendAgain(suspect.exchange, parts);
      if (!isBrokenOff(repeated)) break;
      repeats.push(repeated);
      if (!(await isThereAgain(suspect.exchange, parts))) return 'gone';
    }
    const last = repeats.at(-1);
    if (last === undefined || repeats.length < pausesMs.length) continue;
    const { actual, ...rest } = proven(suspect, last, repeats.length + 1);
    return { ...rest, actual: `${actual}, and other requests in between were answered` };
  }
  return undefined;
}

/** A few of these requests that differ. What the credentials of a target sent comes before what those sent that hooks made: anybody can send it again. */
function distinctOf(suspects: readonly Suspect[]): readonly Suspect[] {
  const ordered = suspects.toSorted(
    (one, other) => Number(isMade(one.exchange.actor)) - Number(isMade(other.exchange.actor)),
  );
  const distinct = new Map(ordered.map((each) => [requestKey(each.exchange), each]));
  return [...distinct.values()].slice(0, mostOfARoot);
}

function proven({ call, exchange, holding, metIn }: Suspect, last: Exchange, times: number): ProvenError {
  return {
    ...brokenBy(call),
    actual: `${describeTrouble(exchange)}, ${times} times in a row with pauses${holding === undefined ? '' : `: it holds ${holding}`}`,
    metIn,
    seen: { times, of: times },
    exchanges: [exchange, last],
  };
}

/** By a credential of a fresh workspace, whose name says so. */
function isMade(actor: string): boolean {
  return actor.includes(' of ');
}

/** Whether a request that drew a server error draws one each time, when repeated a few times with short pauses. */
export async function comesEveryTime(exchange: Exchange, parts: RepeatParts): Promise<boolean> {
  const repeats = await repeatAlone(exchange, shortPausesMs, parts);
  return repeats.length === shortPausesMs.length && repeats.every(isServerError);
}

/** Repeats until it is answered otherwise, for the last time not before the server said, if that is within so many ms. */
async function repeatAlone(
  exchange: Exchange,
  pauses: readonly number[],
  parts: RepeatParts,
  mostRetryMs = 0,
): Promise<readonly Exchange[]> {
  const repeats: Exchange[] = [];
  for (const pauseMs of pauses) {
    if (parts.signal.aborted) break;
    const last = repeats.length === pauses.length - 1 ? repeats.at(-1) : undefined;
    const retryMs = last === undefined ? 0 : Number(headerOf(last, 'retry-after')) * 1_000 || 0;
    await parts.sleep(Math.max(pauseMs, Math.min(retryMs, mostRetryMs)));
    const repeated = await sendAgain(exchange, parts);
    repeats.push(repeated);
    if (!isServerError(repeated)) break;
  }
  return repeats;
}

/** Whether the server answers another call of the one that sent a request, be it once it has been started again. */
async function isThereAgain({ actor, request }: Exchange, parts: RepeatParts): Promise<boolean> {
  const { call, headers, path } = request;
  const read =
    call === 'send' ? readChannel(idIn('send', path) ?? '', { after: 0, limit: 1 }) : listMentions();
  const { authorization } = headers;
  const asked: SentRequest = {
    ...read,
    headers: { ...read.headers, ...(authorization === undefined ? {} : { authorization }) },
    body: undefined,
  };
  for (let look = 0; look < mostLooks && !parts.signal.aborted; look += 1) {
    const beside = await parts.client.exchange(actor, asked, { signal: parts.signal });
    parts.note(beside);
    if (beside.fault === undefined) return true;
    await parts.sleep(betweenLooksMs);
  }
  return false;
}

/** Told when to come again, by a server that has too much to do; for the mentions the contract has another status for that. */
function isTurnedAway(exchange: Exchange): boolean {
  const isSaid = statusOf(exchange) === 503 && headerOf(exchange, 'retry-after') !== undefined;
  return isSaid && exchange.request.call !== 'mentions';
}

/** Sends a request several times at once, and as often alone. */
async function proveAtOnce(
  suspects: readonly Suspect[],
  parts: RepeatParts,
): Promise<ProvenError | undefined> {
  const [suspect] = suspects;
  if (suspect === undefined) return undefined;
  const together: Exchange[] = [];
  const alone: Exchange[] = [];
  for (let round = 0; round < rounds && !parts.signal.aborted; round += 1) {
    // Rounds follow one another: what is sent alone, then what is sent at once.
    for (let count = 0; count < atOnce; count += 1) {
      alone.push(await sendAgain(suspect.exchange, parts));
    }
    together.push(
      ...(await Promise.all(Array.from({ length: atOnce }, () => sendAgain(suspect.exchange, parts)))),
    );
    // Messages stay where they are sent: no more of them where none of the first was refused.
    if (isWrite(suspect.exchange.request) && !together.some(isServerError)) break;
  }
  const wrong = together.filter((each) => isServerError(each) && !isTurnedAway(each));
  if (wrong.length < leastAtOnce || alone.some((each) => !isAccepted(each))) return undefined;
  return {
    clause: 'service.requests-at-once-are-served',
    expected: `the same answers to ${together.length} requests in ${rounds} rounds of ${atOnce} at once as to ${alone.length} one after another`,
    actual: `${describeTrouble(suspect.exchange)}, for ${wrong.length} of ${together.length} sent at once and none of ${alone.length} sent alone`,
    metIn: suspect.metIn,
    seen: { times: wrong.length, of: together.length },
    exchanges: [suspect.exchange, ...wrong.slice(0, 1)],
  };
}

function brokenBy(call: BaselineCall | undefined): Pick<ProvenError, 'clause' | 'expected'> {
  if (call === undefined)
    return {
      clause: 'service.sends-are-served-or-refused',
      expected: 'a send is accepted, or refused with a status of 4xx',
    };
  if (call === 'mentions')
    return { clause: 'mentions.error-statuses', expected: `one of ${mentionsStatuses.join(', ')}` };
  const expected = call === 'send' ? 'a baseline message is accepted' : 'a baseline read is answered';
  return { clause: 'service.valid-requests-are-served', expected };
}

/** What a body holds beside other values: another field may be what the server stumbles over. */
function fieldsOf({ request: { body } }: Exchange): string {
  const names =
    typeof body === 'string' ? [...body.matchAll(/"([\p{L}\w]+)"\s*:/gu)].map(([, name = '']) => name) : [];
  return [...new Set(names)].toSorted().join(', ');
}

/** The same request again; a send with a marker of its own, under a fresh key. `waitMs` where an answer is waited for otherwise than usual. */
export async function sendAgain(
  { actor, request }: Asked,
  { client, signal, renewed, note }: RepeatParts,
  waitMs?: number,
): Promise<Exchange> {
  const waiting =
    waitMs === undefined
      ? { signal }
      : // Once: whoever waits so long does not ask again.
        { signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]), answerMs: waitMs };
  const exchange = await client.exchange(actor, againOf(request, renewed), waiting);
  note(exchange);
  return exchange;
}

function againOf(request: SentRequest, renewed: RepeatParts['renewed']): SentRequest {
  if (!isWrite(request)) return request;
  const { headers, body } = request;
  return {
    ...request,
    headers: { ...headers, 'idempotency-key': randomUUID() },
    body: typeof body === 'string' ? renewed(body) : body,
  };
}

function requestKey({ request }: Exchange): string {
  return isWrite(request) ? String(request.body) : addressOf(request);
}
