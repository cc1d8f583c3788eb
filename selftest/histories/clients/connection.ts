import { listMentions, pathOf, readChannel, write } from '../../../spec/calls/index.ts';
import type { CallRequest, SentRequest } from '../../../spec/calls/index.ts';
import { type Exchange, isGatewayAnswer } from '../../../harness/client/exchange.ts';
import { defaultBindings } from '../../../harness/config/target.ts';
import type { HistoryRecorder } from '../../../harness/record/history-recorder.ts';
import { reportRequest } from '../../../harness/record/request-parts.ts';
import type { Operation, Read, Send } from '../../../history/operation.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { Answer } from '../../../reference/model/answer.ts';
import type { Clock, Work } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Conditions } from '../choices/conditions.ts';
import { bodyOf, type Draft } from './drafts.ts';
import type { Site } from './site.ts';

/** What all clients share. */
export interface Lab {
  readonly site: Site;
  readonly clock: Clock;
  readonly random: Random;
  readonly conditions: Conditions;
  readonly recorder: HistoryRecorder;
  readonly issued: IssuedCursors;
}

/** One name for one credential, and how it stands in `Authorization`. */
export interface Credential {
  readonly name: string;
  readonly authorization: string;
}

/** Cursors that each stream gave out. */
export class IssuedCursors {
  readonly #of = new Map<string, Sequence[]>();

  /** Notes those of a page. */
  note({ stream, items, nextAfter = 0 }: Read): void {
    const list = this.#of.get(stream) ?? [];
    list.push(nextAfter, ...items.map(({ sequence }) => sequence ?? 0));
    this.#of.set(stream, list);
  }

  /** Those of one stream. */
  of(stream: string): readonly Sequence[] {
    return this.#of.get(stream) ?? [];
  }
}

/** What a client asks a stream for. */
interface Query {
  readonly after?: Sequence | undefined;
  readonly limit?: number | undefined;
  readonly wait?: number | undefined;
}

/** A client that does one thing after another, over a network that loses some of it. */
export class Connection {
  readonly #lab: Lab;
  readonly #client: string;
  readonly credential: Credential;

  constructor(lab: Lab, client: string, credential: Credential) {
    this.#lab = lab;
    this.#client = client;
    this.credential = credential;
  }

  /** Sends; `loss` is how likely the request or its answer gets lost. */
  *send(draft: Draft, loss = 0): Work<Send> {
    const request = sendOf(draft);
    return (yield* this.#do(request, loss)) as Send;
  }

  /** Reads a page of a channel, or of the feed where no channel is named. */
  *read(channel: string | undefined, query: Query): Work<Read> {
    const request = channel === undefined ? listMentions({ ...query }) : readChannel(channel, { ...query });
    const read = (yield* this.#do(request)) as Read;
    if (read.outcome === 'accepted') this.#lab.issued.note(read);
    return read;
  }

  /** Reports messages as retrieved. */
  *report(channel: string, ids: readonly string[]): Work {
    yield* this.#do(reportRequest(defaultBindings, channel, ids));
  }

  *#do(request: CallRequest, loss = 0): Work<Operation | undefined> {
    const { recorder } = this.#lab;
    const { name: actor, authorization } = this.credential;
    const sent: SentRequest = { body: undefined, ...request, headers: { ...request.headers, authorization } };
    const startedMs = tickedMs(this.#lab);
    const answer = yield* this.#over(sent, loss);
    const endedMs = tickedMs(this.#lab);
    return recorder.add(this.#client, { id: 0, actor, request: sent, ...cameOf(answer), startedMs, endedMs });
  }

  /** The way there and back. */
  *#over(sent: SentRequest, loss: number): Work<Answer | undefined> {
    const { random, clock, site } = this.#lab;
    const work = site.ask(sent);
    if (random.chance(loss)) {
      const fate = random.pick(['request lost', 'answer lost', 'late', 'very late'] as const);
      if (fate !== 'request lost') clock.start(aside(work), arrivalOf(fate, random));
      yield random.between(30, 120);
      return undefined;
    }
    yield random.between(0, 8);
    const answer = yield* work;
    yield random.chance(0.05) ? random.between(8, 80) : random.between(0, 8);
    return answer;
  }
}

/** The time by a clock that may tick coarsely. */
export function tickedMs({ clock: { nowMs }, conditions }: Lab): number {
  const tickMs = conditions.tickMs === 0 ? 0.001 : conditions.tickMs;
  return Math.floor(nowMs / tickMs) * tickMs;
}

/** The request that sends a draft. */
export function sendOf(draft: Draft): CallRequest {
  return write('send', pathOf('send', draft.channel), bodyOf(draft), draft.key);
}

const noBytes = new Uint8Array();

function cameOf(answer: Answer | undefined): Pick<Exchange, 'response' | 'fault'> {
  if (answer === undefined)
    return { response: undefined, fault: { kind: 'reset', message: 'no answer came', tries: 1 } };
  const { status, body } = answer;
  const headers = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), [value].flat()]);
  const json = body instanceof Uint8Array ? undefined : body;
  const response = { status, headers: Object.fromEntries(headers), bytes: noBytes, json };
  const isOfGateway = isGatewayAnswer(response);
  return { response, fault: isOfGateway ? { kind: 'gateway', message: 'busy', tries: 1 } : undefined };
}

function arrivalOf(fate: 'answer lost' | 'late' | 'very late', random: Random): number {
  if (fate === 'answer lost') return random.between(0, 20);
  return fate === 'late' ? random.between(100, 600) : random.between(2_000, 60_000);
}

/** Work whose answer nobody waits for. */
export function* aside(work: Work<unknown>): Work {
  yield* work;
}
