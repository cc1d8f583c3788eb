import { HookCaller } from '../../harness/check/hook-caller.ts';
import { Client } from '../../harness/client/client.ts';
import { wallClock } from '../../harness/client/pacing/clock.ts';
import { fieldOfNeed, isEnabled, type NeedName } from '../../harness/config/capabilities.ts';
import { hookNames, settleMsOf, type Target } from '../../harness/config/target.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { hookFault } from '../../harness/preflight/preflight-hooks.ts';
import { preflight, type Preflight } from '../../harness/preflight/preflight.ts';
import { attempt, type AttemptParts } from '../../harness/run/attempt.ts';
import { IdentityCache } from '../../harness/stream/identities.ts';
import { RunState } from '../../harness/stream/run-state.ts';
import { describeStop } from '../../harness/verdict/outcome.ts';
import { lookAtAccess } from './credentials.ts';
import type { Row } from './page.ts';
import { bindingProbes, hookProbes, type Probe } from './probes.ts';

/** What came of examining a target. */
export interface Examination {
  readonly preflight: Preflight;
  readonly settleMs: number;
  /** Empty when the server cannot be reached. */
  readonly rows: readonly Row[];
  /** What preflight saw at the beginning and not at the end: then trials may have failed for that. */
  readonly lost?: string;
}

interface ExamineOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly secrets: KnownSecrets;
  /** Gets what was found out as soon as it is known, in any order. */
  readonly onFound?: (found: Pick<Examination, 'preflight' | 'settleMs'> | Row) => void;
}

/** Longest that one trial may take, in ms, calls of hooks not counted. */
const probeMs = 20_000;

/**
 * Tries everything that a target has. Unless it is read-only, a few messages are written to its channel, and each hook is
 * called in a workspace of its own.
 */
export async function examine(
  target: Target,
  { env, signal, secrets, onFound = () => undefined }: ExamineOptions,
): Promise<Examination> {
  const found = await preflight(target, signal, env);
  const roundTripMs = found.roundTripMs ?? 0;
  const settleMs = settleMsOf(target, roundTripMs);
  onFound({ preflight: found, settleMs });
  if (found.roundTripMs === undefined) return { preflight: found, settleMs, rows: [] };
  const client = new Client({
    target,
    timeouts: { connectMs: 2_000, answerMs: 5_000 + 20 * roundTripMs },
    env,
  });
  const run = new RunState(target, { roundTripMs, settleMs });
  const hooks = new HookCaller(target, { env, secrets });
  try {
    const access = await lookAtAccess(target, {
      preflight: found,
      session: { client, signal, record: () => undefined },
    });
    access.forEach(onFound);
    const parts: AttemptParts = {
      run,
      client,
      identities: new IdentityCache(),
      hooks,
      onExchange: () => undefined,
      timeoutMs: () => probeMs,
      untimed: wallClock.untimed,
      signal,
    };
    const bindings = await Promise.all(
      bindingProbes.map((probe) => bindingRow(probe, target, { parts, access }).then(told(onFound))),
    );
    const calls = await hookRows(target, parts, { env, onRow: told(onFound) });
    const rows = [...access, ...bindings, ...calls];
    const hasFailed = rows.some(({ state }) => state === 'odd' || state === 'broken');
    const lost = found.isOk && hasFailed ? await lostSince(target, signal, env) : undefined;
    return { preflight: found, settleMs, rows, ...(lost === undefined ? {} : { lost }) };
  } finally {
    run.whole.end();
    await hooks.close();
    await client.close();
  }
}

/** Why preflight would not pass any more. */
async function lostSince(
  target: Target,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const { lines } = await preflight(target, signal, env);
  return lines.find(({ severity }) => severity === 'error')?.text;
}

function told(onRow: (row: Row) => void): (row: Row) => Row {
  return (row) => {
    onRow(row);
    return row;
  };
}

async function bindingRow(
  { field, effect, effectIn, check }: Probe,
  target: Target,
  { parts, access }: { parts: AttemptParts; access: readonly Row[] },
): Promise<Row> {
  if (target.limits.isReadOnly) return { field, state: 'untried', text: 'the target is read-only' };
  const missing = check.needs.find((need) => !worksIn(access, need));
  if (missing !== undefined) return { field, state: 'untried', text: `it needs ${fieldOfNeed(missing)}` };
  const { stop } = await attempt(check, parts);
  return stop === undefined
    ? { field, state: 'works', text: effectIn?.(parts.run) ?? effect }
    : { field, state: 'odd', text: `no effect seen: ${describeStop(stop)}` };
}

function worksIn(rows: readonly Row[], need: NeedName): boolean {
  return rows.some(({ field, state }) => field === fieldOfNeed(need) && state === 'works');
}

/** `provision` first, since the others need its workspaces; `restart` alone, since it ends what the others do. */
async function hookRows(
  target: Target,
  parts: AttemptParts,
  { env, onRow }: { readonly env: NodeJS.ProcessEnv; readonly onRow: (row: Row) => Row },
): Promise<readonly Row[]> {
  const rowOf = (probe: Probe, earlier: readonly Row[]): Promise<Row> => {
    const name = hookNames.find((each) => probe.field === `hooks.${each}`);
    const fault = name === undefined ? undefined : hookFault(name, target.hooks[name], env);
    return hookRow(probe, { target, parts, fault, earlier }).then(onRow);
  };
  const [provision, ...others] = hookProbes;
  if (provision === undefined) return [];
  const first = [await rowOf(provision, [])];
  const restart = others.filter(({ field }) => field === 'hooks.restart');
  const together = others.filter((probe) => !restart.includes(probe));
  const middle = await Promise.all(together.map((probe) => rowOf(probe, first)));
  const last = await Promise.all(restart.map((probe) => rowOf(probe, first)));
  return [...first, ...middle, ...last];
}

interface HookTrial {
  readonly target: Target;
  readonly parts: AttemptParts;
  /** Why it cannot even be started. */
  readonly fault: string | undefined;
  readonly earlier: readonly Row[];
}

async function hookRow(
  { field, effect, check }: Probe,
  { target, parts, fault, earlier }: HookTrial,
): Promise<Row> {
  const own = check.needs.at(-1);
  if (own === undefined || !isEnabled(target, own)) return { field, state: 'absent', text: '' };
  if (target.limits.isReadOnly) return { field, state: 'untried', text: 'the target is read-only' };
  if (fault !== undefined) return { field, state: 'broken', text: fault };
  if (
    check.needs.includes('provision-hook') &&
    own !== 'provision-hook' &&
    !worksIn(earlier, 'provision-hook')
  ) {
    return { field, state: 'untried', text: 'it needs a workspace from hooks.provision' };
  }
  const { stop } = await attempt(check, parts);
  if (stop === undefined) return { field, state: 'works', text: effect };
  const reason = describeStop(stop);
  const isFailure = parts.hooks.failures.includes(reason);
  return { field, state: isFailure ? 'broken' : 'odd', text: reason };
}
