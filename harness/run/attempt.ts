import type { ClauseId } from '../../spec/index.ts';
import type { Check } from '../check/check.ts';
import { createContext } from '../check/context.ts';
import { createExpect } from '../check/expect.ts';
import type { Changes } from '../check/hook-fixtures.ts';
import type { HookCaller } from '../check/hook-caller.ts';
import type { Session } from '../client/actor.ts';
import type { Client } from '../client/client.ts';
import { chanceFaults, type Exchange } from '../client/exchange.ts';
import { allowManyListeners } from '../client/allow-many-listeners.ts';
import type { Clock } from '../client/pacing/clock.ts';
import { SuiteBug } from '../errors.ts';
import { withoutLongBody } from '../record/kept-exchanges.ts';
import { openChannelView } from '../stream/channel-view.ts';
import { createIdentities, type IdentityCache } from '../stream/identities.ts';
import type { RunState } from '../stream/run-state.ts';
import { Ledger } from '../verdict/ledger.ts';
import { CheckStopped, type Stop, type Failure, unmet } from '../verdict/outcome.ts';
import { AttemptClock } from './attempt-clock.ts';
import { isServerError, troubleMetIn, type GoodCredentials, type TroubleMet } from '../verdict/trouble.ts';
import type { TroubleKind } from '../results/generated/events.ts';

/** What one attempt at a check came to. */
export interface Attempt {
  readonly ledger: Ledger;
  /** `undefined` when the check ran to its end. */
  readonly stop: Stop | undefined;
  readonly observations: readonly AttemptObservation[];
  readonly durationMs: number;
  /** Ms of it that the attempt's clock stood still. */
  readonly heldMs: number;
}

interface AttemptObservation {
  readonly clause: ClauseId;
  readonly name: string;
  readonly value: string;
}

/** What every attempt of a run shares. */
export interface AttemptParts {
  readonly run: RunState;
  readonly client: Client;
  readonly identities: IdentityCache;
  readonly hooks: HookCaller;
  readonly onExchange: (check: Check, exchange: Exchange) => void;
  /** Called with every 429 that was waited out, and every write that was made again: no exchange of the check. */
  readonly onTry?: (check: Check, exchange: Exchange) => void;
  /** Longest an attempt that begins now may take, in ms, by its clock; 0 means for ever. */
  readonly timeoutMs: () => number;
  /** Stops the clock of the run while a request waits for its turn. */
  readonly untimed: Clock['untimed'];
  /** Ends the attempt when the run is interrupted. */
  readonly signal: AbortSignal;
}

/**
 * Runs a check once, with everything it makes fresh; `onSettling` is called when it begins to wait for the settle time. What
 * it saw broken by an id that turned out wrong is left out, and the check runs another time.
 * @throws SuiteBug when the check itself is broken; whatever the server does ends in the returned attempt
 */
export async function attempt(
  check: Check,
  parts: AttemptParts,
  onSettling: () => void = () => undefined,
): Promise<Attempt> {
  const tried = await attemptOnce(check, parts, onSettling);
  return tried.isMisled ? attemptOnce(check, parts, onSettling) : tried;
}

async function attemptOnce(
  check: Check,
  parts: AttemptParts,
  onSettling: () => void,
): Promise<Attempt & { readonly isMisled: boolean }> {
  const startedMs = performance.now();
  const ledger = new Ledger();
  const observations: AttemptObservation[] = [];
  const ending = new AbortController();
  const timeoutMs = parts.timeoutMs();
  const clock = new AttemptClock(timeoutMs, {
    sleep: (durationMs) => parts.run.whole.sleep(durationMs, 'longPoll'),
    pause: (durationMs) => parts.run.whole.sleep(Math.max(durationMs, parts.client.leastPauseMs), 'arrival'),
    hope: parts.run.whole.hope,
  });
  const session: Session = {
    client: parts.client,
    clock,
    untimed: (work) => parts.untimed(() => clock.untimed(work)),
    signal: allowManyListeners(AbortSignal.any([parts.signal, ending.signal])),
    record: (exchange) => {
      ledger.exchanges.push(withoutLongBody(exchange));
      parts.onExchange(check, exchange);
    },
    noteTry: (exchange) => {
      if (exchange.fault !== undefined) ledger.repeated.push(exchange);
      parts.onTry?.(check, exchange);
    },
  };
  const changes: Changes = { workspaces: [], identities: [], made: ledger.changes };
  const before = parts.identities.corrections;
  let isMisled = false;
  /** True where an id by which the check looked was another agent's: so may be all that was arranged by it. */
  const correctIds = async (): Promise<boolean> => {
    const corrected = await Promise.all(changes.identities.map((each) => each.correct()));
    return corrected.includes(true) || parts.identities.corrections > before;
  };
  const body = async (): Promise<void> => {
    const context = await createContext(check.needs, {
      check: check.id,
      run: parts.run,
      session,
      hooks: parts.hooks,
      clock,
      changes,
      expect: createExpect(ledger, check.id, check.clauses),
      identities: (actorOf) => {
        const identities = createIdentities(parts.identities, parts.run, actorOf, (actor) =>
          openChannelView(parts.run.target.channelId ?? '', actor, parts.run),
        );
        changes.identities.push(identities);
        return identities;
      },
      onSettling,
      exchanges: ledger.exchanges,
      observe: (clause, name, value) => observations.push({ clause, name, value }),
      noteSituation: (clause, dimensions) => ledger.situations.push({ clause, dimensions }),
    });
    const ended = await check.run(context).catch((error: unknown) => ({ error }));
    if ((ledger.failures.length > 0 || isFailure(ended?.error)) && (await correctIds())) {
      isMisled = true;
      ledger.failures.length = 0;
      unmet(misled);
    }
    if (ended !== undefined) throw ended.error;
    // What a change did to a view that the check did not look at.
    if (changes.made.length > 0) await Promise.all(changes.workspaces.map((each) => each.readEveryView()));
  };
  const stop = await stopOf(body(), check, { clock, timeoutMs });
  ending.abort();
  const durationMs = performance.now() - startedMs;
  const tried = withoutDoubt({ ledger, stop, observations, durationMs, heldMs: clock.heldMs });
  return { ...tried, isMisled };
}

