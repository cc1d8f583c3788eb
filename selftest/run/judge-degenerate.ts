import type { Check } from '../../harness/check/check.ts';
import type { ServedDegenerate } from '../servers/degenerate-server.ts';
import { passedIn, type Observe } from './observe.ts';

/** What the suite said of a server that keeps no contract. */
export interface DegenerateResult {
  readonly server: ServedDegenerate;
  readonly exitCode: number;
  /** Checks that passed, those that watch the wire included. */
  readonly passed: readonly string[];
  /** What it got away with, a line each. */
  readonly escapes: readonly string[];
}

/** Servers that keep some rule for real, so that some checks may pass: authentication, or what the recorded server did. */
const mayShowSomething = new Set(['forgetful', 'null-bodies', 'replay']);

/** A run is soon done with such a server, in ms of waiting; how long the rest takes is for the machine to say, and for `npm run bench -- degenerate`. */
const longestIdleMs = 12_000;

/** Runs the checks against a degenerate server: none may pass, and the run may not end as if something were proved. */
export async function judgeDegenerate(
  server: ServedDegenerate,
  checks: readonly Check[],
  observe: Observe,
): Promise<DegenerateResult> {
  const observation = await observe(server, checks);
  const passed = passedIn(observation);
  const escapes: string[] = [];
  const { end, exitCode, reason, idleMs } = observation;
  if (end !== 'complete') escapes.push(`the run ${end}: ${reason ?? ''}`);
  if (!server.expectedExit.some((code) => code === exitCode)) escapes.push(`exit code ${exitCode}`);
  if (idleMs >= longestIdleMs) escapes.push(`the run waited for ${(idleMs / 1000).toFixed(0)} s`);
  if (!mayShowSomething.has(server.name)) escapes.push(...passed.map((check) => `${check} passed`));
  return { server, exitCode, passed, escapes };
}
