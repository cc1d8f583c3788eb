import { isAccepted } from '../../harness/client/exchange.ts';
import type { BoundariesTried, CampaignTotals } from '../../harness/results/generated/events.ts';
import type { Drawn } from '../cases/injection-point.ts';
import type { CaseOutcome } from '../setup/case-runner.ts';
import type { BoundaryOf } from './draw-cases.ts';
import { PaceMeter } from './pace.ts';
import { isUntaken } from './access.ts';

/** What is counted of the cases. */
export type CaseCounts = Omit<CampaignTotals, 'end' | 'readBack' | 'untried' | 'leftOut' | 'seen' | 'fixed'>;

/** Kinds of answers that are told apart; the rest is counted together. */
const mostKinds = 200;
/** Answers in a row that did not come before the server counts as gone. */
const goneAfter = 200;
/** Cases in a row that a limit refused in spite of all waiting before it counts as one without end. */
const limitedAfter = 40;

/** Counts the cases of a campaign by what they came to. */
export class CaseTally {
  readonly answers = new Map<string, number>();
  readonly #byFamily = new Map<string, number>();
  readonly #startedMs = performance.now();
  readonly #pace = new PaceMeter();
  readonly #boundaries = new Map<string, BoundariesTried>();
  cases = 0;
  #judged = 0;
  #inconclusive = 0;
  #unanswered = 0;
  readonly #kept = { accepted: 0, refused: 0 };
  #goneInARow = 0;
  #limitedInARow = 0;
  #letInMs = 0;

  /** Counts one case; true when it came to a judgement. */
  add({ family }: Drawn, { expected, verdict, exchange }: CaseOutcome): boolean {
    const { fault, response } = exchange;
    const { kind, answerKind, failures } = verdict;
    this.#pace.add(this.#elapsedMs, exchange, kind !== 'trouble');
    this.cases += 1;
    countIn(this.#byFamily, family);
    countIn(
      this.answers,
      this.answers.has(answerKind) || this.answers.size < mostKinds ? answerKind : 'others',
    );
    const isLimited = fault === undefined && response?.status === 429;
    this.#limitedInARow = isLimited ? this.#limitedInARow + 1 : 0;
    if (!isLimited) this.#letInMs = this.#elapsedMs;
    this.#goneInARow = isUntaken({ fault }) ? this.#goneInARow + 1 : 0;
    if (kind === 'trouble') {
      this.#inconclusive += 1;
      if (fault !== undefined) this.#unanswered += 1;
      return false;
    }
    this.#judged += 1;
    // Whatever else is wrong with an answer, it is the outcome that shows whether anything is taken.
    if (expected === 'accept' && isAccepted(exchange)) this.#kept.accepted += 1;
    if (expected === 'reject' && !failures.some(({ isOutcome }) => isOutcome)) this.#kept.refused += 1;
    return true;
  }

  /** Counts tries of an entry of the corpus that decided something. */
  addTries(tries: number): void {
    this.cases += tries;
    this.#judged += tries;
    this.#pace.addJudged(this.#elapsedMs, tries);
  }

  /** The boundary values that a campaign has, whichever shard they are of. */
  expectBoundaries(boundaries: readonly Pick<BoundaryOf, 'input'>[]): void {
    for (const { input } of boundaries) {
      const { declared = 0 } = this.#boundaries.get(input) ?? {};
      this.#boundaries.set(input, { declared: declared + 1, judged: 0 });
    }
  }

  /** Counts a case of a boundary value that came to a judgement. */
  addBoundary(boundary: Pick<BoundaryOf, 'input'> | undefined): void {
    if (boundary === undefined) return;
    const { input } = boundary;
    const { declared = 0, judged = 0 } = this.#boundaries.get(input) ?? {};
    this.#boundaries.set(input, { declared, judged: judged + 1 });
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  get isGone(): boolean {
    return this.#goneInARow >= goneAfter;
  }

  get isLimited(): boolean {
    return this.#limitedInARow >= limitedAfter;
  }

  /** When the last case was let in, in ms since the beginning, where a limit without end is met. */
  get limitedFromMs(): number | undefined {
    return this.isLimited ? this.#letInMs : undefined;
  }

  get counts(): CaseCounts {
    return {
      cases: this.cases,
      judged: this.#judged,
      inconclusive: this.#inconclusive,
      unanswered: this.#unanswered,
      kept: this.#kept,
      answers: Object.fromEntries([...this.answers].toSorted(([, one], [, other]) => other - one)),
      byFamily: Object.fromEntries(this.#byFamily),
      pace: this.#pace.pace,
      boundaries: Object.fromEntries(this.#boundaries),
    };
  }
}

function countIn(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
