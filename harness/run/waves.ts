import { isDisruptive, isLarge, runsAlone, type Check } from '../check/check.ts';
import { SuiteBug } from '../errors.ts';
import type { RunState } from '../stream/run-state.ts';

/** Large checks run after the others, and few at once. */
const largeConcurrency = 4;

/** A server whose median round trip is longer than this, in ms, is far. */
const farMs = 5;
/** Checks in flight: each reads past what those beside it write, so that near a server few at once are done sooner. */
const defaultConcurrency = { near: 48, far: 128 } as const;

/** Checks that run together. */
interface Wave {
  readonly checks: readonly Check[];
  /** How many at once, where that is not for the run to say. */
  readonly concurrency?: number;
  /** What goes on beside these and does not disturb them, since it acts only in workspaces that it has the operator make. */
  readonly elsewhere?: readonly Check[];
  /** One after the other up to the settle time of each, which they spend together. */
  readonly isStaggered?: true;
}

/**
 * Ordinary checks together: first those that want a workspace, which is made beside the others, then those that wait long.
 * After them the exclusive ones, each alone in the target, but for the settle time of some; then those with large bodies, which
 * nobody has to read past; then those that have the server restarted. Where their order is drawn, they keep it within each wave.
 */
export function wavesOf(
  checks: readonly Check[],
  { isDrawn = false }: Pick<WaveOptions, 'isDrawn'> = {},
): readonly Wave[] {
  const shared = checks.filter((check) => !runsAlone(check));
  const exclusive = checks.filter(runsAlone);
  const others = exclusive.filter(({ sharesSettling }) => !sharesSettling);
  const ordinary = shared.filter((check) => !isLarge(check));
  return [
    {
      checks: isDrawn
        ? ordinary
        : ordinary.toSorted((one, other) => callsFirst(one, other) || other.waitMs - one.waitMs),
    },
    { checks: exclusive.filter(({ sharesSettling }) => sharesSettling), isStaggered: true },
    {
      checks: others.filter((check) => !actsElsewhere(check) && !isDisruptive(check)),
      concurrency: 1,
      elsewhere: others.filter((check) => actsElsewhere(check) && !isDisruptive(check)),
    },
    { checks: shared.filter(isLarge), concurrency: largeConcurrency },
    // Beside each other, so that one restart does for all.
    { checks: others.filter(isDisruptive) },
  ];
}

/** How the waves of a run go. */
export interface WaveOptions {
  readonly concurrency: number | undefined;
  /** No further check begins once it is aborted. */
  readonly signal: AbortSignal;
  /** True for checks in an order that was drawn. */
  readonly isDrawn?: boolean;
  /** What runs beside the others, until a restart, in workspaces of its own; gives what came to no verdict there. */
  readonly apart?: { readonly checks: readonly Check[]; readonly run: () => Promise<readonly Check[]> };
}

/** Runs checks wave by wave: each begins when the one before has ended. */
export async function runWaves(
  checks: readonly Check[],
  run: RunState,
  { concurrency: asked, signal, isDrawn = false, apart }: WaveOptions,
  one: (check: Check, onSettling?: () => void) => Promise<void>,
): Promise<void> {
  const breadth = {
    concurrency: asked ?? defaultConcurrency[run.roundTripMs > farMs ? 'far' : 'near'],
    whileIdle: asked ?? defaultConcurrency.far,
    isIdle: () => run.whole.waits.hasRoom,
  };
  const runWave = async ({
    checks: these,
    concurrency,
    elsewhere = [],
    isStaggered,
  }: Wave): Promise<void> => {
    if (isStaggered === true) return staggered(these, signal, one);
    const own = concurrency === undefined ? breadth : { concurrency };
    await Promise.all([inParallel(these, own, signal, one), inParallel(elsewhere, breadth, signal, one)]);
  };
  const here = checks.filter((check) => apart?.checks.includes(check) !== true);
  const runAll = async (these: readonly Check[]): Promise<void> => {
    const [first, ...others] = wavesOf(these, { isDrawn });
    if (first !== undefined) await runWave(first);
    for (const wave of run.whole.isHopeless ? wavesWithoutQuiet(others) : others) await runWave(wave);
  };
  const [left = []] = await Promise.all([apart?.run(), runAll(here.filter((check) => !isDisruptive(check)))]);
  await runAll([...left, ...here.filter(isDisruptive)]);
}

