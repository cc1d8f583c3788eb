import { MessageReader, sessionOf } from '../../../harness/record/seen-message.ts';
import type { Intern } from '../../../history/intern.ts';
import type { Outcome, Read, Send } from '../../../history/operation.ts';
import type { SeenMessage } from '../../../history/seen-message.ts';
import { type Sequence, sequenceOf } from '../../../history/sequence.ts';
import type { Answer } from '../../../reference/model/answer.ts';
import { itemsOf, objectOf } from '../../mutants/base/spoil-answer.ts';
import type { Clock, Work } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Asked, Site, SiteAgent } from './site.ts';
import { bodyOf, type Draft } from './drafts.ts';
import type { Recorder } from './recorder.ts';

/** What all clients share. */
export interface Lab {
  readonly site: Site;
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly intern: Intern;
  readonly messages: MessageReader;
  readonly issued: IssuedCursors;
}

/** One name for one credential, and whose it is. */
export interface Credential {
  readonly name: string;
  readonly agent: SiteAgent;
}

/** A page as a client has it. */
type Page = Pick<Read, 'items'> & {
  readonly nextAfter: Sequence;
  readonly hasMore: boolean | undefined;
  readonly highWatermark: Sequence | undefined;
};

/** Cursors that each stream gave out. */
export class IssuedCursors {
  readonly #of = new Map<string, Sequence[]>();

  /** Notes those of a page. */
  note(stream: string, { items, nextAfter }: Page): void {
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
export type Got = Page | 'conflict' | undefined;

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
    const { clock, intern, messages, recorder } = this.#lab;
    const startedMs = clock.nowMs;
    const { channel, key, contentType, host, session } = draft;
    const path = `/v0/channels/${channel}/messages`;
    const answer = yield* this.#over({ method: 'POST', path, key, body: bodyOf(draft) }, loss);
    const outcome = outcomeOf(answer);
    const shownFields = outcome === 'accepted' ? objectOf(answer?.body)['message'] : undefined;
    const shown = shownFields === undefined ? undefined : messages.message(objectOf(shownFields));
    const sent: Send = {
      ...this.#common(startedMs, answer),
      kind: 'send',
      channel,
      key,
      content: intern.text(draft.content),
      contentType,
      host,
      session: sessionOf(session),
      targets: [...new Set(draft.targets)].toSorted(),
      files: [...new Set(draft.files)].toSorted(),
      expected: 'open',
      stores: 'all',
      shown,
    };
    recorder.add(sent);
    return { outcome, shown };
  }

  /** Reads a page of a channel, or of the feed where no channel is named. */
  *read(channel: string | undefined, { after, limit, wait }: Query): Work<Got> {
    const { clock, recorder, issued } = this.#lab;
    const startedMs = clock.nowMs;
    const call = channel === undefined ? 'mentions' : 'channel-read';
    const stream = channel === undefined ? `feed ${this.credential.name}` : `channel ${channel}`;
    const path = channel === undefined ? '/v0/mentions' : `/v0/channels/${channel}/messages`;
    const answer = yield* this.#over({ method: 'GET', path, query: { after, limit, wait } }, 0);
    const page = outcomeOf(answer) === 'accepted' ? this.#pageIn(answer, call) : undefined;
    if (page !== undefined) issued.note(stream, page);
    const read: Read = {
      ...this.#common(startedMs, answer),
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
      agentId: call === 'mentions' ? answer?.headers['x-service-agent-id'] : undefined,
    };
    recorder.add(read);
    return answer?.status === 409 ? 'conflict' : page;
  }

  /** Reports messages as retrieved. */
  *report(channel: string, ids: readonly string[]): Work {
    const { clock, recorder } = this.#lab;
    const startedMs = clock.nowMs;
    const path = `/v0/channels/${channel}/receipts`;
    const answer = yield* this.#over({ method: 'POST', path, body: { message_ids: ids } }, 0);
    recorder.add({ ...this.#common(startedMs, answer), kind: 'report', channel, messages: ids });
  }

  #pageIn(answer: Answer | undefined, call: Read['call']): Page {
    const body = objectOf(answer?.body);
    const {
      next_after: nextAfter,
      has_more: hasMore,
      high_watermark: highWatermark,
    } = objectOf(body['page']);
    const isFeed = call === 'mentions';
    const items = itemsOf(body, isFeed ? 'mentions' : 'read').map((record) => {
      const message = isFeed ? objectOf(record['message']) : record;
      const { sequence } = record;
      const content = typeof message['content'] === 'string' ? message['content'] : undefined;
      const exact =
        typeof sequence === 'number' || typeof sequence === 'bigint' ? BigInt(sequence) : undefined;
      return this.#lab.messages.item({ record, message, sequence: exact, id: undefined, content }, isFeed);
    });
    return {
      items,
      nextAfter: sequenceOf(nextAfter) ?? 0,
      hasMore: typeof hasMore === 'boolean' ? hasMore : undefined,
      highWatermark: sequenceOf(highWatermark),
    };
  }

  /** The way there and back. */
  *#over(asked: Asked, loss: number): Work<Answer | undefined> {
    const { random, clock, site } = this.#lab;
    const work = site.ask(this.credential.agent, asked);
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

  #common(startedMs: number, answer: Answer | undefined) {
    return {
      index: 0,
      client: this.#client,
      agent: this.credential.name,
      startedMs,
      endedMs: this.#lab.clock.nowMs,
      outcome: outcomeOf(answer),
      status: answer?.status,
    };
  }
}

function arrivalOf(fate: 'answer lost' | 'late' | 'very late', random: Random): number {
  if (fate === 'answer lost') return random.between(0, 20);
  return fate === 'late' ? random.between(100, 600) : random.between(2_000, 60_000);
}

function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer === undefined || answer.status >= 500) return 'indeterminate';
  return answer.status < 300 ? 'accepted' : 'refused';
}

/** Work whose answer nobody waits for. */
function* aside(work: Work<unknown>): Work {
  yield* work;
}
