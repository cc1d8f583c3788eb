import type { Front } from '../../harness/front/front.ts';
import { brokenFraming } from './broken-framing.ts';
import { byRote } from './by-rote.ts';
import { type ExpectedExit, foundBroken } from './degenerate-server.ts';
import { startForgetful, startNullBodies } from './forgetful.ts';
import { type Recording, startReplay } from './replay.ts';

/** What the better liars must know; the others ignore it. */
export interface DegenerateOptions {
  /** The address of a server of the contract (`http:`), behind those that spoil its answers. */
  readonly upstream?: string;
  /** Exchanges of a good run, for `replay`. */
  readonly recording?: Recording;
}

/** How to start a server and what a run against it must end with. */
export interface DegenerateEntry {
  readonly name: string;
  /** What `start` throws without. */
  readonly needs?: 'upstream' | 'recording';
  readonly start: (options?: DegenerateOptions) => Promise<Front>;
  readonly expectedExit: ExpectedExit;
}

/** Servers that must pass nothing; the last are the best liars. */
export const degenerateServers: readonly DegenerateEntry[] = [
  ...Object.entries({ ...byRote, ...brokenFraming }).map(([name, row]) => ({ name, ...row })),
  liar('null-bodies', 'upstream', startNullBodies),
  liar('forgetful', 'upstream', startForgetful),
  liar('replay', 'recording', startReplay),
];

/** Without what it needs a liar would lie badly and prove nothing about the suite. */
function liar<Needed extends 'upstream' | 'recording'>(
  name: string,
  needs: Needed,
  start: (needed: NonNullable<DegenerateOptions[Needed]>) => Promise<Front>,
): DegenerateEntry {
  return {
    name,
    needs,
    expectedExit: foundBroken,
    start: async ({ [needs]: needed } = {}) => {
      if (needed === undefined) throw new Error(`the degenerate server "${name}" was not told what it needs`);
      return start(needed);
    },
  };
}
