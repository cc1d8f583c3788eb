import { areaOf, isLarge, runsAlone, type Check } from '../check/check.ts';
import { isEnabled } from '../config/capabilities.ts';
import type { Target } from '../config/target.ts';
import { IdentityCache } from '../stream/identities.ts';
import type { RunState } from '../stream/run-state.ts';
import { unlessStopped } from '../verdict/outcome.ts';
import type { HookCaller } from '../check/hook-caller.ts';

/** Where an attempt at a check takes place: a workspace, and what the run knows of it. */
export interface Place {
  readonly run: RunState;
  readonly identities: IdentityCache;
}

/** Workspaces at most: each costs a call of the operator's program. */
const mostWorkspaces = 6;
/** Checks for each of them at least: fewer are done as soon without. */
const checksForEach = 3;

/**
 * Checks that want quiet, or that write so much that others would have to read past it: in a workspace that the operator
 * makes for them nobody else speaks, so that they need not wait until the others have ended.
 */
export function checksApart(checks: readonly Check[], target: Target): readonly Check[] {
  if (!isEnabled(target, 'provision-hook') || target.limits.isReadOnly) return [];
  const apart = checks.filter(
    (check) => (runsAlone(check) || isLarge(check)) && !check.needs.some((need) => need.endsWith('-hook')),
  );
  return apart.length > checksForEach ? apart : [];
}

/** How a check that runs apart goes: false when it came to no verdict there. */
export type TryApart = (check: Check, place: Place) => Promise<boolean>;

/**
 * Runs checks in workspaces of their own, one after another in each. Gives those that came to no verdict there: for want of
 * a workspace, or of something in it.
 */
export async function runApart(
  checks: readonly Check[],
  { open, signal }: { readonly open: () => Promise<Place | undefined>; readonly signal: AbortSignal },
  tryApart: TryApart,
): Promise<readonly Check[]> {
  const small = new Queue(
    checks.filter((check) => !isLarge(check)),
    { mayDivide: true },
  );
  // Whoever comes later reads past what those before have written.
  const large = new Queue(
    checks.filter(isLarge).toSorted((one, other) => one.bodyBytes - other.bodyBytes),
    { mayDivide: false },
  );
  const left: Check[] = [];
  const worker = async (queues: readonly Queue[]): Promise<void> => {
    const place = await open();
    if (place === undefined) return;
    for (const queue of queues) {
      let next: Check | undefined;
      while (!signal.aborted && (next = queue.take(next)) !== undefined)
        if (!(await tryApart(next, place))) left.push(next);
    }
  };
  const count = Math.min(mostWorkspaces, Math.ceil(checks.length / checksForEach));
  // Whoever reads all there is would read past what the large ones wrote.
  const forLarge = small.left.length === 0 ? count : Math.min(Math.floor(count / 3), large.left.length);
  await Promise.all(
    Array.from({ length: count }, (_, index) => worker(index < forLarge ? [large] : [small, large])),
  );
  return [...left, ...small.left, ...large.left];
}

/** Checks that wait for a workspace: those of one area go to one, since they look at the same messages. */
class Queue {
  readonly left: Check[];
  readonly #begun = new Set<string>();

  readonly #mayDivide: boolean;

  /** An area is divided only where what its checks share is small. */
  constructor(checks: readonly Check[], { mayDivide }: { readonly mayDivide: boolean }) {
    this.left = [...checks];
    this.#mayDivide = mayDivide;
  }

  /** The next check: of the area of the last one, else of an area that nobody has begun, else of one that may be divided. */
  take(last: Check | undefined): Check | undefined {
    const same = this.left.findIndex((each) => last !== undefined && areaOf(each) === areaOf(last));
    const other = this.left.findIndex((each) => !this.#begun.has(areaOf(each)));
    const place = same === -1 ? other : same;
    if (place === -1 && !this.#mayDivide) return undefined;
    const [next] = this.left.splice(Math.max(0, place), 1);
    if (next !== undefined) this.#begun.add(areaOf(next));
    return next;
  }
}

/** A workspace that the operator makes; `undefined` when that does not work. */
export async function openPlace(
  run: RunState,
  hooks: HookCaller,
  signal: AbortSignal,
): Promise<Place | undefined> {
  const made = await unlessStopped(run.whole.waits.waiting('hook', () => hooks.provision({}, signal)));
  if (made === undefined) return undefined;
  const own = run.inWorkspace(made.target, `fresh workspace ${made.number}`);
  return { run: own, identities: new IdentityCache(() => own.forgetShared()) };
}
