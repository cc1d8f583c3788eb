import { parse, parseNumberAndBigInt } from 'lossless-json';
import { jsonAnswer, type Answer } from '../model/answer.ts';
import { Refusal } from '../model/refusal.ts';
import type { Service } from '../service/service.ts';

/** The use of an idempotency key by one send. */
export interface KeyUse {
  readonly scope: string;
  readonly key: string;
  /** Equal for equal bodies. */
  readonly fingerprint: string;
}

/**
 * The answer of an earlier use of the key, if it has one that still counts.
 * @throws Refusal (409) when it was used for another body.
 */
export function replayOf(
  { rules, store, sources }: Service,
  { scope, key, fingerprint }: KeyUse,
): Answer | undefined {
  const record = store.idempotencyKeys.find(scope, key);
  if (!record || !rules.isKeyRecordAlive(record, sources.now())) return undefined;
  const effect = rules.onKeyReuse(record, fingerprint);
  if (effect === 'conflict') throw new Refusal('conflict', 'the idempotency key was used for another body');
  if (effect === 'apply') return undefined;
  return jsonAnswer(rules.statusOfSend(true), parse(record.answer, undefined, parseNumberAndBigInt));
}

/** Remembers a use together with the text that answered it. */
export function recordUse(
  { store, sources }: Service,
  { scope, key, fingerprint }: KeyUse,
  answer: string,
): void {
  store.idempotencyKeys.record(scope, key, fingerprint, sources.now(), answer);
}

/**
 * Resolves once no other send under the key is in flight.
 * @throws Refusal (409) when a rule does not wait for it.
 */
export async function waitForTurn({ rules, keysInFlight }: Service, use: KeyUse): Promise<void> {
  const slot = slotOf(use);
  for (let first = keysInFlight.get(slot); first; first = keysInFlight.get(slot)) {
    const effect = rules.onKeyInFlight();
    if (effect === 'ignore') return;
    if (effect === 'conflict')
      throw new Refusal('conflict', 'the idempotency key is in use by a send in flight');
    await first;
  }
}

/** Runs `commit` after a pause, during which the key counts as in flight. */
export async function commitAfterPause<Result>(
  { keysInFlight, sources }: Service,
  use: KeyUse,
  pauseMs: number,
  commit: () => Result,
): Promise<Result> {
  const committed = new Promise<void>((resolve) => sources.after(pauseMs, resolve)).then(commit);
  const isOver = committed.then(
    () => {},
    () => {},
  );
  keysInFlight.set(slotOf(use), isOver);
  try {
    return await committed;
  } finally {
    keysInFlight.delete(slotOf(use));
  }
}

function slotOf({ scope, key }: KeyUse): string {
  return `${scope} ${key}`;
}
