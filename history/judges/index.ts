import type { Judge } from './judge.ts';

/** Every judge, in the order in which their findings explain each other: the first to name a root is its cause. */
export const judges: readonly Judge[] = [];
