import type { Change, Operation, Read, Send } from '../operation.ts';
import { byTime, countWhile } from '../world/sorted.ts';

/** A request that may come again: another one of the same kind. */
export type Request = Send | Read;

/** How long after an error another one comes again: no sooner, and no later, in ms. */
export interface Distance {
  readonly leastMs: number;
  readonly mostMs: number;
}
export const betweenAny: Distance = { leastMs: 0, mostMs: Infinity };
/**
 * Of a server that its operator may have restarted at any time: what lies closer together may be of one restart, and what lies further
 * apart of two.
 */
export const betweenUnknown: Distance = { leastMs: 10_000, mostMs: 60_000 };
/** What came up to so long after a restart, in ms, may have come of it. */
const afterRestartMs = 1_000;

/** What is asked of a history where something comes again. */
interface Again {
  readonly distance: Distance;
  /** What is of another shape and comes again as well, by its call and by when it began. */
  readonly others?: ReadonlyMap<string, readonly Request[]>;
}

/**
 * Of requests of one shape, by their ends, a breach, what was served after it, and the next breach after that: one of them, or of `others` of
 * the call.
 */
export function comingAgain(
  alike: readonly Request[],
  isBreach: (request: Request) => boolean,
  { others, distance: { leastMs, mostMs } }: Again,
): readonly [Request, Request, Request] | undefined {
  const breaches = alike.filter(isBreach);
  const [earliest] = breaches;
  if (earliest === undefined) return undefined;
  const candidates = [byTime(breaches, startOf), others?.get(callOf(earliest)) ?? []];
  const served = new EndedFirst(alike.filter(isServed));
  // Where no time between them is too long, the one that ended first shows what any of them shows.
  for (const first of mostMs === Infinity ? [earliest] : breaches) {
    const between = served.after(first.endedMs);
    if (between === undefined) continue;
    const earliestMs = Math.max(between.endedMs, first.endedMs + leastMs);
    const next = candidates
      .map((each) => firstAfter(each, earliestMs))
      .find((each) => each !== undefined && each.startedMs <= first.endedMs + mostMs);
    if (next !== undefined) return [first, between, next];
  }
  return undefined;
}

/** Of requests by their begins, the first that began after a time. */
function firstAfter(requests: readonly Request[], ms: number): Request | undefined {
  return requests[countWhile(requests.length, (rank) => startOf(requests[rank]) <= ms)];
}

/** Of some requests, the one that ended first of all that began after a time. */
class EndedFirst {
  readonly #requests: readonly Request[];
  /** Of all from a place on, by their begins. */
  readonly #first: Request[] = [];

  constructor(requests: readonly Request[]) {
    this.#requests = byTime(requests, startOf);
    let first: Request | undefined;
    for (const each of this.#requests.toReversed()) {
      if (first === undefined || each.endedMs <= first.endedMs) first = each;
      this.#first.push(first);
    }
    this.#first.reverse();
  }

  after(ms: number): Request | undefined {
    return this.#first[countWhile(this.#requests.length, (rank) => startOf(this.#requests[rank]) <= ms)];
  }
}

/** When a request began. */
export function startOf(request: Request | undefined): number {
  return request?.startedMs ?? 0;
}

/** Whether an answer may come of what the operator did: a restart, or a limit that was lowered. */
export function excuses(operations: readonly Operation[]): (operation: Operation) => boolean {
  const changes = operations.filter((each): each is Change => each.kind === 'change');
  const restarts = changes
    .filter(({ change }) => change === 'restart')
    .map(({ startedMs, endedMs }) => [startedMs, endedMs + afterRestartMs] as const);
  const limits = changes.filter(({ change }) => change === 'limit');
  const limited = limits
    .filter(({ detail }) => detail !== 'lifted')
    .map(({ startedMs }) => {
      const lifted = limits.find((each) => each.detail === 'lifted' && each.startedMs > startedMs);
      return [startedMs, lifted?.endedMs ?? Infinity] as const;
    });
  const spans = [...restarts, ...limited];
  return ({ startedMs, endedMs }) =>
    spans.some(([beginMs, endMs]) => startedMs <= endMs && endedMs >= beginMs);
}

/** Whether a request was served. */
export function isServed({ outcome }: Operation): boolean {
  return outcome === 'accepted';
}

/** The call of a request, as the contract names it. */
export function callOf(request: Request): string {
  return request.kind === 'send' ? 'send' : request.call;
}
