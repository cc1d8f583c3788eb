import { randomBytes } from 'node:crypto';
import { addressOf, pathOf } from '../../spec/calls/index.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { Actor } from '../client/actor.ts';
import { Client } from '../client/client.ts';
import { proxiesFor } from '../client/dispatcher.ts';
import {
  type Exchange,
  headerOf,
  isAccepted,
  isRedirection,
  isWebPage,
  longestChain,
  statusOf,
} from '../client/exchange.ts';
import { similarAgentIdHeader } from '../config/reading/similar-header.ts';
import { acceptedRoles, type RoleName, tokenVariable } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import type { PreflightLine } from '../results/generated/events.ts';
import { readPage, workspaceOn } from '../stream/page.ts';
import { patiently } from '../verdict/patiently.ts';
import { isServerError } from '../verdict/trouble.ts';
import { channelsSeenLines, weakCredentialLines } from './channels-seen.ts';
import { hookLines } from './preflight-hooks.ts';

/** What was found out before the first check. */
export interface Preflight {
  /** False when nothing could be concluded from running checks: exit 3. */
  readonly isOk: boolean;
  readonly lines: readonly PreflightLine[];
  /** Median round trip in ms; `undefined` when the server was never reached. */
  readonly roundTripMs?: number;
  /** Requests that followed one another. */
  readonly chain: number;
  /** What the credential of each role was tried with. */
  readonly tried: readonly { readonly role: RoleName; readonly exchange: Exchange }[];
  /** Roles whose credential was taken. */
  readonly accepted: readonly RoleName[];
  /** Whether the author could read the target's channel. */
  readonly hasReadChannel: boolean;
  /** Of the others those to whom that channel is closed, and how it was refused. */
  readonly closedTo: ReadonlyMap<RoleName, Exchange>;
}

/** Preflight gives up on a server that does not answer after this long; a run can be made of answers that take less. */
const preflightTimeouts = { connectMs: 2_000, answerMs: 5_000 };
/** Round trips are measured until they are so many, or for so long, in ms. */
const enoughTrips = 5;
const measuredForMs = 3_000;
/** A limit that lets nothing in and does not say for how long is obeyed for about so long, in ms. */
const limitPatienceMs = 5_000;
/** The longest `Retry-After` that is obeyed, and how long preflight may take in all: limits a minute are common. In ms. */
const longestRetryAfterMs = 75_000;
const longestPreflightMs = 90_000;
/** A server clock further off than this is mentioned: expiring credentials may behave oddly. */
const clockSkewMs = 60_000;

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
    return { ...found, chain: longestChain(exchanges) };
  } finally {
    await client.close();
  }
}

