import {
  startCutShort,
  startEndlessBody,
  startHangUp,
  startHangUpAfterRequest,
  startInvalidGzip,
  startNotHttp,
  startSilence,
  startSlowDrip,
} from './broken-framing.ts';
import {
  startConstant,
  startDeepNesting,
  startEcho,
  startEmptyPage,
  startItWorks,
  startRedirect,
  startUnavailable,
} from './by-rote.ts';
import type { DegenerateServer } from './degenerate-server.ts';
import { startForgetful, startNullBodies } from './forgetful.ts';
import type { Recording } from './recording-proxy.ts';
import { startReplay } from './replay.ts';

/** What the better liars must know; the others ignore it. */
export interface DegenerateOptions {
  /** The address of a server of the contract (`http:`), behind those that spoil its answers. */
  readonly upstream?: string;
  /** Exchanges of a good run, for `replay`. */
  readonly recording?: Recording;
}

/** A row of the table: how to start the server and what a run against it must end with. */
export interface DegenerateEntry {
  readonly name: string;
  /** What `start` throws without. */
  readonly needs?: 'upstream' | 'recording';
  readonly start: (options?: DegenerateOptions) => Promise<DegenerateServer>;
  /** Exit codes that say the truth about it: 1 something failed, 3 nothing could be concluded; never 0. */
  readonly expectedExit: readonly (1 | 3)[];
}

/** Something the contract rules out is seen in a complete answer. */
const foundBroken = [1] as const;
/** No credential is ever accepted or no complete answer ever comes: preflight is the end of it. */
const provesNothing = [3] as const;
/** Complete answers that break the contract, and so early that preflight may well be the end of it. */
const either = [1, 3] as const;

/** Servers that must pass nothing, from the simplest to the best liar. */
export const degenerateServers: readonly DegenerateEntry[] = [
  entry('constant-200-bare', foundBroken, () => startConstant(200, 'bare')),
  entry('constant-200-plausible', foundBroken, () => startConstant(200, 'plausible')),
  entry('constant-400-bare', either, () => startConstant(400, 'bare')),
  entry('constant-400-plausible', either, () => startConstant(400, 'plausible')),
  entry('constant-401-bare', provesNothing, () => startConstant(401, 'bare')),
  entry('constant-401-plausible', provesNothing, () => startConstant(401, 'plausible')),
  entry('constant-404-bare', provesNothing, () => startConstant(404, 'bare')),
  entry('constant-404-plausible', provesNothing, () => startConstant(404, 'plausible')),
  entry('empty-page-any', foundBroken, () => startEmptyPage('any')),
  entry('empty-page-mentions', foundBroken, () => startEmptyPage('mentions')),
  entry('echo', foundBroken, startEcho),
  entry('silence', provesNothing, startSilence),
  entry('hang-up', provesNothing, startHangUp),
  entry('hang-up-after-request', provesNothing, startHangUpAfterRequest),
  entry('cut-short', provesNothing, startCutShort),
  entry('it-works', provesNothing, startItWorks),
  entry('slow-drip', provesNothing, startSlowDrip),
  entry('unavailable', provesNothing, startUnavailable),
  entry('redirect', provesNothing, startRedirect),
  entry('not-http', provesNothing, startNotHttp),
  entry('invalid-gzip', provesNothing, startInvalidGzip),
  entry('endless-body', provesNothing, startEndlessBody),
  entry('deep-nesting', either, startDeepNesting),
  {
    name: 'null-bodies',
    needs: 'upstream',
    start: async (options) => startNullBodies(needed('null-bodies', options?.upstream)),
    expectedExit: foundBroken,
  },
  {
    name: 'forgetful',
    needs: 'upstream',
    start: async (options) => startForgetful(needed('forgetful', options?.upstream)),
    expectedExit: foundBroken,
  },
  {
    name: 'replay',
    needs: 'recording',
    start: async (options) => startReplay(needed('replay', options?.recording)),
    expectedExit: foundBroken,
  },
];

function entry(
  name: string,
  expectedExit: DegenerateEntry['expectedExit'],
  start: () => Promise<DegenerateServer>,
): DegenerateEntry {
  return { name, start, expectedExit };
}

/** Without what it needs a liar would lie badly and prove nothing about the suite. */
function needed<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the degenerate server "${name}" was not told what it needs`);
  return value;
}
