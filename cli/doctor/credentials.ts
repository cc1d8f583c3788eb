import { Actor, type Session } from '../../harness/client/actor.ts';
import { type Exchange, headerOf, isAccepted, isWebPage } from '../../harness/client/exchange.ts';
import { wordsOfPart } from '../../harness/config/optional-parts.ts';
import { type RoleName, roleNames } from '../../harness/config/roles.ts';
import type { Target } from '../../harness/config/target.ts';
import { otherWorkspaceIn, type Preflight } from '../../harness/preflight/preflight.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
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
  const roleRows = await Promise.all(
    roleNames.map((role) => roleRow(role, actorOf(role), { target, ...preflight })),
  );
  const read = await readOf(target.channelId);
  return [
    ...roleRows,
    channelRow('channel', target.channelId, read),
    channelRow('second_channel', target.secondChannelId, await readOf(target.secondChannelId)),
    workspaceRow(target, read),
    withoutRow(target),
    await headerRow(target, viewer),
  ];
}

/** A role that is to be let in was tried by preflight; one that is to be refused is tried here. */
async function roleRow(
  role: RoleName,
  actor: Actor | undefined,
  {
    target,
    tried,
    accepted,
    closedTo,
  }: Pick<Preflight, 'tried' | 'accepted' | 'closedTo'> & { readonly target: Target },
): Promise<Row> {
  const field = `roles.${role.replaceAll('-', '_')}`;
  if (actor === undefined) return { field, state: 'absent', text: '' };
  const closed = closedTo.get(role);
  if (closed !== undefined) {
    const text = `accepted, but the channel cannot be read with it: ${describeAnswer(closed)}; is it an agent of the author's workspace?`;
    return { field, state: 'odd', text };
  }
  const exchange = tried.find((each) => each.role === role)?.exchange;
  if (exchange !== undefined && isWebPage(exchange)) return { field, ...noService };
  if (accepted.includes(role)) return { field, state: 'works', text: 'accepted' };
  if (exchange !== undefined) {
    const text = `the credential from ${target.roles[role]?.source ?? ''} was refused: GET ${exchange.request.path} got ${describeAnswer(exchange)}`;
    return { field, state: 'broken', text };
  }
  const answer = await actor.mentions({ limit: 1 });
  return isCredentialRefused(answer)
    ? { field, state: 'works', text: `refused with ${describeAnswer(answer)}, as it should be` }
    : {
        field,
        state: 'odd',
        text: `${describeAnswer(answer)} instead of a refusal: is it the right credential?`,
      };
}

const noService = {
  state: 'broken',
  text: 'not tried: the answer is a web page, so that base_url does not point at the service',
} as const;

function isCredentialRefused({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 400 && response.status < 500;
}

function channelRow(field: string, id: string | undefined, read: Exchange | undefined): Row {
  if (id === undefined) return { field, state: 'absent', text: '' };
  if (read === undefined) return { field, state: 'untried', text: 'no role can read it' };
  if (isWebPage(read)) return { field, ...noService };
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
  const isLearned = roles.author !== undefined && channelId !== undefined;
  return isLearned
    ? { field, state: 'works', text: 'learned from a message' }
    : { field, state: 'absent', text: '' };
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
  return headerOf(exchange, name) === undefined
    ? {
        field,
        state: 'odd',
        text: `no ${name} in an answer to the ${viewer.name}: does the server use another header name?`,
      }
    : { field, state: 'works', text: `${name} is in the answers` };
}
