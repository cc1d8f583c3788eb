import type { IncomingMessage } from 'node:http';
import { type Treatment, startFront } from '../../harness/front/front.ts';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Target } from '../../harness/config/target.ts';
import type { RunOptions } from '../../harness/run/run-checks.ts';
import { contractRules, startReference, type Reference } from '../../reference/index.ts';
import { type ReferenceOptions, runOn, type SuiteRun } from './run-suite.ts';

/** What becomes of a request on its way to a good server. */
export type Fate =
  | 'pass'
  /** It is never answered. */
  | 'hang'
  /** The connection is dropped. */
  | 'reset'
  /** The listener closes for good, and every connection with it. */
  | 'die'
  /** Another server without its data takes its place from now on. */
  | 'forget'
  /** From now on it has lost every message, and knows its credentials all the same. */
  | 'lose'
  | GivenAnswer;

interface GivenAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Says what becomes of a request, by its number from 1 on. */
export type FateOf = (count: number, request: IncomingMessage) => Fate | Promise<Fate>;

interface AilingServer {
  readonly target: Target;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A reference behind something that lets requests suffer a fate, told by their number from 1 on. */
export async function startAilingServer(
  fateOf: FateOf,
  options: ReferenceOptions = {},
): Promise<AilingServer> {
  let losing: Promise<void> | undefined;
  const { lostAtRestart: ownLoss = contractRules.lostAtRestart } = options.rules ?? {};
  // The hook that restarts it loses nothing.
  const lostAtRestart = (channel: number): number => (losing === undefined ? ownLoss(channel) : 1_000_000);
  const reference = await startReference({ ...options, rules: { ...options.rules, lostAtRestart } });
  let upstream: Reference = reference;
  let count = 0;
  const treat = async (incoming: IncomingMessage): Promise<Treatment> => {
    count += 1;
    const fate = await fateOf(count, incoming);
    if (fate === 'hang') return { instead: () => undefined };
    if (fate === 'reset') return { instead: (socket) => socket.destroy() };
    if (fate === 'die') {
      void server.close();
      return { instead: () => undefined };
    }
    if (fate === 'lose') losing ??= Promise.resolve().then(() => reference.operator.restart());
    // Nobody shall see that it was away.
    await losing;
    if (fate === 'forget' && upstream === reference) upstream = await startReference();
    if (typeof fate === 'string') return { upstream };
    const headers = { 'content-type': 'application/json', ...fate.headers };
    return { instead: { status: fate.status, headers, body: textOf(fate) } };
  };
  const server = await startFront(reference, { treat });
  return {
    target: { ...targetOfReference(reference), settleMs: 100, baseUrl: server.baseUrl },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await upstream.close();
      await reference.close();
    },
  };
}

/** Runs checks through such a server. */
export async function runThrough(
  fateOf: FateOf,
  checks: readonly Check[],
  options: Partial<RunOptions> = {},
): Promise<SuiteRun> {
  await using server = await startAilingServer(fateOf);
  return await runOn(checks, server.target, options);
}

/** A page as it is, anything else as JSON; nothing where there is nothing. */
function textOf({ body, headers = {} }: GivenAnswer): string {
  if (body === null) return '';
  return typeof body === 'string' && headers['content-type'] === 'text/html' ? body : JSON.stringify(body);
}

/** An answer of this status with an ApiError. */
export function errorOf(status: number, message: string): GivenAnswer {
  return { status, body: { error: { code: 'internal', message } } };
}
