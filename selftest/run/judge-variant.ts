import type { Check } from '../../harness/check/check.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { passedIn, type Observe } from './observe.ts';
import type { Observation } from '../servers/observation.ts';
import type { VariantServer } from '../servers/variant-server.ts';

/** What the suite said of a server that conforms in an unusual way. */
export interface VariantResult {
  readonly server: VariantServer;
  /** What was held against it, a line each; an alarm of any kind is false. */
  readonly alarms: readonly string[];
  /** Checks that were run. */
  readonly run: number;
  /** Those of them that passed. */
  readonly passed: number;
}

/** Runs the checks against a variant or a combination. */
export async function judgeVariant(
  server: VariantServer,
  checks: readonly Check[],
  { observe, isShare }: { readonly observe: Observe; readonly isShare: boolean },
): Promise<VariantResult> {
  const observation = await observe(server, checks);
  const passed = new Set(passedIn(observation));
  return {
    server,
    alarms: alarmsOf(server, observation, isShare ? endsOfAShare : endsOfAll),
    run: checks.length,
    passed: checks.filter(({ id }) => passed.has(id)).length,
  };
}

const endsOfAll: readonly number[] = [exitCodes.conforms];
/** A share of the checks may happen to prove nothing of an unusual server. */
const endsOfAShare: readonly number[] = [exitCodes.conforms, exitCodes.inconclusive];

/** Nothing may be held against it but warnings of inferred clauses that it does not share the reading of. */
function alarmsOf(
  { variants }: VariantServer,
  { found, end, exitCode, reason }: Observation,
  quietEnds: readonly number[],
): string[] {
  const mayWarn = new Set<string>(variants.flatMap((variant) => variant.mayWarn ?? []));
  const alarms = found
    .filter(({ clause, verdict }) => verdict === 'failed' || !mayWarn.has(clause))
    .map(({ text }) => text);
  if (end !== 'complete') alarms.push(`the run ${end}: ${reason ?? ''}`);
  else if (!quietEnds.includes(exitCode) && alarms.length === 0)
    alarms.push(`the run ended with exit code ${exitCode}`);
  return alarms;
}
