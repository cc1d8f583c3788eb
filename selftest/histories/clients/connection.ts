import type { Outcome, Read, Send } from '../../../history/operation.ts';
import type { SeenMessage } from '../../../history/seen-message.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { Clock, Work } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Agent } from '../service/directory.ts';
import type { Draft } from '../service/rules.ts';
import type { Answer, Service } from '../service/service.ts';
import type { ShownPage } from '../service/reader.ts';
import type { Recorder } from './recorder.ts';

/** What all clients share. */
export interface Lab {
  readonly service: Service;
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly issued: IssuedCursors;
}

/** One name for one credential, and whose it is. */
export interface Credential {
  readonly name: string;
  readonly agent: Agent;
}

/** Cursors that each stream gave out. */
export class IssuedCursors {
  readonly #of = new Map<string, Sequence[]>();

  /** Notes those of a page. */
  note(stream: string, { items, nextAfter }: ShownPage): void {
    const list = this.#of.get(stream) ?? [];
    list.push(nextAfter, ...items.map(({ sequence }) => sequence ?? 0));
    this.#of.set(stream, list);
  }

  /** Those of one stream. */
  of(stream: string): readonly Sequence[] {
    return this.#of.get(stream) ?? [];
  }
}

/** The page that a read got; `undefined` when it got none, for whatever reason but a conflict. */
export type Got = ShownPage | 'conflict' | undefined;

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
  *send(
    draft: Draft,
    loss = 0,
  ): Work<{ readonly outcome: Outcome; readonly shown: SeenMessage | undefined }> {
    const { service } = this.#lab;
    const startedMs = this.#lab.clock.nowMs;
    const answer = yield* this.#over(service.send(this.credential.agent, draft), loss);
    const outcome = outcomeOf(answer);
    const shown = outcome === 'accepted' ? answer.shown : undefined;
    const { isBad: _isBad, ...asked } = draft;
    const sent: Send = {
      ...this.#common(startedMs, answer),
      kind: 'send',
      ...asked,
      targets: [...new Set(draft.targets)].toSorted(),
      files: [...new Set(draft.files)].toSorted(),
      expected: 'open',
      stores: 'all',
      shown,
    };
    this.#lab.recorder.add(sent);
    return { outcome, shown };
  }

  /** Reads a page of a channel, or of the feed where no channel is named. */
  *read(channel: string | undefined, query: Query): Work<Got> {
    const { service, clock, recorder, issued } = this.#lab;
    const startedMs = clock.nowMs;
    const call = channel === undefined ? 'mentions' : 'channel-read';
    const stream = channel === undefined ? `feed ${this.credential.name}` : `channel ${channel}`;
    const { after, limit, wait } = query;
    const { agent, name } = this.credential;
    const answer = yield* this.#over(service.read({ call, agent, stream, after, limit, wait }), 0);
    const outcome = outcomeOf(answer);
    const page = outcome === 'accepted' ? answer.page : undefined;
    if (page !== undefined) issued.note(stream, page);
    // Spreading would take most of the time of a simulation.
    const read: Read = {
      index: 0,
      client: this.#client,
      agent: name,
      startedMs,
      endedMs: clock.nowMs,
      outcome,
      status: answer.status,
      kind: 'read',
      call,
      stream,
      after,
      limit,
      wait,
      expected: 'open',
      isBaseline: true,
      items: page?.items ?? [],
      nextAfter: page?.nextAfter,
      hasMore: page?.hasMore,
      highWatermark: page?.highWatermark,
      agentId: call === 'mentions' ? answer.agentId : undefined,
    };
    recorder.add(read);
    return answer.status === 409 ? 'conflict' : page;
  }

  /** Reports messages as retrieved. */
  *report(channel: string, messages: readonly string[]): Work {
    const { service, clock, recorder } = this.#lab;
    const startedMs = clock.nowMs;
    const answer = yield* this.#over(service.report(this.credential.agent, messages), 0);
    recorder.add({ ...this.#common(startedMs, answer), kind: 'report', channel, messages });
  }

  /** The way there and back. */
  *#over(work: Work<Answer>, loss: number): Work<Answer> {
    const { random, clock } = this.#lab;
    if (random.chance(loss)) {
      const fate = random.pick(['request lost', 'answer lost', 'late', 'very late'] as const);
      if (fate !== 'request lost') clock.start(aside(work), arrivalOf(fate, random));
      yield random.between(30, 120);
      return { status: undefined };
    }
    yield random.between(0, 8);
    const answer = yield* work;
    yield random.chance(0.05) ? random.between(8, 80) : random.between(0, 8);
    return answer;
  }

  #common(startedMs: number, answer: Answer) {
    const { clock } = this.#lab;
    return {
      index: 0,
      client: this.#client,
      agent: this.credential.name,
      startedMs,
      endedMs: clock.nowMs,
      outcome: outcomeOf(answer),
      status: answer.status,
    };
  }
}

function arrivalOf(fate: 'answer lost' | 'late' | 'very late', random: Random): number {
  if (fate === 'answer lost') return random.between(0, 20);
  return fate === 'late' ? random.between(100, 600) : random.between(2_000, 60_000);
}

function outcomeOf({ status }: Answer): Outcome {
  if (status === undefined || status >= 500) return 'indeterminate';
  return status < 300 ? 'accepted' : 'refused';
}

/** Work whose answer nobody waits for. */
function* aside(work: Work<Answer>): Work {
  yield* work;
}
