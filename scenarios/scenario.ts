import type { FateKind } from '../harness/front/fate.ts';
import type { CallName } from '../spec/calls/index.ts';
import type { Rules, Settings } from '../reference/index.ts';
import { askedClauses } from '../history/clients/catalogue.ts';
import type { ClientClauseId } from '../spec/index.ts';

/** What a client is asked to do: follow its mentions, answer each of them, or deliver a list. */
export const tasks = ['read', 'echo', 'send'] as const;

export type Task = (typeof tasks)[number];

/** One thing that somebody does, after what stands before it. */
export type Step =
  /** A colleague sends messages one after another: they mention the agent, in its own channel or in another, or nobody. */
  | { readonly who: 'colleague'; readonly mentions: readonly string[]; readonly isElsewhere?: true }
  | { readonly who: 'colleague'; readonly says: readonly string[] }
  /** The agent and its colleague swap their display names. */
  | { readonly who: 'operator'; readonly does: 'restart' | 'swap-names' }
  /** The client is ended and started again, with what it kept. */
  | { readonly who: 'client'; readonly does: 'start' | 'restart' }
  /** Until the client has done all that it is to have done by now, or is given up. */
  | { readonly until: 'caught-up' }
  /** … and has asked twice more, so that it has kept what it keeps, and shown what it does twice. */
  | { readonly until: 'settled' }
  | { readonly pauseMs: number };

/** What becomes of requests of the client on their way. */
export interface PlannedTrouble {
  readonly call: CallName;
  readonly kind: Exclude<FateKind, 'pass'>;
  /** Which requests of that call, counted from 1. */
  readonly numbers?: readonly number[];
  /** From request `from` on, every one for so long, in ms. */
  readonly during?: { readonly from: number; readonly ms: number };
}

/** What is played with a client, as data: who does what, and what must come of it. */
export interface Scenario {
  /** The task, and what is special. */
  readonly id: `${Task}.${string}`;
  readonly task: Task;
  /** A sentence true of a client that passes. */
  readonly title: string;
  /** How the reference differs from what it usually does: always in a way that the contract allows. */
  readonly rules?: Partial<Rules>;
  readonly settings?: Partial<Settings>;
  readonly trouble?: readonly PlannedTrouble[];
  /** What is to be sent, for the task `send`. */
  readonly list?: readonly string[];
  readonly steps: readonly Step[];
  readonly decides: Decided;
}

/** The clause under which each outcome falls, and those that a good one keeps besides. */
export interface Decided {
  /** A message was never taken, answered or sent. */
  readonly missed: ClientClauseId;
  readonly twice: ClientClauseId;
  /** A message was taken that mentions nobody. */
  readonly stray: ClientClauseId;
  readonly besides: readonly ClientClauseId[];
}

/** What a message is broken by that was sent, or taken, in other words. */
export const unaltered = 'client.send.content-unaltered' satisfies ClientClauseId;

/** Seconds that a limit of a scenario asks to wait. */
export const retryAfterSeconds = 2;

/** The clauses that the outcome of a scenario decides. */
export function clausesOf({
  decides: { missed, twice, stray, besides },
}: Scenario): readonly ClientClauseId[] {
  return [...new Set([missed, twice, stray, ...besides])];
}

/** What is only put to the test where a client reads, and what only where it sends; all else by any request. */
const ofReads =
  /^client\.(?:cursor|pages|read|receipts)\.|\.mentions-parameters$|\.(?:after|limit)-in-range$/;
const ofSends = /^client\.(?:send|keys)\./;

/** Every clause that a scenario puts to the test: those of its outcome, and those of what its task makes a client ask. */
export function testedClauses(scenario: Scenario): readonly ClientClauseId[] {
  const isLeftOut = { read: ofSends, send: ofReads, echo: undefined }[scenario.task];
  const asked = askedClauses.filter((clause) => isLeftOut?.test(clause) !== true);
  return [...new Set([...clausesOf(scenario), ...asked])];
}

/** Every clause that a scenario may find broken, since a client may ask what its task has no need of. */
export function breakableClauses(scenario: Scenario): readonly ClientClauseId[] {
  return [...new Set<ClientClauseId>([...clausesOf(scenario), unaltered, ...askedClauses])];
}
