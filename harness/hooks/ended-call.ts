import type { HookName } from '../config/target.ts';
import type { HookInputs } from './hook-protocol.ts';

/** A call of a hook that has ended; times in ms on the monotonic clock. */
export interface EndedCall {
  readonly name: HookName;
  readonly input: HookInputs[HookName];
  readonly startedMs: number;
  readonly endedMs: number;
  /** False when the hook failed: then nobody knows what it did. */
  readonly isDone: boolean;
}
