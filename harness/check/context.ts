import type { ClauseId } from '../../spec/index.ts';
import { Actor } from '../client/actor.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Clock } from '../client/pacing/clock.ts';
import { isEnabled, type NeedName } from '../config/capabilities.ts';
import { type RoleName, roleNames } from '../config/roles.ts';
import type { Bindings, Names } from '../config/target.ts';
import { SuiteBug } from '../errors.ts';
import type { WaitKind } from '../client/pacing/waits.ts';
import { type ChannelView, openChannelView } from '../stream/channel-view.ts';
import type { Identities } from '../stream/identities.ts';
import { openMentionsView } from '../stream/mentions-view.ts';
import type { RunState } from '../stream/run-state.ts';
import type { Draft, StreamView } from '../stream/stream-view.ts';
import type { Situation } from '../verdict/ledger.ts';
import { CheckStopped, hasTrouble } from '../verdict/outcome.ts';
import type { Expect } from './expect.ts';
import { type HookFixtureByNeed, hookFixturesOf, type HookParts } from './hook-fixtures.ts';
import { workspaceFiles, type WorkspaceFiles } from './workspace-files.ts';
import { remembered } from '../../spec/groups.ts';

/** What each need is, once resolved. */
interface FixtureByNeed extends Record<RoleName, Actor> {
  readonly channel: ChannelView;
  readonly 'second-channel': ChannelView;
}

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

type Fixtures<N extends NeedName> = {
  readonly [K in N & keyof FixtureByNeed as CamelCase<K>]: FixtureByNeed[K];
} & Intersection<N extends keyof HookFixtureByNeed ? HookFixtureByNeed[N] : never>;

/** All members of a union at once; of none: nothing known. */
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** What every check gets, whatever it needs. */
export interface Always extends WorkspaceFiles {
  readonly expect: Expect;
  /** A short content of its own, with a marker that it is found by. */
  readonly draft: (text?: string) => Draft;
  /** A marker alone, for contents built elsewhere. */
  readonly marker: () => string;
  /** Whether the run sent this content, without a marker, in any check. */
  readonly hasSent: (content: string) => boolean;
  /** Whether it did, and the server may have taken it. */
  readonly mayHaveTaken: (content: string) => boolean;
  /** Whether a token was issued to somebody, of the target or of a workspace that was made: as far as the run knows. */
  readonly isIssued: (token: string) => boolean;
  /** A speaker without a credential. */
  readonly anonymous: Actor;
  /** A role that the check can do without. */
  readonly optional: (role: RoleName) => Actor | undefined;
  /** What a hook gives, for a check that can do without it; `undefined` where the run may not call it or has no such hook. */
  readonly optionalHook: <N extends keyof HookFixtureByNeed>(need: N) => HookFixtureByNeed[N] | undefined;
  /** An agent's mentions as a stream; anchors come from `author`. */
  readonly feedOf: (reader: Actor, author: Actor) => Promise<StreamView>;
  /** Ids learned from answers; each ends the check with its precondition not met when it cannot be learned. */
  readonly identities: Identities;
  /**
   * Data that is expensive to make, once per run and by the first check that asks; again in a retry. Share data
   * only, never an actor or a view: they speak for the check that made them. Ask before anything that may end the check.
   */
  readonly shared: <T>(name: string, make: () => Promise<T>) => Promise<T>;
  /** Draws what the check leaves out to be short: the same for the same order of the checks. */
  readonly seed: number;
  /** True in a run that may send nothing that writes. */
  readonly isReadOnly: boolean;
  /** Another channel, for a check that can do without it. */
  readonly secondChannelId: string | undefined;
  readonly bindings: Bindings;
  readonly names: Names;
  /** Settle time, the longer one that judges of the whole history go by, and median round trip, in ms. */
  readonly settleMs: number;
  readonly surelySettledMs: number;
  readonly roundTripMs: number;
  /** Waits for the settle time, unless something else is named. */
  readonly sleep: (durationMs: number, waitedFor?: WaitKind) => Promise<void>;
  /** The clock of this attempt, on which deadlines are set: it stands still while a request waits for its turn. */
  readonly clock: Clock;
  /** Records what the server does where the contract is silent; never a verdict. */
  readonly observe: (clause: ClauseId, name: string, value: string) => void;
  /** Records that a clause was judged in a situation. */
  readonly noteSituation: (clause: ClauseId, dimensions: Situation['dimensions']) => void;
}

export type Context<N extends NeedName> = Always & Fixtures<N>;

/** What a context is built from, once per attempt. */
interface ContextParts extends HookParts {
  readonly expect: Expect;
  readonly identities: (actorOf: (role: RoleName) => Actor | undefined) => Identities;
  readonly observe: Always['observe'];
  readonly noteSituation: Always['noteSituation'];
  /** What the attempt has exchanged so far. */
  readonly exchanges: readonly Exchange[];
  /** Called when the attempt begins to do nothing but wait for the settle time. */
  readonly onSettling: () => void;
}

