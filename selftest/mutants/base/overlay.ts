import type { AnswerHook } from '../../../reference/model/answer.ts';
import type { Settings } from '../../../reference/model/settings.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import { remembered } from '../../../spec/groups.ts';

/** What a server does otherwise than the reference; every rule that is not named stays the contract's. */
export interface Overlay {
  readonly rules?: Partial<Rules>;
  readonly answer?: AnswerHook;
  readonly settings?: Partial<Settings>;
}

/** What a server does: the rules that it replaces, or an overlay; a function makes one for each start. */
export type Doing<Given, Made extends Overlay = Overlay> =
  | Partial<Rules>
  | Made
  | ((given: Given & Memory) => Partial<Rules> | Made);

/** What a server remembers from its start on. */
export interface Memory {
  /** True each n-th time that it is asked, of a key where one is given. */
  readonly nth: (n: number, key?: unknown) => boolean;
  /** True the first time that it is asked of a key. */
  readonly isNew: (key: unknown) => boolean;
  /** The first value that was given for a key. */
  readonly first: <Value>(key: unknown, value: Value) => Value;
  /** How many keys were placed before this one first was. */
  readonly place: (key: unknown) => number;
}

function emptyMemory(): Memory {
  const asked = new Map<unknown, number>();
  const values = new Map<unknown, unknown>();
  const keys = new Set<unknown>();
  const places = new Map<unknown, number>();
  return {
    nth: (n, key) => {
      const times = (asked.get(key) ?? 0) + 1;
      asked.set(key, times);
      return times % n === 0;
    },
    isNew: (key) => keys.size < keys.add(key).size,
    first: <Value>(key: unknown, value: Value): Value => {
      if (!values.has(key)) values.set(key, value);
      return values.get(key) as Value;
    },
    place: (key) => remembered(places, key, () => places.size),
  };
}

/** The ms since it was last asked, by a clock; since 0 the first time. */
export function stopwatch(nowMs: () => number): () => number {
  let lastMs = 0;
  return () => {
    const sinceMs = nowMs() - lastMs;
    lastMs += sinceMs;
    return sinceMs;
  };
}

/** Values that stand for so many ms, by a clock: what is asked for is made again once the last is older. */
export function kept<Value>(forMs: number, nowMs: () => number): (key: unknown, make: () => Value) => Value {
  const known = new Map<unknown, { readonly value: Value; readonly atMs: number }>();
  return (key, make) => {
    const before = known.get(key);
    if (before !== undefined && nowMs() - before.atMs < forMs) return before.value;
    const value = make();
    known.set(key, { value, atMs: nowMs() });
    return value;
  };
}

/** The overlay of one start. */
export function overlayOf<Given, Made extends Overlay>(doing: Doing<Given, Made>, given: Given): Made {
  const made = typeof doing === 'function' ? doing({ ...given, ...emptyMemory() }) : doing;
  const isOverlay = ['rules', 'answer', 'settings', 'company'].some((part) => part in made);
  return (isOverlay ? made : { rules: made }) as Made;
}
