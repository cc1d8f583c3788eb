import type { SeenMessage } from '../../../history/seen-message.ts';
import type { Work } from '../base/clock.ts';
import type { Agent } from './directory.ts';
import { makeInside } from './inside.ts';
import type { Inside, Parts } from './inside.ts';
import { Keys } from './keys.ts';
import { Log } from './log.ts';
import type { Page, Question } from './page.ts';
import { Reader } from './reader.ts';
import type { ShownPage } from './reader.ts';
import type { Draft, KeyRecord, Rules } from './rules.ts';
import type { Stored } from './stream.ts';

/** An answer of the service; without a status none came. */
export interface Answer {
  readonly status: number | undefined;
  readonly shown?: SeenMessage | undefined;
  readonly page?: ShownPage;
  readonly agentId?: string;
}

/** The service in virtual time. */
export class Service {
  readonly inside: Inside;
  readonly #rules: Rules;
  readonly #log: Log;
  readonly #reader: Reader;
  readonly #keys: Keys;
  #epoch = 0;
  #isDown = false;

  constructor(parts: Parts, rules: Rules) {
    this.inside = makeInside(parts);
    this.#rules = rules;
    this.#log = new Log(this.inside, rules);
    this.#reader = new Reader(this.inside, rules, this.#log);
    this.#keys = new Keys(parts.choices.sends);
  }

