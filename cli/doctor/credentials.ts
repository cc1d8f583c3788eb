import { Actor, type Session } from '../../harness/client/actor.ts';
import { type Exchange, headerOf, isAccepted, isWebPage, statusOf } from '../../harness/client/exchange.ts';
import { wordsOfPart } from '../../harness/config/optional-parts.ts';
import { type RoleName, roleNames } from '../../harness/config/roles.ts';
import type { Target } from '../../harness/config/target.ts';
import type { Preflight } from '../../harness/preflight/preflight.ts';
import { opensChannels, otherWorkspaceIn } from '../../harness/preflight/probes.ts';
import { readPage, readPageObject, workspaceOn } from '../../harness/stream/page.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { isTrouble } from '../../harness/verdict/trouble.ts';
import { isRecord } from '../../spec/calls/index.ts';
import type { Row } from './page.ts';

/** Tries every credential, the channels and the names of a target by reading. */
export async function lookAtAccess(
  target: Target,
  { preflight, session }: { readonly preflight: Preflight; readonly session: Session },
): Promise<readonly Row[]> {
  const actorOf = (role: RoleName): Actor | undefined => {
    const token = target.roles[role]?.token;
    return token === undefined ? undefined : new Actor(role, token, session);
  };
  const viewer = actorOf('author') ?? actorOf('reader');
  const readOf = (id: string | undefined): Promise<Exchange> | undefined =>
    id === undefined ? undefined : viewer?.readChannel(id, { after: 0, limit: 1 });
  const read = await readOf(target.channelId);
  const access: Access = {
    ...preflight,
    target,
    read,
    anonymous: new Actor('anonymous', undefined, session),
  };
  const roleRows = await Promise.all(roleNames.map((role) => roleRow(role, actorOf(role), access)));
  return [
    ...roleRows,
    channelRow('channel', target.channelId, read),
    channelRow('second_channel', target.secondChannelId, await readOf(target.secondChannelId)),
    workspaceRow(target, read),
    withoutRow(target),
    await headerRow(target, viewer),
  ];
}

/** What is known of a target before its roles are looked at. */
interface Access extends Pick<Preflight, 'tried' | 'accepted' | 'closedTo'> {
  readonly target: Target;
  /** A read of the target's channel. */
  readonly read: Exchange | undefined;
  readonly anonymous: Actor;
}

type Told = Pick<Row, 'state' | 'text'>;

/** A role that is to be let in was tried by preflight; one that is to be refused is tried here. */
async function roleRow(role: RoleName, actor: Actor | undefined, access: Access): Promise<Row> {
  const field = `roles.${role.replaceAll('-', '_')}`;
  if (actor === undefined) return { field, state: 'absent', text: '' };
  const closed = access.closedTo.get(role);
  if (closed !== undefined) {
    const text = `accepted, but the channel cannot be read with it: ${describeAnswer(closed)}; is it an agent of the author's workspace?`;
    return { field, state: 'odd', text };
  }
  const exchange = access.tried.find((each) => each.role === role)?.exchange;
  if (exchange === undefined)
    return { field, ...refusedOne(role, await actor.mentions({ limit: 1 }), access) };
  if (isWebPage(exchange)) return { field, ...noService };
  if (isAccepted(exchange)) return { field, ...(await letIn(exchange, access)) };
  const isTaken = role === 'machine' && access.accepted.includes(role);
  return {
    field,
    ...(isTaken
      ? await machineOf(actor, exchange, access)
      : await keptOut(role, { actor, exchange, access })),
  };
}

/** A credential that opened the call it was tried on. */
async function letIn(exchange: Exchange, { anonymous }: Access): Promise<Told> {
  const isOverview = exchange.request.call === 'overview';
  const isShown = isOverview ? workspaceOf(exchange) !== undefined : showsPage(exchange);
  const open = await asked(anonymous, exchange);
  const text = [
    isAccepted(open) ? 'accepted, as is a request without a credential' : 'accepted',
    ...(isShown ? [] : [`the answer shows no ${isOverview ? 'workspace' : 'page of mentions'}`]),
  ].join('; ');
  return { state: 'works', text };
}

/** The same call as somebody else. */
function asked(actor: Actor, { request: { call, path } }: Exchange): Promise<Exchange> {
  return actor.request({ call, path });
}

/** A credential that is to be let in and was not. */
async function keptOut(
  role: RoleName,
  {
    actor,
    exchange,
    access,
  }: { readonly actor: Actor; readonly exchange: Exchange; readonly access: Access },
): Promise<Told> {
  const what = `${exchange.request.method} ${exchange.request.path} got ${describeAnswer(exchange)}`;
  if (isTrouble(exchange)) return { state: 'broken', text: `could not be tried: ${what}` };
  if (role !== 'machine' && (await opensChannels({ actor, anonymous: access.anonymous })))
    return { state: 'works', text: `it opens GET /v0/channels; ${what}` };
  if (statusOf(exchange) === 404)
    return { state: 'broken', text: `${what}; is the path prefix of base_url right, and the call there?` };
  const source = access.target.roles[role]?.source ?? '';
  return { state: 'broken', text: `the credential from ${source} was refused: ${what}` };
}

