import type { IncomingMessage } from 'node:http';
import { type Fate, type FateKind, fateKinds, fateOf, type Trouble } from './fate.ts';
import { type Front, startFront, type Treatment } from './front.ts';
import type { Upstream } from './upstream.ts';

/** A front that injects faults. */
export interface ChaosProxy extends Front {
  /** How many requests met each fate. */
  readonly counts: () => Readonly<Record<FateKind, number>>;
}

/** Starts a front before `upstream` that injects faults, on a free port of loopback if none is given. */
export async function startChaos(
  upstream: Upstream,
  trouble: Trouble,
  {
    fateOfRequest = (_incoming, number) => fateOf(trouble, number),
    ...place
  }: {
    readonly port?: number;
    readonly host?: string;
    /** What becomes of each request, in place of what the seed draws; they are counted from 0. */
    readonly fateOfRequest?: (incoming: IncomingMessage, number: number) => Fate;
  } = {},
): Promise<ChaosProxy> {
  const counts = Object.fromEntries(fateKinds.map((kind) => [kind, 0])) as Record<FateKind, number>;
  const treat = (incoming: IncomingMessage, index: number): Treatment => {
    const fate = fateOfRequest(incoming, index);
    counts[fate.kind] += 1;
    return { delayMs: fate.delayMs, passed: fate.passed, ...treatments[fate.kind](trouble) };
  };
  return { ...(await startFront(upstream, { ...place, treat })), counts: () => ({ ...counts }) };
}

const gateway: Treatment = {
  instead: {
    status: 503,
    headers: { 'content-type': 'text/html' },
    body: '<html><body><h1>503 Service Unavailable</h1></body></html>',
  },
};

const treatments: Readonly<Record<Fate['kind'], (trouble: Trouble) => Treatment>> = {
  pass: () => ({}),
  'cut-in-request': () => ({ cut: 'in-request' }),
  'cut-unanswered': () => ({ cut: 'before-answer' }),
  'cut-in-answer': () => ({ cut: 'in-answer' }),
  limited: ({ retryAfterSeconds }) => ({
    instead: {
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': String(retryAfterSeconds) },
      body: JSON.stringify({ error: { code: 'limited', message: 'too many requests' } }),
    },
  }),
  unavailable: () => gateway,
  'unavailable-unanswered': () => ({ ...gateway, reachesServer: true }),
};
