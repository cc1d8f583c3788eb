import type { Change, Operation, Read, Send } from '../../../history/operation.ts';
import { writtenIn } from '../../../harness/totals/footprint.ts';
import { Spans } from '../../../history/world/sorted.ts';

/** How often a history holds what concurrent clients are for; a count of 0 means that something was not put to the test. */
export interface Exercised {
  /** Everything that was asked, whatever became of it. */
  readonly requests: number;
  readonly sends: number;
  /** Of these, those that name targets. */
  readonly naming: number;
  /** Those that carry a source session, a host or a file. */
  readonly carrying: number;
  /** Requests of somebody who has no access. */
  readonly trespasses: number;
  /** Messages that sends left on the server, and bytes of their contents: one for each key, however often it was used. */
  readonly messages: number;
  readonly bytesWritten: number;
  readonly reads: number;
  /** Reads during which a send was on its way. */
  readonly readsBesideSends: number;
  /** Sends during which another send was on its way. */
  readonly sendsBesideSends: number;
  /** Polls that were held back. */
  readonly polls: number;
  /** Sends under a key that had been used before. */
  readonly repeatedKeys: number;
  /** Of these, those that began before the use before them had ended. */
  readonly keysAtOnce: number;
  /** Sends without an answer. */
  readonly unanswered: number;
  readonly restarts: number;
  /** Operations that were on their way when the server restarted. */
  readonly acrossRestarts: number;
}

/** A poll that took so much longer than the fastest answer was held back, in ms. */
const heldBackMs = 50;

/** Counts what a history really holds. */
export function exercisedIn(operations: readonly Operation[]): Exercised {
  const sends = operations.filter((each): each is Send => each.kind === 'send');
  const reads = operations.filter(
    (each): each is Read => each.kind === 'read' && each.outcome === 'accepted',
  );
  const restarts = operations.filter((each): each is Change => each.kind === 'change');
  const beside = new Spans(sends);
  const fastestMs = reads.reduce((least, read) => Math.min(least, durationMs(read)), Infinity);
  const polls = reads.filter((read) => (read.wait ?? 0) > 0 && durationMs(read) > fastestMs + heldBackMs);
  return {
    requests: operations.length - restarts.length,
    sends: sends.length,
    naming: sends.filter(({ targets }) => targets.length > 0).length,
    carrying: sends.filter(({ session, host, files }) => (session ?? host ?? files[0]) !== undefined).length,
    trespasses: operations.filter((each) => 'expected' in each && each.expected === 'reject').length,
    ...writtenIn(sends),
    reads: reads.length,
    readsBesideSends: reads.filter((read) => beside.count(read) > 0).length,
    sendsBesideSends: sends.filter((send) => beside.count(send) > 1).length,
    polls: polls.length,
    ...repeatsIn(sends),
    unanswered: sends.filter(({ status }) => status === undefined).length,
    restarts: restarts.length,
    acrossRestarts: operations.filter((each) => restarts.some((one) => one !== each && isBeside(one, each)))
      .length,
  };
}

function durationMs({ startedMs, endedMs }: Operation): number {
  return endedMs - startedMs;
}

/** Adds what two histories hold. */
export function addExercised(one: Exercised, other: Exercised): Exercised {
  const names = Object.keys(one) as (keyof Exercised)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as Exercised;
}

function repeatsIn(sends: readonly Send[]): Pick<Exercised, 'repeatedKeys' | 'keysAtOnce'> {
  const ends = new Map<string, number>();
  let [repeatedKeys, keysAtOnce] = [0, 0];
  for (const { key, agent, channel, startedMs, endedMs } of sends.toSorted(
    (one, other) => one.startedMs - other.startedMs,
  )) {
    if (key === undefined) continue;
    const name = `${agent} ${channel} ${key}`;
    const before = ends.get(name);
    if (before !== undefined) {
      repeatedKeys += 1;
      if (before > startedMs) keysAtOnce += 1;
    }
    ends.set(name, Math.max(before ?? 0, endedMs));
  }
  return { repeatedKeys, keysAtOnce };
}

function isBeside(one: Operation, other: Operation): boolean {
  return one.startedMs <= other.endedMs && other.startedMs <= one.endedMs;
}
