import type { Quotas } from './quotas.ts';
import type { AnswerHook } from '../model/answer.ts';
import type { Rules } from '../rules/rules.ts';
import type { Settings } from '../model/settings.ts';
import type { Sources } from '../model/sources.ts';
import type { Store } from '../store/store.ts';
import type { Waiters } from './waiters.ts';

/** What every call works with. */
export interface Service {
  readonly rules: Rules;
  readonly settings: Settings;
  readonly sources: Sources;
  /** Replaced when a restart opens the data file again. */
  store: Store;
  readonly waiters: Waiters;
  readonly quotas: Quotas;
  /** Sends whose commit is still to come, by scope and key. */
  readonly keysInFlight: Map<string, Promise<void>>;
  /** Whether each credential had access when it was first used; only a rule that forgets to look again reads it. */
  readonly accessAtFirstUse: Map<string, boolean>;
  /** Credentials whose agent was found without access; only a rule that never gives it back reads it. */
  readonly accessLost: Set<string>;
  readonly onAnswer: AnswerHook | undefined;
}