  /** Answers a send. */
  *send(agent: Agent, draft: Draft): Work<Answer> {
    const { choices, random } = this.inside;
    const early = this.#beforeAnything(agent);
    if (early !== undefined) return early;
    if (draft.isBad || (draft.key === undefined && choices.sends.keyIsRequired)) {
      if (this.#rules.storesRefused(draft, 'bad', this.inside)) this.#store(agent, draft, 0);
      return { status: 400 };
    }
    const epoch = this.#epoch;
    const known = yield* this.#settledRecord(agent, draft);
    if (known === 'in flight') return { status: 409 };
    if (epoch !== this.#epoch) return noAnswer;
    const decided = known === undefined ? undefined : this.#ofKnownKey(known, agent, draft);
    if (decided !== undefined) return decided;
    const record = this.#keys.begin(agent, draft);
    yield random.between(0, 12);
    if (epoch !== this.#epoch) {
      this.#keys.forget(agent, draft);
      return noAnswer;
    }
    const ackMs = random.between(0, 6);
    const stored = this.#store(agent, draft, ackMs);
    record.shown = choices.sends.showsMessage ? stored?.seen : undefined;
    record.isPending = false;
    yield ackMs;
    return epoch === this.#epoch ? { status: choices.sends.status, shown: record.shown } : noAnswer;
  }

  /** Answers a read, after a wait if it asks for one. */
  *read(question: Question): Work<Answer> {
    const { choices, random, clock } = this.inside;
    const early = this.#beforeAnything(question.agent) ?? this.#refusedQuestion(question);
    if (early !== undefined) return early;
    const epoch = this.#epoch;
    yield random.between(0, 3);
    const untilMs = clock.nowMs + this.#patienceMs(question.wait);
    for (;;) {
      if (epoch !== this.#epoch) return noAnswer;
      const page = this.#reader.pageNow(question);
      if (page === undefined) return { status: 409 };
      const isOver = clock.nowMs >= untilMs || (choices.wait.wakesEmpty && random.chance(0.02));
      if (isOver || page.items.length > 0 || page.hasMore) {
        const shown = this.#reader.show(this.#oneOf(page, question), question);
        return { status: 200, page: shown, agentId: this.#rules.agentId(question.agent, this.inside) };
      }
      yield random.between(5, 15);
    }
  }

  /** Answers a report of retrievals. */
  *report(agent: Agent, messages: readonly string[]): Work<Answer> {
    const early = this.#beforeAnything(agent);
    if (early !== undefined) return early;
    yield this.inside.random.between(0, 3);
    for (const id of messages) this.#reader.retrieved(id, agent);
    return { status: 200 };
  }

  /** Is away for a while; whatever was under way gets no answer. */
  *restart(): Work {
    const { random, choices } = this.inside;
    this.#epoch += 1;
    this.#isDown = true;
    yield random.between(10, 60);
    for (const counter of this.#log.counters) counter.burn(choices.restartBurns);
    this.#rules.restarted(this.inside, this.#log.counters);
    this.#isDown = false;
  }

  /** Stores a message of somebody whose requests are not in the history. */
  addForeign(draft: Draft): void {
    const id = this.inside.ids.next();
    const stranger = { id, name: 'stranger', human: null, machine: null, isActive: true };
    this.#store(stranger, draft, 0);
  }

  #beforeAnything(agent: Agent): Answer | undefined {
    const { choices, random } = this.inside;
    if (this.#isDown) return random.chance(0.5) ? ofGateway : noAnswer;
    if (!agent.isActive) return { status: 403 };
    if (random.chance(choices.limitedShare)) return { status: 429 };
    if (random.chance(choices.troubleShare)) return random.pick([ofGateway, ofGateway, noAnswer]);
    return this.#rules.breaksDown(this.inside) ? { status: 500 } : undefined;
  }

  #refusedQuestion(question: Question): Answer | undefined {
    const { page, wait } = this.inside.choices;
    const { call, after } = question;
    if (this.#rules.conflictsOnCursor(question, this.inside)) return { status: 409 };
    if (call === 'channel-read' && after === undefined && page.omittedOnChannel === 'refused')
      return { status: 400 };
    if ((question.wait ?? 0) > 10 && wait.mode === 'refused-above') return { status: 400 };
    return undefined;
  }

  *#settledRecord(agent: Agent, draft: Draft): Work<KeyRecord | 'in flight' | undefined> {
    const epoch = this.#epoch;
    for (;;) {
      const record = this.#keys.find(agent, draft);
      if (record?.isPending !== true) return record;
      if (!this.#rules.seesInFlight(this.inside)) return undefined;
      if (this.inside.choices.sends.inFlight === 'conflict') return 'in flight';
      yield 2;
      if (epoch !== this.#epoch) return undefined;
    }
  }

  #ofKnownKey(record: KeyRecord, agent: Agent, draft: Draft): Answer | undefined {
    const { replayStatus, conflictStatus } = this.inside.choices.sends;
    const replay: Answer = { status: replayStatus, shown: record.shown };
    const isSame = this.#keys.isSame(record, agent, draft);
    const rule = isSame ? this.#rules.onRepeat : this.#rules.onConflict;
    const decided = rule(record, this.inside);
    if (decided === 'replay') return replay;
    if (decided === 'store') return undefined;
    if (!isSame && this.#rules.storesRefused(draft, 'conflict', this.inside)) this.#store(agent, draft, 0);
    return { status: conflictStatus };
  }

  #store(agent: Agent, draft: Draft, ackMs: number): Stored | undefined {
    let stored: Stored | undefined;
    for (let copy = this.#rules.copies(this.inside); copy > 0; copy -= 1)
      stored = this.#log.append(agent, draft, this.inside.random.between(0, ackMs)) ?? stored;
    return stored;
  }

  #patienceMs(wait: number | undefined): number {
    const { mode, capMs } = this.inside.choices.wait;
    if (wait === undefined || mode === 'ignored') return 0;
    const askedMs = Math.min(wait * 1_000, capMs);
    return mode === 'early' ? this.inside.random.between(0, askedMs) : askedMs;
  }

  /** What a poll that woke returns, of several items maybe one. */
  #oneOf(page: Page, { wait }: Question): Page {
    const { choices, random } = this.inside;
    const [first, second] = page.items;
    if (!choices.wait.oneItem || wait === undefined || first === undefined || second === undefined)
      return page;
    return random.chance(0.5) ? page : { ...page, items: [first], nextAfter: first.sequence, hasMore: true };
  }
}

const noAnswer: Answer = { status: undefined };
/** What stands in front of a service may answer in its place: a history has no status of that. */
const ofGateway = noAnswer;