/** Asks until the answer is no trouble that may pass. */
type AskServer = (work: () => Promise<Exchange>) => Promise<Exchange>;

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
): Promise<Omit<Preflight, 'chain'>> {
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

/** What may be wrong where no connection comes about. */
function whyRefused(message: string, isProxied: boolean): string {
  if (/altnames/i.test(message)) return `${message}; give a base_url with a name that its certificate has`;
  if (/expired|not yet valid/i.test(message)) return `${message}; the server needs another one`;
  if (/certificate/i.test(message))
    return `${message}; give the file of the authority that it is of as connection.ca (--ca)`;
  if (/ssl|tls/i.test(message))
    return 'the TLS handshake failed; does it speak https there, and HTTP/1.1 beside HTTP/2?';
  const proxy = isProxied ? ', and the proxy that the environment names (HTTP_PROXY, HTTPS_PROXY)' : '';
  return `${message}; is the server running${proxy}, and is the port right?`;
}

function unreachableLine(
  { fault, response, request }: Exchange,
  target: Target,
  isProxied: boolean,
): PreflightLine | undefined {
  const what = `${request.method} ${target.baseUrl}${addressOf(request)}`;
  if (fault?.kind === 'refused')
    return error(`${target.baseUrl} cannot be reached: ${whyRefused(fault.message, isProxied)}`);
  if (fault?.kind === 'timeout')
    return error(
      `${what} was not answered within ${preflightTimeouts.answerMs} ms; is this the right server?`,
    );
  if (fault?.kind === 'gateway')
    return error(`${what} was answered by a gateway (${fault.message}); the service behind it is not there`);
  if (fault !== undefined && /key values mismatch/i.test(fault.message))
    return error(`connection.key (--key) is not the key of connection.cert (--cert): ${fault.message}`);
  const mayWantCertificate =
    fault?.kind === 'reset' && target.baseUrl.startsWith('https:') && target.connection.cert === undefined;
  if (mayWantCertificate)
    return error(
      `${what} got no answer (${fault.kind}: ${fault.message}); does it want a client certificate (--cert, --key)?`,
    );
  if (fault !== undefined)
    return error(
      `${what} got no proper answer (${fault.kind}: ${fault.message}); is this an HTTP server of the service?`,
    );
  if (isRedirection(response?.status)) {
    const location = response?.headers['location']?.[0];
    return error(
      `${what} was redirected (${response?.status}${location === undefined ? '' : ` to ${location}`}); redirects are not followed, give the final base_url`,
    );
  }
  return undefined;
}

/** What ends a run. */
function error(text: string): PreflightLine {
  return { severity: 'error', text };
}

function warning(text: string): PreflightLine {
  return { severity: 'warning', text };
}

interface PreflightProbe {
  readonly exchange: Exchange;
  readonly line: PreflightLine | undefined;
  /** How the channel was refused to it. */
  readonly closed?: Exchange;
  /** The credential opened the call it was tried on. */
  readonly isTaken?: true;
  /** No call that it was tried on is there. */
  readonly isUntried?: boolean;
  readonly hasReadChannel?: true;
}

interface ProbedServer {
  readonly actor: Actor;
  readonly anonymous: Actor;
  readonly target: Target;
  readonly ask: AskServer;
}

async function probeRole(role: RoleName, probed: ProbedServer): Promise<PreflightProbe> {
  const { actor, target, ask } = probed;
  if (role === 'machine') return probeMachine(probed);
  const exchange = await ask(() => actor.mentions({ limit: 1 }));
  const refused = refusedLine(role, exchange, 'GET /v0/mentions') ?? webPageLine(exchange, target);
  if (refused !== undefined) return probeElsewhere(role, probed, { exchange, line: refused });
  if (role === 'author' && target.channelId !== undefined) {
    const { line, isRead } = await probeChannel(probed, target.channelId);
    if (line !== undefined) return { exchange, line, isTaken: true, ...(isRead && { hasReadChannel: true }) };
  }
  if ((role === 'reader' || role === 'peer') && target.channelId !== undefined) {
    const { channelId } = target;
    const closed = await ask(() => actor.readChannel(channelId, { after: 0, limit: 1 }));
    if ([403, 404].includes(statusOf(closed) ?? 0))
      return { exchange, line: undefined, closed, isTaken: true };
  }
  const channel: Pick<PreflightProbe, 'hasReadChannel'> =
    role === 'author' && target.channelId !== undefined ? { hasReadChannel: true } : {};
  const taken = { exchange, isTaken: true, ...channel } as const;
  if (headerOf(exchange, target.names.agentIdHeader) === undefined)
    return { ...taken, line: agentHeaderLine(exchange, target) };
  return { ...taken, line: undefined };
}

/**
 * An answer of the service to which a good credential does not lead: whoever has no access is told so rightly. A key of
 * the workspace may be nobody whom a message could mention.
 */
function isOwnFault({ response }: Exchange, role?: RoleName): boolean {
  if (response === undefined || response.status === 429) return false;
  return response.status !== 403 || role === 'api-key';
}

/** Whether a credential opens the list of channels, which is closed to others: then it is good, and the address right. */
async function opensChannels({ actor, anonymous, ask }: ProbedServer): Promise<boolean> {
  const [open, closed] = await Promise.all([ask(() => actor.channels()), ask(() => anonymous.channels())]);
  return isAccepted(open) && open.response?.json !== undefined && !isAccepted(closed);
}

/** What other calls say of a credential to which the mentions are not shown: a call that is broken, or not there yet, is for checks to judge. */
async function probeElsewhere(
  role: RoleName,
  probed: ProbedServer,
  { exchange, line: refused }: Pick<PreflightProbe, 'exchange' | 'line'>,
): Promise<PreflightProbe> {
  const { actor, anonymous, target, ask } = probed;
  const { channelId } = target;
  if (!isOwnFault(exchange, role)) return { exchange, line: refused };
  const isMissing = isAbsent(exchange);
  const openedBy = (call: string): PreflightProbe => ({
    exchange,
    line: peculiarLine(role, exchange, call),
    ...(isMissing && { isTaken: true }),
  });
  const listed = (await opensChannels(probed)) ? openedBy('GET /v0/channels') : undefined;
  const isReader = channelId !== undefined && role !== 'stranger';
  const closed = { exchange, line: refused, isUntried: isMissing };
  if (!isReader || (listed !== undefined && role !== 'author')) return listed ?? closed;
  const call = `GET ${pathOf('channel-read', channelId)}`;
  if (role === 'author' && (listed !== undefined || isMissing)) {
    const { line, isRead, read } = await probeChannel(probed, channelId);
    if (line?.severity !== 'error') {
      const opened = listed ?? openedBy(call);
      return { ...opened, line: line ?? opened.line, ...(isRead && { hasReadChannel: true }) };
    }
    if (statusOf(read) === 401) return { exchange, line: refusedLine(role, read, call) };
    return { exchange, line: listed === undefined && isAbsent(read) ? nothingFoundLine(read, call) : line };
  }
  const read = (who: Actor): Promise<Exchange> =>
    ask(() => who.readChannel(channelId, { after: 0, limit: 1 }));
  const [open, unnamed] = await Promise.all([read(actor), read(anonymous)]);
  const isOpened = isAccepted(open) && open.response?.json !== undefined;
  if (isOpened && (isMissing || !isAccepted(unnamed))) return openedBy(call);
  return isMissing && statusOf(open) === 401 ? { exchange, line: refusedLine(role, open, call) } : closed;
}

/** Of a server without mentions no more can be known of whoever reads no channel. */
function untriedLine(role: RoleName | undefined, exchange: Exchange): PreflightLine {
  return warning(
    `the credential of ${role} could not be tried: GET /v0/mentions ${outcome(exchange)}, as it did to author`,
  );
}

/** What is said where neither of two calls is there: either may be, at another address. */
function nothingFoundLine(read: Exchange, call: string): PreflightLine {
  return error(
    `the credential of author could not be tried: GET /v0/mentions and ${call} ${outcome(read)}; is the path prefix of base_url right, and the id of the channel?`,
  );
}

/** The answer of a server that does not have the call, or not at this address. */
function isAbsent({ response }: Exchange): boolean {
  return response !== undefined && [404, 405].includes(response.status);
}

function peculiarLine(role: RoleName, exchange: Exchange, call: string): PreflightLine {
  return warning(`GET /v0/mentions ${outcome(exchange)} to ${role}, whose credential opens ${call}`);
}

async function probeChannel(
  { actor: author, target, ask }: ProbedServer,
  channelId: string,
): Promise<{ readonly line: PreflightLine | undefined; readonly isRead: boolean; readonly read: Exchange }> {
  const read = await ask(() => author.readChannel(channelId, { after: 0, limit: 1 }));
  if (isAccepted(read)) return { line: workspaceLine(read, target), isRead: true, read };
  const what = `channel ${channelId} cannot be read by author: ${outcome(read)}`;
  if (!target.limits.isReadOnly && isOwnFault(read) && (await takesMessages(author, channelId)))
    return { line: warning(`${what}; a message to it is accepted`), isRead: false, read };
  const hint = isTrouble(read) ? untold : 'is the id right, and is author one of its agents?';
  return { line: error(`${what}; ${hint}`), isRead: false, read };
}

function workspaceLine(read: Exchange, target: Target): PreflightLine | undefined {
  const other = otherWorkspaceIn(read, target);
  return other === undefined
    ? undefined
    : warning(
        `workspace is ${target.workspaceId}, but a message of the channel shows ${other}; is the id right?`,
      );
}

/** The workspace that a message on a page of the target's channel shows, where it is another than the target names. */
export function otherWorkspaceIn(read: Exchange, { workspaceId, bindings }: Target): string | undefined {
  const shown = workspaceOn(readPage(read, bindings.items));
  return workspaceId === undefined || shown === undefined || isSameId(shown, workspaceId) ? undefined : shown;
}

/** What is said of an agent that is refused the channel in which the author speaks, as one of another workspace is. */
function closedLine(role: RoleName, exchange: Exchange, { channelId }: Target): PreflightLine {
  return warning(
    `channel ${channelId} cannot be read by ${role}: ${outcome(exchange)}; is it an agent of the author's workspace, and of that channel?`,
  );
}

/** Whether an agent may append to a channel: then it is there, and what is appended can be read. */
async function takesMessages(author: Actor, channelId: string): Promise<boolean> {
  // Marked like everything that a run writes, and with a number that no check uses.
  const marker = `cf-${randomBytes(8).toString('hex')}-0.`;
  return isAccepted(await author.send(channelId, `${marker} conform: does the channel accept messages?`));
}

async function probeMachine({ actor: machine, target, ask }: ProbedServer): Promise<PreflightProbe> {
  const workspaceId = target.workspaceId ?? '00000000-0000-0000-0000-000000000000';
  const exchange = await ask(() => machine.overview(workspaceId));
  // Without a workspace id any refusal but a 401 shows that the token itself was understood.
  const isUnderstood =
    target.workspaceId === undefined && !isTrouble(exchange) && exchange.response?.status !== 401;
  // A token that is known may be of another workspace.
  const isKnown = target.workspaceId !== undefined && [403, 404].includes(exchange.response?.status ?? 0);
  const line = isUnderstood
    ? undefined
    : refusedLine('machine', exchange, 'the workspace overview', isKnown ? hintOfOverview : undefined);
  return { exchange, line, ...(line === undefined && { isTaken: true }) };
}

const hintOfOverview =
  'is roles.machine the token of a machine, `workspace` the one that it is of, and the path prefix of base_url right?';

function refusedLine(
  role: RoleName,
  exchange: Exchange,
  call: string,
  ownHint?: string,
): PreflightLine | undefined {
  if (isAccepted(exchange)) return undefined;
  if (exchange.response?.status === 429) return limitedLine(role, exchange, call);
  if (isTrouble(exchange))
    return error(`the credential of ${role} could not be tried: ${call} ${outcome(exchange)}; ${untold}`);
  const field = `roles.${role.replaceAll('-', '_')}`;
  const leaveOut =
    role === 'author'
      ? ''
      : `; or leave the role out, and all runs that does not need it: no ${field} in the target file, and no ${tokenVariable(role)}`;
  const question =
    ownHint ??
    (isAbsent(exchange)
      ? 'is the path prefix of base_url right?'
      : `give a credential that works as ${field} (or ${tokenVariable(role)})`);
  // Of a credential only these two say anything.
  const isOfCredential = [401, 403].includes(statusOf(exchange) ?? 0);
  const what = isOfCredential ? 'is refused' : 'could not be tried';
  return error(`the credential of ${role} ${what}: ${call} ${outcome(exchange)}; ${question}${leaveOut}`);
}

/** True where nothing was said of what was asked: what was tried is not refused. */
function isTrouble(exchange: Exchange): boolean {
  return exchange.fault !== undefined || isServerError(exchange);
}

const untold =
  'that is trouble of the server or on the way to it, and no answer; run again once it has passed';

function limitedLine(role: RoleName, exchange: Exchange, call: string): PreflightLine {
  const retryAfter = headerOf(exchange, 'retry-after');
  const wait = retryAfter === undefined ? 'without a Retry-After' : `with Retry-After: ${retryAfter}`;
  return error(
    `${role} is rate limited: ${call} kept answering 429 ${wait}; run again once the limit has passed, or raise it for this credential`,
  );
}

function webPageLine(exchange: Exchange, target: Target): PreflightLine | undefined {
  if (!isWebPage(exchange)) return undefined;
  return error(
    `GET /v0/mentions at ${target.baseUrl} answered a web page; base_url does not point at the service`,
  );
}

function agentHeaderLine({ response }: Exchange, target: Target): PreflightLine | undefined {
  const similar = similarAgentIdHeader(response?.headers ?? {});
  if (similar === undefined) return undefined;
  return warning(
    `the answer has ${similar} where ${target.names.agentIdHeader} was expected; if that is this server's name for it, add names.agent_id_header: ${similar}`,
  );
}

const noCredential = `no credential is configured, so nothing can be proved: add roles.author and channel to a target file, or set ${tokenVariable('author')} and CONFORM_CHANNEL`;

function clockLines({ response }: Exchange): PreflightLine[] {
  const theirs = Date.parse(response?.headers['date']?.[0] ?? '');
  const skewMs = theirs - Date.now();
  if (Number.isNaN(theirs) || Math.abs(skewMs) < clockSkewMs) return [];
  return [warning(`the server's clock is ${Math.round(skewMs / 1000)} s off this machine's`)];
}

function outcome({ response, fault }: Exchange): string {
  if (fault?.kind === 'timeout') return `was not answered within ${preflightTimeouts.answerMs} ms`;
  if (fault !== undefined) return `met ${fault.kind} (${fault.message})`;
  return `answered ${response?.status ?? 'nothing'}`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