/** Resolves the needs of one check for one attempt. */
export async function createContext(
  needs: readonly NeedName[],
  parts: ContextParts,
): Promise<Context<NeedName>> {
  const { run, session, expect, observe } = parts;
  const { target } = run;
  const optional = (role: RoleName): Actor | undefined => {
    const credential = target.roles[role];
    return credential === undefined ? undefined : new Actor(run.nameOf(role), credential.token, session);
  };
  const identities = parts.identities(optional);
  const always: Always = {
    ...workspaceFiles(optional('author'), parts),
    expect,
    observe,
    noteSituation: parts.noteSituation,
    identities,
    optional,
    optionalHook: <N extends keyof HookFixtureByNeed>(need: N) =>
      isEnabled(target, need) && !target.limits.isReadOnly
        ? (hookFixturesOf(need, parts) as HookFixtureByNeed[N])
        : undefined,
    draft: (text) => run.draft(text),
    marker: () => run.whole.marker(),
    hasSent: (content) => run.whole.own.hasUnmarked(content),
    isIssued: (token) => parts.hooks.knows(token),
    mayHaveTaken: (content) => run.whole.own.mayHaveTaken(content),
    anonymous: new Actor('anonymous', undefined, session),
    feedOf: (reader, author) =>
      openMentionsView(reader, {
        run,
        identities,
        channelId: target.channelId ?? missingNeed('channel'),
        author,
      }),
    shared: sharedWithin(run, parts),
    seed: run.whole.seed,
    isReadOnly: target.limits.isReadOnly,
    secondChannelId: target.secondChannelId,
    bindings: target.bindings,
    names: target.names,
    settleMs: run.settleMs,
    surelySettledMs: run.surelySettledMs,
    roundTripMs: run.roundTripMs,
    sleep: (durationMs, waitedFor = 'settle') => {
      if (waitedFor === 'settle') parts.onSettling();
      return run.whole.sleep(durationMs, waitedFor);
    },
    clock: parts.clock,
  };
  const fixtures: Record<string, unknown> = {};
  for (const need of needs) {
    // A view takes its cursor before the body runs; views are few and wait for the same first walk.
    const fixture = await resolveNeed(need, { run, optional });
    if (fixture !== undefined) fixtures[camelCase(need)] = fixture;
    Object.assign(fixtures, hookFixturesOf(need, parts));
  }
  return Object.assign(always, fixtures as unknown as Fixtures<NeedName>);
}

/** One attempt sees one thing under a name, however often it asks. */
function sharedWithin(
  run: RunState,
  { check, clock, exchanges }: Pick<ContextParts, 'check' | 'clock' | 'exchanges'>,
): Always['shared'] {
  const own = new Map<string, Promise<unknown>>();
  const ask = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    let isMaker = false;
    const made = run.shared(name, check, () => {
      isMaker = true;
      const before = exchanges.length;
      // Those that wait for it cannot see what went wrong.
      return make().catch((error: unknown) => {
        throw withTrouble(error, exchanges.slice(before));
      });
    });
    // Who makes it has a clock of its own, which may stand still.
    return isMaker ? made : clock.untimed(() => made);
  };
  return <T>(name: string, make: () => Promise<T>) =>
    remembered(own, name, () => ask(name, make)) as Promise<T>;
}

/** What kept something from being made, with the trouble on the way that it may rest on. */
function withTrouble(error: unknown, met: readonly Exchange[]): unknown {
  if (!(error instanceof CheckStopped) || error.stop.kind !== 'unmet') return error;
  const trouble = met.findLast(hasTrouble);
  return trouble === undefined || error.stop.exchange !== undefined
    ? error
    : new CheckStopped({ ...error.stop, exchange: trouble });
}

async function resolveNeed(
  need: NeedName,
  { run, optional }: { run: RunState; optional: Always['optional'] },
): Promise<unknown> {
  const role = roleNames.find((name) => name === need);
  if (role !== undefined) return optional(role) ?? missingNeed(need);
  if (need === 'channel') return neededChannel(run.target.channelId ?? missingNeed(need), { run, optional });
  if (need === 'second-channel')
    return neededChannel(run.target.secondChannelId ?? missingNeed(need), { run, optional });
  return undefined;
}

async function neededChannel(
  id: string,
  { run, optional }: { run: RunState; optional: Always['optional'] },
): Promise<ChannelView> {
  const viewer = optional('author') ?? optional('reader') ?? optional('api-key');
  if (viewer === undefined)
    throw new SuiteBug('a check needs a channel without needing an agent that can read it');
  return openChannelView(id, viewer, run);
}

function camelCase(need: string): string {
  return need.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function missingNeed(need: string): never {
  throw new SuiteBug(`a check runs although the target lacks what it needs: ${need}`);
}
