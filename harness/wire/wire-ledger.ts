import type { JsonRecord } from '../../spec/calls/index.ts';
import type { Due } from '../../history/operation.ts';
import type { OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import { boundsOfClause, type ClauseId, clauses } from '../../spec/index.ts';
import { type Exchange, isAccepted } from '../client/exchange.ts';
import { type JsonPath, recordsAlong } from '../client/json-path.ts';
import type { MakingSend } from '../record/kept-exchanges.ts';
import { messageIn } from '../stream/message-list.ts';
import { askedOf } from './baseline-request.ts';
import { mapsEveryProvider, showsKnownProvider } from './provider-words.ts';
import { type Exercised, judgeWire, type WireFacts, type WireProblem } from './wire-judgement.ts';

/** The send that made a message. */
type SendOf = (message: JsonRecord) => MakingSend | undefined;

/**
 * One root of wire trouble: a clause and the rule of it that was broken, with the sighting that is easiest to see again.
 * Best is a request that draws it by itself, or a message that its own check read back.
 */
export interface WireSighting {
  readonly problem: WireProblem;
  readonly exchange: Exchange;
  /** The check whose exchange shows it. */
  readonly metIn: string;
  /** The send that made the message at fault; absent where no message is, or one that this run has not sent. */
  readonly send?: MakingSend;
  readonly ease: Ease;
  /** Answers that broke the rule. */
  times: number;
  /** When the first of them had come, which need not be the one that is kept. */
  readonly firstMs: number;
}

/** How surely the checks of a sighting show it again: not known, both the sender and the reader, or the one check alone. */
type Ease = 0 | 1 | 2;

/** What some checks put to the test. */
interface ExercisedClauses {
  readonly times: ReadonlyMap<ClauseId, number>;
  /** In words, the bounds that no answer reached, by the clause that sets them. */
  readonly unreached: ReadonlyMap<ClauseId, readonly string[]>;
}

/** A bound that a clause sets to answers, in words as `filename` of 255 characters, and how many of them reached it. */
interface ReachedBound {
  readonly clause: ClauseId;
  readonly words: string;
  readonly times: number;
}

/**
 * Holds every answer of a run against the clauses about form. What is broken counts whoever met it; what is kept counts
 * only in checks that passed, so that a server which answers everything with one well-formed constant proves nothing.
 */
export class WireLedger {
  readonly #facts: WireFacts;
  readonly #asked: OracleFacts | undefined;
  #lastEndMs = Number.NEGATIVE_INFINITY;
  readonly #sightings = new Map<string, WireSighting>();
  readonly #exercisedBy = new Map<string, Map<Exercised, number>>();
  readonly #exercised = new Map<Exercised, number>();
  /** Roots that break a clause only if the server's words for providers are known. */
  readonly #ownWords = new Map<string, WireSighting>();
  #knowsProviders: boolean;
  readonly #sendOf: SendOf | undefined;

  /** Without the messages that were sent every sighting is its reader's; without what is known of the target no request is a baseline one. */
  constructor(
    facts: WireFacts,
    { sendOf, asked }: { readonly sendOf?: SendOf; readonly asked?: OracleFacts } = {},
  ) {
    this.#sendOf = sendOf;
    this.#facts = facts;
    this.#asked = asked;
    this.#knowsProviders = mapsEveryProvider(facts.names);
  }

  /** Judges one answer that the check `checkId` received; who has asked the oracle about its request says what that is to come to. */
  add(checkId: string, exchange: Exchange, expected?: Due): void {
    const judgement = judgeWire(exchange, this.#facts);
    if (judgement === undefined) return;
    if (!this.#knowsProviders && exchange.response !== undefined)
      this.#knowsProviders = showsKnownProvider(exchange.response, this.#facts.names);
    const ownWords = judgement.problems.filter(({ mayBeOwnWord }) => mayBeOwnWord === true);
    const own = this.#exercisedBy.get(checkId) ?? new Map<Exercised, number>();
    this.#exercisedBy.set(checkId, own);
    for (const clause of [...judgement.exercised, ...this.#served(exchange, expected)]) {
      if (ownWords.some((problem) => problem.clause === clause)) continue;
      own.set(clause, (own.get(clause) ?? 0) + 1);
      this.#exercised.set(clause, (this.#exercised.get(clause) ?? 0) + 1);
    }
    // Of an answer that breaks a rule in many places only one counts.
    const counted = new Set<string>();
    for (const problem of judgement.problems) {
      const root = `${rootOf(problem)} ${problem.mayBeOwnWord === true}`;
      this.#note(problem, exchange, checkId, counted.has(root) ? 0 : 1);
      counted.add(root);
    }
  }

  get sightings(): readonly WireSighting[] {
    const roots = new Map(this.#sightings);
    for (const [root, own] of this.#knowsProviders ? this.#ownWords : []) {
      const known = roots.get(root);
      if (known === undefined) roots.set(root, own);
      else {
        const firstMs = Math.min(known.firstMs, own.firstMs);
        roots.set(root, { ...known, times: known.times + own.times, firstMs });
      }
    }
    return [...roots.values()];
  }

  /** Answers with messages of others whose provider may be the server's own word for one of the four; 0 once those are known. */
  get unnamedProviders(): number {
    if (this.#knowsProviders) return 0;
    return [...this.#ownWords.values()].reduce((sum, { times }) => sum + times, 0);
  }

  /** Answers that put a clause to the test, whichever check asked. */
  exercisedTimes(clause: ClauseId): number {
    return timesOf(clause, this.#exercised);
  }

  /** Every bound that a clause sets to answers, with the answers that reached it, whichever check asked. */
  get bounds(): readonly ReachedBound[] {
    return clauses.flatMap(({ id: clause }) =>
      [...boundsOfClause(clause)].map(([rule, words]) => ({
        clause,
        words,
        times: this.#exercised.get(rule as Exercised) ?? 0,
      })),
    );
  }

  /** Times each of these clauses was put to the test by the exchanges of the given checks, and what bounds were not reached. */
  exercisedBy(checkIds: Iterable<string>, clauses: Iterable<ClauseId>): ExercisedClauses {
    const sum = new Map<Exercised, number>();
    for (const id of checkIds) {
      for (const [each, count] of this.#exercisedBy.get(id) ?? [])
        sum.set(each, (sum.get(each) ?? 0) + count);
    }
    const times = new Map<ClauseId, number>();
    const unreached = new Map<ClauseId, readonly string[]>();
    for (const clause of clauses) {
      const count = timesOf(clause, sum);
      if (count > 0) times.set(clause, count);
      else unreached.set(clause, unreachedOf(clause, sum));
    }
    return { times, unreached };
  }

  /** What a request shows that was served: a baseline one by itself, and beside another that was under way. */
  #served(exchange: Exchange, expected: Due | undefined): readonly ClauseId[] {
    const isBesideOthers = exchange.startedMs < this.#lastEndMs;
    this.#lastEndMs = Math.max(this.#lastEndMs, exchange.endedMs);
    if (this.#asked === undefined || !isAccepted(exchange)) return [];
    const { call, kind } = askedOf(exchange, this.#asked, expected) ?? {};
    if (call === 'send' && kind === 'open') return ['service.sends-are-served-or-refused'];
    if (call === undefined || kind !== 'accept') return [];
    const alone: readonly ClauseId[] = call === 'mentions' ? [] : ['service.valid-requests-are-served'];
    return isBesideOthers ? [...alone, 'service.requests-at-once-are-served'] : alone;
  }

  #note(problem: WireProblem, exchange: Exchange, metIn: string, count: number): void {
    const sightings = problem.mayBeOwnWord === true ? this.#ownWords : this.#sightings;
    const known = sightings.get(rootOf(problem));
    if (known?.ease === 2) {
      known.times += count;
      return;
    }
    const times = (known?.times ?? 0) + count;
    // Answers are added in the order in which they ended.
    const firstMs = known?.firstMs ?? exchange.endedMs;
    const sighting = this.#sightingOf(problem, exchange, metIn);
    if (known === undefined || sighting.ease > known.ease)
      sightings.set(rootOf(problem), { ...sighting, times, firstMs });
    else known.times = times;
  }

  #sightingOf(
    problem: WireProblem,
    exchange: Exchange,
    metIn: string,
  ): Omit<WireSighting, 'times' | 'firstMs'> {
    const sighting = { problem, exchange, metIn };
    const sendOf = this.#sendOf;
    const messages = messagesAlong(exchange.response?.json, problem.path ?? []);
    if (sendOf === undefined || messages.length === 0) return { ...sighting, ease: 2 };
    const send = messages.map(sendOf).find((each) => each !== undefined);
    if (send === undefined) return { ...sighting, ease: 0 };
    return { ...sighting, send, ease: send.check === metIn ? 2 : 1 };
  }
}

/** The messages that a path in a body leads to or into. */
function messagesAlong(body: unknown, path: JsonPath): readonly JsonRecord[] {
  return recordsAlong(body, path)
    .filter(({ path: { length } }) => length > 0)
    .map(({ record }) => messageIn(record))
    .filter((record) => 'content' in record || 'author' in record);
}

/** A clause that sets bounds is put to the test once each of them was reached. */
function timesOf(clause: ClauseId, exercised: ReadonlyMap<Exercised, number>): number {
  const bounds = [...boundsOfClause(clause).keys()] as Exercised[];
  const own = bounds.length === 0 ? [clause] : bounds;
  return Math.min(...own.map((each) => exercised.get(each) ?? 0));
}

function unreachedOf(clause: ClauseId, exercised: ReadonlyMap<Exercised, number>): readonly string[] {
  return [...boundsOfClause(clause)].flatMap(([rule, words]) =>
    exercised.has(rule as Exercised) ? [] : [words],
  );
}

function rootOf({ clause, part }: WireProblem): string {
  return `${clause} ${part}`;
}
