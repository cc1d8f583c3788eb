import type { Exchange } from '../../harness/client/exchange.ts';
import type { AnswerGroup, Pace, PaceSlice } from '../../harness/results/generated/events.ts';

/** However long a campaign takes: where a slice more would be needed, two become one. */
const mostSlices = 60;
/** Powers of two of this, so that slices of different campaigns can be added up. */
const firstSliceMs = 250;

type Counts = { judged: number; answers: Partial<Record<AnswerGroup, number>> };

/** Counts cases by when they were answered, and how. */
export class PaceMeter {
  #sliceMs = firstSliceMs;
  #slices: Counts[] = [];

  /** Counts a case that was answered at this time, in ms since the beginning. */
  add(atMs: number, exchange: Pick<Exchange, 'response' | 'fault'>, isJudged: boolean): void {
    const slice = this.#sliceAt(atMs);
    const group = groupOf(exchange);
    slice.judged += isJudged ? 1 : 0;
    slice.answers[group] = (slice.answers[group] ?? 0) + 1;
  }

  /** Counts judgements alone. */
  addJudged(atMs: number, judged: number): void {
    this.#sliceAt(atMs).judged += judged;
  }

  get pace(): Pace {
    return { sliceMs: this.#sliceMs, slices: this.#slices };
  }

  #sliceAt(atMs: number): Counts {
    while (atMs >= mostSlices * this.#sliceMs) {
      this.#slices = halved(this.#slices);
      this.#sliceMs *= 2;
    }
    const at = Math.floor(atMs / this.#sliceMs);
    while (this.#slices.length <= at) this.#slices.push({ judged: 0, answers: {} });
    return this.#slices[at] ?? { judged: 0, answers: {} };
  }
}

/** What two campaigns that began together did in each slice of time; one that does not tell counts as nothing. */
export function mergedPace(one: Pace | undefined, other: Pace | undefined): Pace | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const sliceMs = Math.max(one.sliceMs, other.sliceMs);
  const [first, second] = [one, other].map((pace) => coarsened(pace, sliceMs));
  const count = Math.max(first?.length ?? 0, second?.length ?? 0);
  const slices = Array.from({ length: count }, (_, at) => sumOf(first?.[at], second?.[at]));
  return { sliceMs, slices };
}

/** What one shard is to the others is unknown here: a slice that is no power of two of the other goes into the one it begins in. */
function coarsened({ sliceMs, slices }: Pace, wantedMs: number): readonly PaceSlice[] {
  const wide: PaceSlice[] = [];
  for (const [index, slice] of slices.entries()) {
    const at = Math.floor((index * sliceMs) / wantedMs);
    while (wide.length <= at) wide.push({ judged: 0, answers: {} });
    wide[at] = sumOf(wide[at], slice);
  }
  return wide;
}

function halved(slices: readonly Counts[]): Counts[] {
  return Array.from({ length: Math.ceil(slices.length / 2) }, (_, at) =>
    sumOf(slices[2 * at], slices[2 * at + 1]),
  );
}

function sumOf(one: PaceSlice | undefined, other: PaceSlice | undefined): Counts {
  const answers: Counts['answers'] = { ...one?.answers };
  for (const [group, count] of Object.entries(other?.answers ?? {}) as [AnswerGroup, number][])
    answers[group] = (answers[group] ?? 0) + count;
  return { judged: (one?.judged ?? 0) + (other?.judged ?? 0), answers };
}

function groupOf({ response, fault }: Pick<Exchange, 'response' | 'fault'>): AnswerGroup {
  if (response === undefined || fault !== undefined) return 'none';
  const { status } = response;
  if (status === 429) return '429';
  if (status >= 200 && status < 300) return '2xx';
  if (status >= 400 && status < 500) return '4xx';
  return status >= 500 ? '5xx' : 'other';
}
