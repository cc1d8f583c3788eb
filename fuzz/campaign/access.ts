import { setTimeout as pause } from 'node:timers/promises';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import { acceptedRoles } from '../../harness/config/roles.ts';
import { speakerOf, type CaseRequest } from '../cases/case-request.ts';
import { goodRequests, namedBaseline, spokenBy } from '../cases/baseline-requests.ts';
import { isServerError } from '../../harness/verdict/trouble.ts';
import { callOfFamily } from '../cases/family.ts';
import type { InjectionPoint } from '../cases/injection-point.ts';
import type { Guarded } from '../cases/families/reads.ts';
import type { CaseOutcome, CaseRunner } from '../setup/case-runner.ts';

/** Refusals of a credential in a row, of cases that are to be taken, before its baseline requests are looked at. */
const suspectAfter = 20;
/** Tries at the end that a server may leave without an answer, and the pause between them, in ms. */
const lastTries = 3;
const lastPauseMs = 200;

/** Tells a request that is refused from a credential that lets nobody in any more. */
export class Access {
  readonly #runner: Pick<CaseRunner, 'run'>;
  readonly #calls: readonly Guarded[];
  readonly #startedMs = performance.now();
  readonly #refusedInARow = new Map<string, number>();
  readonly #letInMs = new Map<string, number>();
  #isLooking = false;
  #isGone = false;
  #lostFromMs: number | undefined;
  #failing: string | undefined;
  #refusing: string | undefined;

  /** `calls` are those whose baseline request was taken at the beginning. */
  constructor(runner: Pick<CaseRunner, 'run'>, calls: readonly Guarded[]) {
    this.#runner = runner;
    // A send leaves a message behind: it is asked last.
    this.#calls = calls.toSorted((one, other) => Number(one === 'send') - Number(other === 'send'));
  }

  /** When the credential that is lost let somebody in for the last time, in ms since the beginning; `undefined` while none is. */
  get lostFromMs(): number | undefined {
    return this.#lostFromMs;
  }

  /** True once nobody took the last requests. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** The baseline request that drew nothing but an error of the server at the end, and the last of these. */
  get failing(): string | undefined {
    return this.#failing;
  }

  /** The baseline request that is refused at the end though it was taken at the beginning, and how. */
  get refusing(): string | undefined {
    return this.#refusing;
  }

  /** Counts the refusals of one case after the other; looks closer when there are many. */
  note({ expected, exchange }: Pick<CaseOutcome, 'expected' | 'exchange'>): void {
    const { actor } = exchange;
    if (isAccepted(exchange)) {
      this.#refusedInARow.set(actor, 0);
      this.#letInMs.set(actor, performance.now() - this.#startedMs);
      return;
    }
    if (expected !== 'accept' || !isNoEntry(exchange)) return;
    const count = (this.#refusedInARow.get(actor) ?? 0) + 1;
    this.#refusedInARow.set(actor, count);
    if (count >= suspectAfter && !this.#isLooking) void this.#look(exchange);
  }

  async #look(exchange: Exchange): Promise<void> {
    this.#isLooking = true;
    const isLost = await this.isLost(exchange);
    this.#isLooking = false;
    this.#refusedInARow.set(exchange.actor, 0);
    if (isLost) this.#lostFromMs ??= this.#letInMs.get(exchange.actor) ?? 0;
  }

  /**
   * True where a request was refused for its credential (401, 403), and every baseline request of that credential, taken
   * at the beginning, is refused in the same way now. Another good credential is looked at by the author's requests, asked with it; one that
   * opens nothing anyway by the author's own.
   */
  async isLost(exchange: Exchange): Promise<boolean> {
    if (!isNoEntry(exchange)) return false;
    for (const request of this.#openedBy(exchange.actor)) {
      // One that is taken decides: the others need not be asked.
      const outcome = await this.#runner.run(request);
      if (outcome === undefined || !isNoEntry(outcome.exchange)) return false;
    }
    return this.#calls.length > 0;
  }

  /**
   * Asks once more at the end, each call that the cases are of: what was found is worth nothing when nobody was there any more to be found
   * wrong.
   */
  async lookAtEnd(cases: readonly Pick<InjectionPoint, 'family'>[]): Promise<void> {
    const asked = new Set<Guarded>(cases.map(({ family }) => callOfFamily[family]));
    const [first, ...others] = this.#calls;
    if (first === undefined) return;
    for (const call of [first, ...others.filter((each) => asked.has(each))]) {
      const last = await this.#askAtEnd(call);
      if (last === undefined) continue;
      const { exchange, verdict } = last;
      this.#isGone = isUntaken(exchange);
      if (isServerError(exchange)) this.#failing = namedBaseline(call, verdict.answerKind);
      if (isRefused(exchange)) this.#refusing ??= namedBaseline(call, verdict.answerKind);
      if (isNoEntry(exchange)) await this.#look(exchange);
      if (this.#isGone || this.#failing !== undefined || this.#lostFromMs !== undefined) return;
    }
  }

  /** What came of a baseline request; the last of several tries, one after the other: a moment's trouble is not the end of a server. */
  async #askAtEnd(call: Guarded): Promise<CaseOutcome | undefined> {
    let last: CaseOutcome | undefined;
    for (let tries = 0; tries < lastTries; tries += 1) {
      last = await this.#runner.run(goodRequests[call]);
      if (last === undefined || !isTroubled(last.exchange)) return last;
      await pause(lastPauseMs);
    }
    return last;
  }

  /** What a credential opens as long as it is good, to whoever has it. */
  #openedBy(actor: string): readonly CaseRequest[] {
    const own = this.#baselineOf(actor);
    if (own.length > 0) return own;
    const ofAuthor = this.#baselineOf('author');
    const role = acceptedRoles.find((each) => each === actor);
    if (role === undefined || role === 'machine') return ofAuthor;
    // An agent of another workspace sees its own mentions and channels.
    return ofAuthor
      .filter(({ call }) => role !== 'stranger' || call === 'mentions' || call === 'channels-list')
      .map((request) => spokenBy(role, { ...request, headers: withoutCredential(request) }));
  }

  #baselineOf(actor: string): readonly CaseRequest[] {
    return this.#calls.map((call) => goodRequests[call]).filter((request) => speakerOf(request) === actor);
  }
}

function withoutCredential({ headers }: CaseRequest): CaseRequest['headers'] {
  const { authorization: _usual, ...others } = headers;
  return others;
}

/** True where nobody took a request, or somebody dropped it: as when a server is gone. */
export function isUntaken({ fault }: Pick<Exchange, 'fault'>): boolean {
  return fault?.kind === 'refused' || fault?.kind === 'reset';
}

function isTroubled(exchange: Exchange): boolean {
  return isUntaken(exchange) || isServerError(exchange) || isRefused(exchange);
}

/** Whether it is refused, by anything but a limit. */
function isRefused({ response }: Exchange): boolean {
  const { status = 0 } = response ?? {};
  return status >= 400 && status <= 499 && status !== 429;
}

function isNoEntry({ response }: Exchange): boolean {
  return response?.status === 401 || response?.status === 403;
}
