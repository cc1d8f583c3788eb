import { Actor } from '../client/actor.ts';
import { Client } from '../client/client.ts';
import { proxiesFor } from '../client/dispatcher.ts';
import { type Exchange, longestChain } from '../client/exchange.ts';
import { acceptedRoles, type RoleName } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import type { PreflightLine } from '../results/generated/events.ts';
import { patiently } from '../verdict/patiently.ts';
import { channelsSeenLines, weakCredentialLines } from './channels-seen.ts';
import {
  clockLines,
  closedLine,
  error,
  isAbsent,
  noCredential,
  peculiarLines,
  preflightTimeouts,
  unreachableLine,
  untriedLine,
  warning,
} from './lines.ts';
import { hookLines } from './preflight-hooks.ts';
import { type AskServer, type PreflightProbe, probeRole } from './probes.ts';

/** What was found out before the first check. */
export interface Preflight {
  /** False when nothing could be concluded from running checks: exit 3. */
  readonly isOk: boolean;
  readonly lines: readonly PreflightLine[];
  /** Median round trip in ms; `undefined` when the server was never reached. */
  readonly roundTripMs?: number;
  /** Requests that followed one another. */
  readonly chain: number;
  /** Requests in all, those included that were sent again. */
  readonly requests: number;
  /** What the credential of each role was tried with. */
  readonly tried: readonly { readonly role: RoleName; readonly exchange: Exchange }[];
  /** Roles whose credential was taken. */
  readonly accepted: readonly RoleName[];
  /** Whether the author could read the target's channel. */
  readonly hasReadChannel: boolean;
  /** Of the others those to whom that channel is closed, and how it was refused. */
  readonly closedTo: ReadonlyMap<RoleName, Exchange>;
}

/** Round trips are measured until they are so many, or for so long, in ms. */
const enoughTrips = 5;
const measuredForMs = 3_000;
/** A limit that lets nothing in and does not say for how long is obeyed for about so long, in ms. */
const limitPatienceMs = 5_000;
/** The longest `Retry-After` that is obeyed, and how long preflight may take in all: limits a minute are common. In ms. */
const longestRetryAfterMs = 75_000;
const longestPreflightMs = 90_000;

/**
 * Finds out in a few requests whether the server is there and accepts what the target configures, so that a dead server
 * or a wrong token is one line and not sixty failures. Judges no clause.
 */
export async function preflight(
  target: Target,
  signal: AbortSignal,
  env?: NodeJS.ProcessEnv,
): Promise<Preflight> {
  const client = new Client({
    target: { ...target, limits: { ...target.limits, ratePerSecond: undefined } },
    timeouts: preflightTimeouts,
    maxTries: 1,
    limitPatienceMs,
    longestRetryAfterMs,
    ...(env === undefined ? {} : { env }),
  });
  const exchanges: Exchange[] = [];
  const ending = AbortSignal.any([signal, AbortSignal.timeout(longestPreflightMs)]);
  const session = { client, signal: ending, record: (exchange: Exchange) => exchanges.push(exchange) };
  const actorOf = (role: RoleName): Actor | undefined => {
    const token = target.roles[role]?.token;
    return token === undefined ? undefined : new Actor(role, token, session);
  };
  try {
    const anonymous = new Actor('anonymous', undefined, session);
    const hooks = hookLines(target, env ?? process.env);
    const ask: AskServer = (work) => patiently(work, ending);
    const url = new URL(target.baseUrl);
    const isProxied = proxiesFor(url, env ?? process.env, target.connection) !== undefined;
    const found = await investigateServer(target, { actorOf, anonymous, hooks, ask, isProxied });
    return { ...found, chain: longestChain(exchanges), requests: client.traffic.requests };
  } finally {
    await client.close();
  }
}