/** True for a check that acts only in workspaces that it has the operator make: others do not disturb it, nor it them. */
function actsElsewhere({ needs }: Check): boolean {
  return needs.includes('provision-hook') && needs.every((need) => need.endsWith('-hook'));
}

function checksIn({ checks, elsewhere = [] }: Wave): readonly Check[] {
  return [...checks, ...elsewhere];
}

function callsFirst(one: Check, other: Check): number {
  const calls = ({ needs }: Check): number => (needs.includes('provision-hook') ? 1 : 0);
  return calls(other) - calls(one);
}

/**
 * The same checks for a server that has shown nothing of what was sent: no check can disturb there what another one
 * sees, so that only those go on alone that let the operator change something.
 */
export function wavesWithoutQuiet(waves: readonly Wave[]): readonly Wave[] {
  const checks = waves.flatMap(checksIn);
  const hasHook = ({ needs }: Check): boolean => needs.some((need) => need.endsWith('-hook'));
  return [
    { checks: checks.filter((check) => !hasHook(check)) },
    { checks: checks.filter(hasHook), concurrency: 1 },
  ];
}

/** Begins each check when the one before has ended, or says that it does nothing but wait for the settle time. */
export async function staggered(
  checks: readonly Check[],
  signal: AbortSignal,
  one: (check: Check, onSettling: () => void) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = [];
  for (const check of checks) {
    if (signal.aborted) break;
    await new Promise<void>((resolve) => {
      const ended = one(check, resolve);
      begun.push(ended);
      ended.then(resolve, () => resolve());
    });
  }
  await Promise.all(begun);
}

/** How many checks run side by side. */
interface Breadth {
  readonly concurrency: number;
  /** So many at most while those that run do nothing but wait; default `concurrency`. */
  readonly whileIdle?: number;
  /** True while nothing goes on but waiting. */
  readonly isIdle?: () => boolean;
}

/** It is looked this often whether all wait, in ms. */
const lookEveryMs = 20;
/** Checks that begin at one look. */
const moreAtOnce = 8;

/**
 * Runs checks side by side until all have ended or `signal` says to stop: `concurrency` of them at once, and more as
 * long as all of these only wait, since then another costs nobody anything.
 */
export async function inParallel(
  checks: readonly Check[],
  { concurrency, whileIdle = concurrency, isIdle = () => false }: Breadth,
  signal: AbortSignal,
  one: (check: Check) => Promise<void>,
): Promise<void> {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new SuiteBug(`concurrency ${concurrency} is no count`);
  const queue = checks.values();
  let left = checks.length;
  let running = 0;
  let broken: { readonly error: unknown } | undefined;
  /** Runs the next check; false when there is none. */
  const next = async (): Promise<boolean> => {
    if (signal.aborted || broken !== undefined) return false;
    const { value: check } = queue.next();
    if (check === undefined) return false;
    left -= 1;
    running += 1;
    await one(check).catch((error: unknown) => (broken ??= { error }));
    running -= 1;
    return true;
  };
  const worker = async (): Promise<void> => {
    while (await next());
  };
  const further: Promise<boolean>[] = [];
  const looking = setInterval(() => {
    const room = isIdle() ? Math.min(left, whileIdle - running, moreAtOnce) : 0;
    for (let count = 0; count < room; count += 1) further.push(next());
  }, lookEveryMs);
  await Promise.all(Array.from({ length: Math.min(concurrency, checks.length) }, worker));
  clearInterval(looking);
  await Promise.all(further);
  if (broken !== undefined) throw (broken as { readonly error: unknown }).error;
}

/** Does a piece of work for each item, by `workers` at a time at most; results in the order of the items. */
export async function withWorkers<Item, Result>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, worker));
  return results;
}