/** A machine token that was tried on a workspace of nobody, since the target names no workspace. */
async function machineOf(
  machine: Actor,
  tried: Exchange,
  { target, read, anonymous }: Access,
): Promise<Told> {
  const shown = read === undefined ? undefined : workspaceOn(readPage(read, target.bindings.items));
  if (shown === undefined) {
    const closed = await asked(anonymous, tried);
    const what = `${tried.request.method} ${tried.request.path} got ${describeAnswer(tried)}`;
    return statusOf(closed) === statusOf(tried)
      ? {
          state: 'odd',
          text: `${what} with the credential and without one; add \`workspace\` to try it on its own`,
        }
      : { state: 'works', text: `known: ${describeAnswer(tried)} for a workspace that is not its own` };
  }
  const own = await machine.overview(shown);
  if (isAccepted(own)) return { state: 'works', text: 'accepted' };
  const what = `${own.request.method} ${own.request.path} got ${describeAnswer(own)}`;
  return isTrouble(own)
    ? { state: 'odd', text: `could not be tried: ${what}` }
    : { state: 'odd', text: `${what}; is it the token of a machine of this workspace, and the call there?` };
}

/** A credential that is to be refused: with a 403 where it is one of somebody without access, else with a 401. */
function refusedOne(role: RoleName, answer: Exchange, { tried }: Access): Told {
  const words = describeAnswer(answer);
  if (isTrouble(answer)) return { state: 'odd', text: `could not be tried: ${words}` };
  const status = statusOf(answer) ?? 0;
  const others = tried.filter((each) => each.role !== 'machine');
  if (status >= 400 && others.length > 0 && others.every(({ exchange }) => statusOf(exchange) === status))
    return { state: 'odd', text: `${words}, as every role that is to be let in: that says nothing of it` };
  const due = role === 'outsider' ? 403 : 401;
  if (status === due) return { state: 'works', text: `refused with ${words}, as it should be` };
  const instead = status >= 400 ? `where ${due} is due` : 'instead of a refusal';
  return { state: 'odd', text: `${words} ${instead}: is it the right credential?` };
}

const noService = {
  state: 'broken',
  text: 'not tried: the answer is a web page, so that base_url does not point at the service',
} as const;

/** Whether an answer can be read as a page, as an empty object cannot. */
function showsPage(exchange: Exchange): boolean {
  const { response } = exchange;
  const { nextAfter, hasMore } = readPageObject({ response });
  const values = isRecord(response?.json) ? Object.values(response.json) : [];
  return nextAfter !== undefined || hasMore !== undefined || values.some((each) => Array.isArray(each));
}

function workspaceOf({ response }: Exchange): unknown {
  return isRecord(response?.json) ? response.json['workspace'] : undefined;
}

function channelRow(field: string, id: string | undefined, read: Exchange | undefined): Row {
  if (id === undefined) return { field, state: 'absent', text: '' };
  if (read === undefined) return { field, state: 'untried', text: 'no role can read it' };
  if (isWebPage(read)) return { field, ...noService };
  if (isAccepted(read) && !showsPage(read))
    return { field, state: 'odd', text: `the answer to the ${read.actor} shows no page of messages` };
  if (isAccepted(read)) return { field, state: 'works', text: `read by the ${read.actor}` };
  // Preflight insists on the first channel only: a run goes on without the second.
  const state = field === 'channel' ? 'broken' : 'odd';
  return { field, state, text: `the ${read.actor} cannot read it: ${describeAnswer(read)}` };
}

function workspaceRow(target: Target, read: Exchange | undefined): Row {
  const { workspaceId, roles, channelId } = target;
  const field = 'workspace';
  if (workspaceId !== undefined) {
    const other = read === undefined ? undefined : otherWorkspaceIn(read, target);
    return other === undefined
      ? { field, state: 'works', text: 'given' }
      : { field, state: 'odd', text: `a message of the channel shows ${other}: is the id right?` };
  }
  if (roles.author === undefined || channelId === undefined || read === undefined)
    return { field, state: 'absent', text: '' };
  if (!isAccepted(read))
    return {
      field,
      state: 'odd',
      text: `no message names it: reading the channel got ${describeAnswer(read)}`,
    };
  if (!showsPage(read))
    return { field, state: 'odd', text: 'no message names it: the channel shows no page' };
  const page = readPage(read, target.bindings.items);
  if (workspaceOn(page) !== undefined) return { field, state: 'works', text: 'learned from a message' };
  return page.items.length === 0
    ? { field, state: 'untried', text: 'the channel has no message yet; the first one names it' }
    : { field, state: 'odd', text: 'a message of the channel names none' };
}

function withoutRow({ without = [] }: Target): Row {
  const field = 'without';
  if (without.length === 0) return { field, state: 'absent', text: '' };
  const words = without.map(wordsOfPart).join(', ');
  return { field, state: 'untried', text: `a run tells whether there are no ${words}` };
}

async function headerRow({ names }: Target, viewer: Actor | undefined): Promise<Row> {
  const field = 'names.agent_id_header';
  const name = names.agentIdHeader;
  if (viewer === undefined) return { field, state: 'untried', text: `${name}; no role can ask` };
  const exchange = await viewer.mentions({ limit: 1 });
  if (!isAccepted(exchange))
    return { field, state: 'untried', text: `${name}; no page to look at: ${describeAnswer(exchange)}` };
  return headerOf(exchange, name) === undefined
    ? {
        field,
        state: 'odd',
        text: `no ${name} in an answer to the ${viewer.name}: does the server use another header name?`,
      }
    : { field, state: 'works', text: `${name} is in the answers` };
}
