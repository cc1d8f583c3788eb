import { readChannel } from '../../../spec/calls/index.ts';
import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { Always } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';

/** The one wait that the contract shows, in seconds. */
const shownWait = 25;

/** Between two that begin to wait, and before what wakes them, in ms: enough for a request to come there before the next. */
export const pauseOfWaitsMs = 50;

/** Plain reads beside a wait that seems to go on, and the pause after each in ms. */
const fewestControls = 5;
const pauseOfControlsMs = 100;

/** A read that waits, under way. */
export interface Wait {
  readonly answer: Promise<Exchange>;
  /** The same read without a wait. */
  readonly plain: () => Promise<Exchange>;
  /** Begins the same read once more. */
  readonly again: () => Wait;
}

/** Where a read begins, and for how many seconds it waits. */
interface Asked {
  readonly after: bigint | undefined;
  readonly wait?: number;
  /** False for one that wants to be told at once that it is one too many. */
  readonly obeysRateLimit?: boolean;
}

/** Begins a read that waits. */
export function beginWait(
  actor: Actor,
  channelId: string,
  { after, wait = shownWait, obeysRateLimit = true }: Asked,
): Wait {
  const asked = { after, limit: 100 };
  return {
    answer: actor.ask(readChannel(channelId, { ...asked, wait }), { obeysRateLimit }),
    plain: () => actor.readChannel(channelId, asked),
    again: () => beginWait(actor, channelId, { after, wait, obeysRateLimit }),
  };
}

/** Longest that a prompt answer may take, in ms: settle time and round trips, and a busy machine; half of the wait at most. */
export function promptMs({ settleMs, roundTripMs }: Pick<Always, 'settleMs' | 'roundTripMs'>): number {
  return Math.round(Math.min(1000 + 2 * settleMs + 20 * roundTripMs, 500 * shownWait));
}

/** What is expected of a read that waits, by what tells it from others: where it goes on waiting there is no answer to show. */
export function promptAnswer(
  context: Pick<Always, 'settleMs' | 'roundTripMs'>,
  after: bigint | undefined,
  wait = shownWait,
): string {
  return `an answer within ${promptMs(context)} ms to the read with after=${after} and wait=${wait}`;
}

type Waiting = Pick<Always, 'sleep' | 'clock' | 'settleMs' | 'roundTripMs'>;

/** An answer, unless it takes longer than a prompt one may. */
export function promptly(context: Waiting, { answer }: Wait): Promise<Exchange | undefined> {
  return Promise.race([answer, context.clock.elapse(promptMs(context)).then(() => undefined)]);
}

/**
 * An answer, unless it is not prompt: then the same read without a wait was accepted again and again, each sent when the one before was
 * answered, and all came back before it. A busy machine holds up these as well, and may hold up any one request more than another, but
 * not again and again; where they take too long to tell, the check ends with its precondition not met.
 */
export async function soon(context: Waiting, wait: Wait): Promise<Exchange | undefined> {
  const first = await promptly(context, wait);
  if (first !== undefined) return first;
  const lateMs = context.clock.now();
  for (let controls = 0; controls < fewestControls;) {
    const plain = await wait.plain();
    // Well before the wait would be over anyway.
    const isOver = context.clock.now() - lateMs > 400 * shownWait;
    given(
      !isOver,
      'reads that do not wait take too long, or are refused, to tell one that goes on waiting',
      plain,
    );
    if (isAccepted(plain)) controls += 1;
    // As long again: of two requests that a busy machine holds up, either may come first.
    const tookMs = plain.endedMs - plain.startedMs;
    const pause = context.sleep(pauseOfControlsMs + tookMs, 'longPoll').then(() => undefined);
    const answer = await Promise.race([wait.answer, pause]);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
