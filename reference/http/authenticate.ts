import type { Agent, Credential, Machine } from '../model/principals.ts';
import { type CredentialProblem, Refusal } from '../model/refusal.ts';
import type { Route } from '../model/routes.ts';
import type { Service } from '../service/service.ts';
import type { Call } from './call.ts';
import { factsOfRequest } from './request-facts.ts';

/**
 * The credential of a request.
 * @throws Refusal when there is none or when it is no good on the surface of its route.
 */
export async function authenticate(call: Call): Promise<Credential> {
  const { service, route, request } = call;
  const { rules, store } = service;
  const { authorization } = request.headers;
  const token = authorization === undefined ? undefined : rules.bearerToken(authorization);
  const meant = token === undefined ? undefined : rules.tokenMeant(token, factsOfRequest(call));
  const asked = meant instanceof Promise ? await meant : meant;
  const known = asked === undefined ? undefined : store.directory.credential(asked);
  const problem = problemOf(service, route, authorization, token, known);
  if (problem === undefined && known) return known;

  const credentialProblem = problem ?? 'unknown';
  const reader = known?.agentId == null ? undefined : store.directory.agent(known.agentId);
  const admission = rules.admits(credentialProblem, route.name, factsOfRequest(call, reader));
  const kind = rules.kindOfCredentialProblem(credentialProblem, route.name);
  const isAdmitted = admission instanceof Promise ? await admission : admission;
  const admitted = isAdmitted ? (known ?? someCredential(call)) : undefined;
  if (admitted) return admitted;
  throw new Refusal(kind, sentences[credentialProblem], { credentialProblem });
}

/** The agent behind a credential, as it is now. */
export function agentOf(service: Service, credential: Credential): Agent {
  const { rules, store } = service;
  const agentOfMachine = (): string | null =>
    credential.machineId === null ? null : (store.directory.agentOn(credential.machineId)?.id ?? null);
  const id = rules.agentBehind(credential, agentOfMachine);
  const agent = id === null ? undefined : store.directory.agent(id);
  if (!agent)
    throw new Refusal('unauthenticated', sentences['wrong-surface'], { credentialProblem: 'wrong-surface' });
  return agent;
}

/** The machine profile behind a credential, as it is now. */
export function machineOf(service: Service, credential: Credential): Machine {
  const { rules, store } = service;
  const machineOfAgent = (): string | null =>
    credential.agentId === null ? null : (store.directory.agent(credential.agentId)?.machineId ?? null);
  const id = rules.machineBehind(credential, machineOfAgent);
  const machine = id === null ? undefined : store.directory.machine(id);
  if (!machine)
    throw new Refusal('unauthenticated', sentences['wrong-surface'], { credentialProblem: 'wrong-surface' });
  return machine;
}

/** @throws Refusal when the agent has no access to its workspace. */
export async function checkWorkspaceAccess(call: Call, credential: Credential, agent: Agent): Promise<void> {
  const { service } = call;
  const { token } = credential;
  const hasAccess = agent.hasAccess && isItsHumanThere(call, agent);
  const atFirstUse = noteUse(service, credential, hasAccess);
  if (!hasAccess) service.accessLost.add(token);
  const access = { now: hasAccess, atFirstUse, wasLost: service.accessLost.has(token), agent };
  if (await service.rules.hasWorkspaceAccess(access, factsOfRequest(call, agent))) return;
  const kind = service.rules.kindOfNoAccess(access);
  const extras = kind === 'unauthenticated' ? { credentialProblem: 'revoked' as const } : {};
  throw new Refusal(kind, 'the agent has no access to this workspace', extras);
}

function isItsHumanThere({ service: { rules, store }, route }: Call, agent: Agent): boolean {
  const { humanUserId, workspaceId } = agent;
  if (humanUserId === null || !rules.leavesWithItsHuman(agent, route.name)) return true;
  return store.directory.isInWorkspace('user', humanUserId, workspaceId);
}

/**
 * Whether a credential had access when it was first used. Being let in by a rule that admits what has ended is no use:
 * such a rule shows its fault as often as it is asked.
 */
export function noteUse(
  { rules, sources, accessAtFirstUse }: Service,
  credential: Credential,
  hasAccess: boolean,
): boolean {
  const atFirstUse = accessAtFirstUse.get(credential.token) ?? hasAccess;
  if (!rules.isRevoked(credential) && !rules.isExpired(credential, sources.now()))
    accessAtFirstUse.set(credential.token, atFirstUse);
  return atFirstUse;
}

function problemOf(
  { rules, sources }: Service,
  route: Route,
  authorization: string | undefined,
  token: string | undefined,
  known: Credential | undefined,
): CredentialProblem | undefined {
  if (authorization === undefined) return 'missing';
  if (token === undefined) return 'malformed';
  if (!known) return 'unknown';
  if (rules.isRevoked(known)) return 'revoked';
  if (rules.isExpired(known, sources.now())) return 'expired';
  if (!rules.opensSurface(known, route.surface)) return 'wrong-surface';
  return undefined;
}

/** A credential of whoever could have sent the request, for a rule that admits somebody unknown. */
function someCredential({ service: { store }, route, parameters }: Call): Credential | undefined {
  const kind = route.surface === 'machine' ? 'machine' : 'agent';
  const { channel_id: channelId = '', file_id: fileId = '', workspace_id: workspaceId } = parameters;
  const of =
    workspaceId ??
    store.workspaces.channel(channelId)?.workspaceId ??
    store.files.file(fileId.toLowerCase())?.workspace_id;
  return of === undefined
    ? store.directory.anyCredential(kind)
    : store.directory.credentialIn(of.toLowerCase(), kind);
}

const sentences: Readonly<Record<CredentialProblem, string>> = {
  missing: 'an Authorization header with a bearer token is needed',
  malformed: 'the Authorization header does not hold a bearer token',
  unknown: 'the bearer token is not valid',
  expired: 'the bearer token has expired',
  revoked: 'the bearer token is not valid',
  'wrong-surface': 'the bearer token is not valid here',
};
