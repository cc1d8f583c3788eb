import type { WorkerOptions } from 'node:worker_threads';
import { openReferenceThread } from '../../embedded/reference-thread.ts';
import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Target } from '../../harness/config/target.ts';
import type { FooterEvent } from '../../harness/results/generated/events.ts';
import { runChecks } from '../../harness/run/run-checks.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { retaining } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { withoutByteLimit } from '../servers/server.ts';
import type { MachineMutant, MutatedServer } from './build.ts';
import { NoProgram, startExample } from './example-server.ts';

/** What may become of a mutant. With the first there is no server to judge; all others but the last two end a run with another exit code than 0. */
export const outcomes = [
  'does not compile',
  'failed',
  'refused',
  'does not start',
  'hangs or dies',
  'inconclusive',
  'bug of the suite',
  'warned',
  'survived',
] as const;
export type Outcome = (typeof outcomes)[number];

/** What a default run, or a campaign, says of a mutant. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The first clause that was seen broken, and the check or the case that showed it. */
  readonly clause?: string;
  readonly by?: string;
  /** What happened, where no clause says it. */
  readonly why?: string;
  /** Clauses that a run left inconclusive in which none was seen broken. */
  readonly inconclusive?: number;
}

/** A mutant to start, and how to judge it. */
export interface MutantRequest {
  readonly mutant: MachineMutant;
  readonly server: MutatedServer;
  /** Instead of a run, a campaign of so many seconds. */
  readonly campaignSeconds?: number;
}

/** Messages that a server keeps during a campaign, as for the command `fuzz`. */
const keptMessages = 20_000;
/** What a mutant that never stops may fill. */
const resourceLimits: WorkerOptions['resourceLimits'] = { maxOldGenerationSizeMb: 1_024 };

/** A server, and what ends it. */
interface Started {
  readonly target: Target;
  readonly close: () => Promise<void>;
}

/** Starts a server with a mutant, apart from this thread, and judges it; `close` ends the server, if that has not ended. */
export async function judgeMutant(
  request: MutantRequest,
): Promise<{ readonly verdict: Verdict; readonly close: Started['close'] }> {
  let started: Started;
  try {
    started = await start(request);
  } catch (error) {
    const outcome = error instanceof NoProgram ? 'does not compile' : 'does not start';
    return { verdict: { outcome, why: reasonOf(error) }, close: () => Promise.resolve() };
  }
  const { target, close } = started;
  const { campaignSeconds } = request;
  const isCampaign = campaignSeconds !== undefined;
  const verdict = isCampaign ? campaignAt(target, campaignSeconds) : judgeTarget(target, allChecks);
  return { verdict: await verdict, close };
}

function start({ mutant, server, campaignSeconds }: MutantRequest): Promise<Started> {
  if ('example' in server) return startExample(server.example, { mutant });
  // The instrumented sources look it up there, before anything else of them.
  const env = { ...process.env, __STRYKER_ACTIVE_MUTANT__: mutant.id };
  const settings = campaignSeconds === undefined ? {} : retaining(keptMessages);
  return openReferenceThread({ build: server.module, settings }, { env, resourceLimits });
}

/** What a thread throws arrives without its class where that is of another package. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}

/** What a default run says of a server, up to the first check that fails. */
export async function judgeTarget(target: Target, checks: readonly Check[]): Promise<Verdict> {
  const failing = new AbortController();
  const broken = new Map<string, Pick<Verdict, 'clause' | 'by'>>();
  let refusal: string | undefined;
  const footer = await runChecks(checks, target, {
    env: process.env,
    signal: failing.signal,
    onEvent: (event) => {
      if (event.type === 'preflight') refusal = event.lines.find((line) => line.severity === 'error')?.text;
      if (event.type !== 'check') return;
      for (const { clause, verdict } of event.clauses)
        if (!broken.has(verdict)) broken.set(verdict, { clause, by: event.check });
      if (broken.has('failed')) failing.abort();
    },
  });
  const [failed, warned] = [broken.get('failed'), broken.get('warned')];
  if (failed !== undefined) return { outcome: 'failed', ...failed };
  const ended = refusal === undefined ? endOf(footer) : { outcome: 'refused' as const, why: refusal };
  if (ended !== undefined) return ended;
  if (warned !== undefined) return { outcome: 'warned', ...warned };
  const { must, inferred } = footer.clauses;
  return { outcome: 'survived', inconclusive: must.inconclusive + inferred.inconclusive };
}

/** What kept a run in which nothing failed from going well. */
function endOf({ end, exitCode, reason, trouble }: FooterEvent): Verdict | undefined {
  const why = trouble?.text ?? reason ?? `exit code ${exitCode}`;
  if (exitCode === exitCodes.suiteBug) return { outcome: 'bug of the suite', why };
  if (end !== 'complete') return { outcome: 'hangs or dies', why };
  return exitCode === exitCodes.conforms ? undefined : { outcome: 'inconclusive', why };
}

/** What a campaign of so many seconds says, up to its first failure. */
async function campaignAt(target: Target, seconds: number): Promise<Verdict> {
  const found = new AbortController();
  let failed: Verdict | undefined;
  const { footer } = await runFuzz(withoutByteLimit(target), {
    seed: 1,
    timeMs: seconds * 1000,
    env: process.env,
    signal: found.signal,
    onFinding: ({ verdict, failure: { clause }, label }) => {
      if (verdict !== 'failed') return;
      failed ??= { outcome: 'failed', clause, by: label };
      found.abort();
    },
  });
  return failed ?? endOf(footer) ?? { outcome: 'survived' };
}
