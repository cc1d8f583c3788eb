import { createHash } from 'node:crypto';
import { canonicalJson } from '../model/json-text.ts';

/** What is remembered of an earlier use of an idempotency key. */
export interface UsedKey {
  readonly fingerprint: string;
  readonly recordedMs: number;
}

/** How an idempotency key is remembered, and what its second use does. */
export const idempotencyRules = {
  /** A restart forgets no key. */
  losesKeysAtRestart: (): boolean => false,

  /** A key belongs to one agent in one channel. */
  idempotencyScope: (use: {
    readonly agentId: string;
    readonly channelId: string;
    readonly workspaceId: string;
  }): string => `${use.agentId} ${use.channelId}`,

  /** A key is the whole header, letter by letter, whatever is sent under it. */
  comparedKey: (key: string, _body: Readonly<Record<string, unknown>>): string => key,

  /** Two bodies are equal when they are the same JSON value, whatever their spelling. */
  fingerprint: (body: Readonly<Record<string, unknown>>): string =>
    createHash('sha256').update(canonicalJson(body)).digest('base64'),

  /** A key record never expires. */
  isKeyRecordAlive: (_record: UsedKey, _nowMs: number): boolean => true,

  /** An equal body is answered as before, another one conflicts; `apply` would send once more. */
  onKeyReuse: (record: UsedKey, fingerprint: string): 'replay' | 'conflict' | 'apply' =>
    record.fingerprint === fingerprint ? 'replay' : 'conflict',

  /** A refused body does not use its key up. */
  remembersRefusedSend: (): boolean => false,

  /** What a conflict refuses is not sent. */
  storesConflictingSend: (): boolean => false,

  /** The key is recorded together with the message. */
  recordsKey: (_key: string): boolean => true,

  /** Time between the look at a key and the commit of its message. */
  pauseBeforeCommitMs: (_content: string): number => 0,

  /** A key whose first use is still in flight waits for it. */
  onKeyInFlight: (): 'wait' | 'conflict' | 'ignore' => 'wait',
} as const;
