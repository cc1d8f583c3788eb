import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import { observeHere } from '../run/observe.ts';
import { runStress } from '../../stress/run/run-stress.ts';
import { restarterOf } from '../../stress/run/restarter.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Target } from '../../harness/config/target.ts';
import { openBeside } from './company-server.ts';
import type { Company } from './companion.ts';

/** What ran beside a company. */
export const kinds = ['run', 'campaign', 'stress'] as const;
export type Kind = (typeof kinds)[number];

/** What was held against the reference because of what others wrote. */
export interface Beside {
  readonly company: string;
  readonly kind: Kind;
  /** A line each: a conforming server has none. */
  readonly alarms: readonly string[];
  /** How many messages the company wrote: without any nothing is shown. */
  readonly posts: number;
}

/** How much is run. */
export interface Extent {
  readonly checks: readonly Check[];
  readonly cases: number;
  readonly stressMs: number;
}

/** Runs, fuzzes or puts under load the reference beside a company. */
export async function beside(company: Company, kind: Kind, extent: Extent): Promise<Beside> {
  const { target, posts, close } = await openBeside(company);
  try {
    const alarms = await alarmsOf[kind](target, extent);
    return { company: company.id, kind, alarms, posts: posts() };
  } finally {
    await close();
  }
}

const alarmsOf: Readonly<Record<Kind, (target: Target, extent: Extent) => Promise<readonly string[]>>> = {
  run: async (target, { checks }) => {
    const server = { id: 'beside', open: async () => ({ target, close: async () => undefined }) };
    const { found, end, reason, exitCode, inconclusive } = await observeHere(server, checks);
    const all = found.map(({ text }) => text);
    if (end !== 'complete') all.push(`the run ${end}: ${reason ?? ''}`);
    if (exitCode !== 0 && all.length === 0) all.push(`exit code ${exitCode}`);
    if (process.env['INC'])
      all.push(...Object.entries(inconclusive).map((e) => `inconclusive ${e.join(': ')}`));
    return all;
  },
  campaign: async (target, { cases }) => {
    const limits = { ...target.limits, maxBytes: Number.MAX_SAFE_INTEGER };
    const { result, leftOut } = await runFuzz({ ...target, limits }, { seed: 1, maxCases: cases });
    const findings = (result?.findings ?? []).map(
      ({ failure, label, verdict }) =>
        `${failure.clause} ${verdict} ${failure.part} by ${label}: expected ${failure.expected}; got ${failure.actual}`,
    );
    const out = Object.entries(leftOut).map(([family, why]) => `without ${family}: ${why}`);
    return [...findings, ...out, ...(result === undefined ? ['no campaign'] : [])];
  },
  stress: async (target, { stressMs }) => {
    const signal = new AbortController().signal;
    const restarter = restarterOf(target, { env: {}, signal });
    const { findings, trouble } = await runStress(target, {
      clients: 8,
      seed: 1,
      timeMs: stressMs,
      firstChapterMs: 1_500,
      restarts: 0,
      env: {},
      restarter,
      signal,
    });
    await restarter.close();
    return [
      ...findings.map(
        ({ name, verdict, times, lead }) =>
          `${lead.clause} ${verdict} ${name} × ${times}: expected ${lead.expected}; got ${lead.actual}`,
      ),
      ...(trouble === undefined ? [] : [`nothing to conclude: ${trouble}`]),
    ];
  },
};