const misled = 'what was seen rests on an agent id that answers name now for one agent and now for another';

function isFailure(error: unknown): boolean {
  return error instanceof CheckStopped && error.stop.kind === 'failed';
}

/**
 * What an attempt saw broken may come of a write that had to be made twice, for whether a key makes two writes one is not
 * stated, or of an answer that was lost on the way: what it would have shown seems to be missing. It decides nothing then,
 * but for a fault that the failure itself rests on and that comes every time.
 */
function withoutDoubt(tried: Attempt): Attempt {
  const { ledger, stop } = tried;
  const failures = stop?.kind === 'failed' ? [stop.failure, ...ledger.failures] : ledger.failures;
  const lost = ledger.exchanges.find(isLost);
  const exchange = ledger.repeated[0] ?? lost;
  if (exchange === undefined || failures.length === 0) return tried;
  const clause =
    exchange === lost ? failures.find(({ exchanges }) => exchanges.includes(lost))?.clause : undefined;
  ledger.failures.length = 0;
  return { ...tried, stop: { kind: 'disturbed', clause, exchange } };
}

function isLost({ fault }: Exchange): boolean {
  return fault !== undefined && chanceFaults.includes(fault.kind);
}

async function stopOf(
  body: Promise<void>,
  check: Check,
  { clock, timeoutMs }: { clock: AttemptClock; timeoutMs: number },
): Promise<Stop | undefined> {
  const timedOut = clock.expired.then((): Stop => ({ kind: 'timed-out', afterMs: timeoutMs }));
  const ended = body.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CheckStopped) return error.stop;
      if (error instanceof SuiteBug) throw error;
      throw new SuiteBug(`check ${check.id} threw ${String(error)}`, { cause: error });
    },
  );
  try {
    return await Promise.race([ended, timedOut]);
  } finally {
    clock.stop();
    // A check that was given up on may still end badly; nobody is waiting for it.
    ended.catch(() => undefined);
  }
}

/** What kept an attempt from its end, told apart from what the target lacks. */
export type AttemptTrouble = Omit<TroubleMet, 'exchange'> & {
  readonly exchange: Exchange | undefined;
};

/** Kinds that explain a stop although another exchange is named: some checks draw a 429 on purpose. */
const telling: readonly TroubleKind[] = ['server-error', 'no-answer', 'credential-refused'];

/** The trouble that stopped an attempt, if it was trouble. */
export function troubleIn({ stop, ledger }: Attempt, good: GoodCredentials): AttemptTrouble | undefined {
  if (stop === undefined || stop.kind === 'failed') return undefined;
  const named = exchangeOfStop(stop);
  const own = named === undefined ? undefined : troubleMetIn(named, good);
  if (own !== undefined) return own;
  const met = ledger.exchanges.map((exchange) => troubleMetIn(exchange, good));
  const other = met.findLast((each) => each !== undefined && telling.includes(each.kind));
  if (other !== undefined) return other;
  if (stop.kind !== 'timed-out') return undefined;
  return {
    kind: 'too-slow',
    text: 'the check did not end in time',
    exchange: undefined,
  };
}

/** True for a failure that rests on a server error: it may have come from what went on at the same time. */
export function restsOnServerError({ exchanges }: Failure): boolean {
  return exchanges.some(isServerError);
}

/** True for a failure that rests on an answer that came too late: this process may have been held up all the while. */
export function restsOnTimeout({ exchanges }: Failure): boolean {
  return exchanges.some(({ fault }) => fault?.kind === 'timeout');
}

/** True for a failure that rests on an answer that never came whole: it may have been lost on the way. */
export function restsOnFault({ exchanges }: Failure): boolean {
  return exchanges.some(({ fault }) => fault !== undefined);
}

function exchangeOfStop(stop: Stop): Exchange | undefined {
  return stop.kind === 'disturbed' || stop.kind === 'unmet' ? stop.exchange : undefined;
}
