import { JudgedChapters } from '../../../harness/judging/judged-chapters.ts';
import { JudgedWire } from '../../../harness/traffic/judged-wire.ts';
import { isStated } from '../../../history/anomalies/roots.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { runChapter, type Chapter } from './chapter.ts';
import { addExercised, exercisedIn, type Exercised } from './exercised.ts';
import { drawPlan, type PlanShape } from '../scene/draw-plan.ts';
import { partKinds, type Plan } from '../scene/plan.ts';
import type { Stage } from '../scene/stage.ts';

/** Rounds of one plan: about a second of work. */
const roundsOfPlan = 6;
/** How long the first chapter takes where nobody says otherwise, in ms. */
const defaultFirstMs = 3_000;
/** Clients write and read for so long at least, in ms, when time is short or restarts are left. */
const leastChapterMs = 500;
/** A history is no longer than this, in ms, so that it fits into memory. */
const longestChapterMs = 60_000;
/** Contents of the largest size are sent where at least so many bytes may be written. */
const bytesForLargest = 20_000_000;
/** No chapter but the first begins with less than this left to write: the anchors alone take some of it. */
const leastBytes = 10_000;

/** How a run goes about it. */
export interface StressOptions {
  readonly clients: number;
  readonly timeMs: number;
  readonly seed: number;
  /** How often the server is restarted, spread over the time. */
  readonly restarts: number;
  /** How long clients write and read before the first look at the whole, in ms; each further chapter takes twice as long. */
  readonly firstChapterMs?: number;
  /** Clauses that may fail without an end to the run; default none. */
  readonly isExpected?: (clause: ClauseId) => boolean;
  /** Told of each chapter as it ends. */
  readonly onChapter?: (chapter: Chapter, number: number, soFar: StressResult) => void;
}

/** What a run found, and what it was. */
export interface StressResult {
  readonly chapters: number;
  readonly durationMs: number;
  readonly exercised: Exercised;
  readonly judged: JudgedChapters;
  /** The form of all answers. */
  readonly wire: JudgedWire;
  /** The chapter in which something failed that nobody expected: the last one. */
  readonly failed: Chapter | undefined;
  /** What ended it before its time, of which nothing is wrong. */
  readonly ended: string | undefined;
  /** Why nothing can be concluded; `undefined` where something can. */
  readonly trouble: string | undefined;
}

const nothing: Exercised = exercisedIn([]);

/** Puts a server under concurrent clients, chapter by chapter, until something fails or the time is over. */
export function runStress(stage: Stage, options: StressOptions): Promise<StressResult> {
  return new StressRun(stage, options).go();
}

class StressRun {
  readonly #stage: Stage;
  readonly #options: StressOptions;
  readonly #startedMs = performance.now();
  readonly #judged = new JudgedChapters();
  readonly #wire: JudgedWire;
  #exercised = nothing;
  #chapters = 0;
  #plans = 0;
  #restarts = 0;

  constructor(stage: Stage, options: StressOptions) {
    this.#stage = stage;
    this.#options = options;
    this.#wire = new JudgedWire(stage.target.names, { areActorsKnown: true });
  }

  async go(): Promise<StressResult> {
    let lengthMs = this.#options.firstChapterMs ?? defaultFirstMs;
    // However long it took to begin, there is something to judge.
    while (this.#chapters === 0 || this.#leftMs > 0 || this.#restarts < this.#options.restarts) {
      if (this.#chapters > 0 && this.#stage.budget.left < leastBytes)
        return this.#result({ ended: '--max-bytes is used up' });
      const chapter = await this.#chapter(Math.min(lengthMs, Math.max(this.#leftMs, leastChapterMs)));
      if (this.#stage.signal.aborted) return this.#result();
      this.#add(chapter);
      if (this.#hasFailed(chapter)) return this.#result({ failed: chapter });
      if (chapter.trouble !== undefined) return this.#result({ trouble: chapter.trouble });
      lengthMs = Math.min(2 * lengthMs, longestChapterMs);
    }
    return this.#result();
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  get #leftMs(): number {
    return this.#options.timeMs - this.#elapsedMs;
  }

  #chapter(loadMs: number): Promise<Chapter> {
    return runChapter(this.#stage, {
      clients: this.#options.clients,
      loadMs,
      plans: this.#endlessPlans(shapeFor(this.#stage, this.#options.clients)),
      onRestart: () => {
        this.#restarts += 1;
      },
      onExchange: (exchange) => this.#wire.add(exchange),
    });
  }

  *#endlessPlans(shape: PlanShape): Generator<Plan> {
    for (;;) {
      const plan = drawPlan(shape, this.#options.seed, this.#plans);
      this.#plans += 1;
      const isDue = this.#restarts < this.#restartsDue;
      yield isDue ? { ...plan, faults: [{ round: 0, delay: this.#plans % 10 }] } : plan;
    }
  }

  /** Restarts that are to have happened by now: the first one in the middle of its share of the time. */
  get #restartsDue(): number {
    const { restarts, timeMs } = this.#options;
    return Math.min(restarts, Math.floor((this.#elapsedMs / timeMs) * restarts + 0.5));
  }

  #hasFailed({ judged: { anomalies } }: Chapter): boolean {
    const { isExpected = () => false } = this.#options;
    return anomalies.some((each) => isStated(each) && !isExpected(each.clause));
  }

  #add(chapter: Chapter): void {
    this.#chapters += 1;
    this.#exercised = addExercised(this.#exercised, exercisedIn(chapter.history.operations));
    this.#judged.note(chapter.history, chapter.judged);
    this.#options.onChapter?.(chapter, this.#chapters, this.#result());
  }

  #result({
    failed,
    ended,
    trouble,
  }: Partial<Pick<StressResult, 'failed' | 'ended' | 'trouble'>> = {}): StressResult {
    return {
      chapters: this.#chapters,
      durationMs: this.#elapsedMs,
      exercised: this.#exercised,
      judged: this.#judged,
      wire: this.#wire,
      failed,
      ended,
      trouble,
    };
  }
}

/** The shape of the plans for a stage. */
export function shapeFor({ agents, channels, budget, intruders, taken }: Stage, clients: number): PlanShape {
  return {
    clients,
    agents: agents.length,
    channels: channels.length,
    rounds: roundsOfPlan,
    hasLargest: budget.left >= bytesForLargest,
    // Of what was not tried yet nobody knows that it has no effect.
    parts: partKinds.filter((part) => taken[part] !== false),
    hasIntruders: intruders.length > 0,
  };
}
