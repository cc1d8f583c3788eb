import { randomBytes } from 'node:crypto';
import { pathOf } from '../../spec/calls/index.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import type { Actor } from '../client/actor.ts';
import { type Exchange, headerOf, isAccepted, statusOf } from '../client/exchange.ts';
import type { RoleName } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import type { PreflightLine } from '../results/generated/events.ts';
import { readPage, workspaceOn } from '../stream/page.ts';
import { isTrouble } from '../verdict/trouble.ts';
import {
  agentHeaderLine,
  error,
  isAbsent,
  nothingFoundLine,
  outcome,
  refusedLine,
  untold,
  warning,
  webPageLine,
} from './lines.ts';

/** Asks until the answer is no trouble that may pass. */
export type AskServer = (work: () => Promise<Exchange>) => Promise<Exchange>;

/** What trying one credential came to. */
export interface PreflightProbe {
  readonly exchange: Exchange;
  readonly line: PreflightLine | undefined;
  /** The call that the credential opens where the mentions are not shown to it, as `GET /v0/channels`. */
  readonly opens?: string;
  /** How the channel was refused to it. */
  readonly closed?: Exchange;
  /** The credential opened the call it was tried on. */
  readonly isTaken?: true;
  /** No call that it was tried on is there. */
  readonly isUntried?: boolean;
  readonly hasReadChannel?: true;
}

/** Whom to ask, and how. */
interface ProbedServer {
  readonly actor: Actor;
  readonly anonymous: Actor;
  readonly target: Target;
  readonly ask: AskServer;
}

/** Tries the credential of a role on the mentions, a machine's on the overview; where it is not taken there, elsewhere. */
export async function probeRole(role: RoleName, probed: ProbedServer): Promise<PreflightProbe> {
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
    const closed = await readFirst(actor, target.channelId, ask);
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
export async function opensChannels({
  actor,
  anonymous,
  ask = (work) => work(),
}: Pick<ProbedServer, 'actor' | 'anonymous'> & Partial<Pick<ProbedServer, 'ask'>>): Promise<boolean> {
  const [open, closed] = await Promise.all([ask(() => actor.channels()), ask(() => anonymous.channels())]);
  return showsSomething(open) && !isAccepted(closed);
}

/** A success with a JSON value in it, which a page for people lacks. */
function showsSomething(exchange: Exchange): boolean {
  return isAccepted(exchange) && exchange.response?.json !== undefined;
}

/** Reads the first message of a channel. */
function readFirst(actor: Actor, channelId: string, ask: AskServer): Promise<Exchange> {
  return ask(() => actor.readChannel(channelId, { after: 0, limit: 1 }));
}

/** What other calls say of a credential to which the mentions are not shown: a call that is broken, or not there yet, is for checks to judge. */
async function probeElsewhere(
  role: RoleName,
  probed: ProbedServer,
  { exchange, line }: Pick<PreflightProbe, 'exchange' | 'line'>,
): Promise<PreflightProbe> {
  const { channelId } = probed.target;
  if (!isOwnFault(exchange, role)) return { exchange, line };
  const isMissing = isAbsent(exchange);
  const closed = { exchange, line, isUntried: isMissing };
  const isListed = await opensChannels(probed);
  const listed = isListed ? openedBy(exchange, 'GET /v0/channels') : undefined;
  if (channelId === undefined || role === 'stranger') return listed ?? closed;
  if (role === 'author' && (isListed || isMissing))
    return authorByChannel(probed, { channelId, exchange, listed });
  return listed ?? readerByChannel(role, probed, { channelId, closed });
}

/** A credential that the mentions are not shown to, and that is good all the same. */
function openedBy(exchange: Exchange, opens: string): PreflightProbe {
  return { exchange, line: undefined, opens, ...(isAbsent(exchange) && { isTaken: true }) };
}

/** What the target's channel says of the author, whose it has to be. */
async function authorByChannel(
  probed: ProbedServer,
  {
    channelId,
    exchange,
    listed,
  }: {
    readonly channelId: string;
    readonly exchange: Exchange;
    readonly listed: PreflightProbe | undefined;
  },
): Promise<PreflightProbe> {
  const call = `GET ${pathOf('channel-read', channelId)}`;
  const { line, isRead, read } = await probeChannel(probed, channelId);
  if (line?.severity !== 'error') {
    const opened = listed ?? openedBy(exchange, call);
    return { ...opened, line, ...(isRead && { hasReadChannel: true }) };
  }
  if (statusOf(read) === 401) return { exchange, line: refusedLine('author', read, call) };
  return { exchange, line: listed === undefined && isAbsent(read) ? nothingFoundLine(read, call) : line };
}

/** What the target's channel says of somebody who may read it: only one that is closed to others tells. */
async function readerByChannel(
  role: RoleName,
  { actor, anonymous, ask }: ProbedServer,
  { channelId, closed }: { readonly channelId: string; readonly closed: PreflightProbe },
): Promise<PreflightProbe> {
  const { exchange } = closed;
  const isMissing = isAbsent(exchange);
  const call = `GET ${pathOf('channel-read', channelId)}`;
  const [open, unnamed] = await Promise.all([
    readFirst(actor, channelId, ask),
    readFirst(anonymous, channelId, ask),
  ]);
  if (showsSomething(open) && (isMissing || !isAccepted(unnamed))) return openedBy(exchange, call);
  return isMissing && statusOf(open) === 401 ? { exchange, line: refusedLine(role, open, call) } : closed;
}

async function probeChannel(
  { actor: author, target, ask }: ProbedServer,
  channelId: string,
): Promise<{ readonly line: PreflightLine | undefined; readonly isRead: boolean; readonly read: Exchange }> {
  const read = await readFirst(author, channelId, ask);
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