interface PreflightParts {
  readonly ask: AskServer;
  readonly actorOf: (role: RoleName) => Actor | undefined;
  readonly anonymous: Actor;
  /** What is wrong with hooks, found out beforehand. */
  readonly hooks: readonly PreflightLine[];
  /** Whether the environment names a proxy for such addresses. */
  readonly isProxied: boolean;
}

async function investigateServer(
  target: Target,
  { actorOf, anonymous, hooks, ask, isProxied }: PreflightParts,
): Promise<Omit<Preflight, 'chain' | 'requests'>> {
  const first = await ask(() => anonymous.mentions({ limit: 1 }));
  const unreachable = unreachableLine(first, target, isProxied);
  const nothing = { isOk: false, ...takenIn([]) };
  if (unreachable !== undefined) return { ...nothing, lines: [unreachable] };
  // Without a credential a 404 cannot be told from a wrong address.
  if (first.response?.status === 404 && acceptedRoles.every((role) => actorOf(role) === undefined)) {
    const text = `GET ${target.baseUrl}/v0/mentions answered 404; is the path prefix of base_url right?`;
    return { ...nothing, lines: [error(text)] };
  }
  const trips = [first.endedMs - first.startedMs];
  const lines: PreflightLine[] = [...weakCredentialLines(target), ...clockLines(first), ...hooks];
  const probes = await Promise.all(
    acceptedRoles.map(async (role) => {
      const actor = actorOf(role);
      return actor === undefined ? undefined : probeRole(role, { actor, anonymous, target, ask });
    }),
  );
  const [ofAuthor] = probes;
  const isWithoutMentions = ofAuthor?.isTaken === true && isAbsent(ofAuthor.exchange);
  for (const [index, probe] of probes.entries()) {
    if (probe === undefined) continue;
    trips.push(probe.exchange.endedMs - probe.exchange.startedMs);
    const line =
      probe.isUntried && isWithoutMentions ? untriedLine(acceptedRoles[index], probe.exchange) : probe.line;
    if (line !== undefined && !lines.some(({ text }) => text === line.text)) lines.push(line);
  }
  const peculiar = acceptedRoles.flatMap((role, index) => {
    const { exchange, opens } = probes[index] ?? {};
    return exchange === undefined || opens === undefined ? [] : [{ role, exchange, opens }];
  });
  lines.push(...peculiarLines(peculiar));
  const taken = takenIn(probes);
  for (const [role, exchange] of taken.closedTo) lines.push(closedLine(role, exchange, target));
  if (probes.every((probe) => probe === undefined)) lines.push(warning(noCredential));
  const author = actorOf('author');
  if (target.channelId === undefined && author !== undefined && taken.accepted.includes('author'))
    lines.push(...channelsSeenLines(await author.channels()));
  const untilMs = performance.now() + measuredForMs;
  while (trips.length < enoughTrips && performance.now() < untilMs) {
    // Round trips are measured one at a time, on a connection that is already open.
    const again = await anonymous.mentions({ limit: 1 });
    trips.push(again.endedMs - again.startedMs);
  }
  const isOk = !lines.some(({ severity }) => severity === 'error');
  return { isOk, lines, roundTripMs: median(trips), ...taken };
}

function takenIn(
  probes: readonly (PreflightProbe | undefined)[],
): Pick<Preflight, 'tried' | 'accepted' | 'hasReadChannel' | 'closedTo'> {
  const hasReadChannel = probes.some((probe) => probe?.hasReadChannel === true);
  return {
    tried: acceptedRoles.flatMap((role, index) => {
      const exchange = probes[index]?.exchange;
      return exchange === undefined ? [] : [{ role, exchange }];
    }),
    accepted: acceptedRoles.filter((_, index) => probes[index]?.isTaken === true),
    hasReadChannel,
    // Of a channel that is closed to all it is said once.
    closedTo: new Map(
      acceptedRoles.flatMap((role, index) => {
        const closed = hasReadChannel ? probes[index]?.closed : undefined;
        return closed === undefined ? [] : [[role, closed]];
      }),
    ),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
