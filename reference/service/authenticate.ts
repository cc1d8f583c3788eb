import type { Agent, Credential, Machine } from '../model/principals.ts';
import { Refusal, type CredentialProblem } from '../model/refusal.ts';
import type { Route } from '../model/routes.ts';
import type { Service } from './service.ts';

/**
 * The credential of a request to `route`.
 * @throws Refusal when there is none or when it is no good on this surface.
 */
export function authenticate(service: Service, route: Route, authorization: string | undefined): Credential {
  const { rules, store } = service;
  const token = authorization === undefined ? undefined : rules.bearerToken(authorization);
  const known = token === undefined ? undefined : store.directory.credential(token);
  const problem = problemOf(service, route, authorization, token, known);
  if (problem === undefined && known) return known;

  const admitted =
    problem && rules.admits(problem, route.name) ? (known ?? anyCredential(service, route)) : undefined;
  if (admitted) return admitted;
  const credentialProblem = problem ?? 'unknown';
  const kind = rules.kindOfCredentialProblem(credentialProblem, route.name);
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
export function checkWorkspaceAccess(service: Service, credential: Credential, agent: Agent): void {
  const atFirstUse = service.accessAtFirstUse.get(credential.token) ?? agent.hasAccess;
  service.accessAtFirstUse.set(credential.token, atFirstUse);
  if (!service.rules.hasWorkspaceAccess({ now: agent.hasAccess, atFirstUse })) {
    const kind = service.rules.kindOfNoAccess({ atFirstUse });
    const extras = kind === 'unauthenticated' ? { credentialProblem: 'revoked' as const } : {};
    throw new Refusal(kind, 'the agent has no access to this workspace', extras);
  }
}

function problemOf(
  { rules }: Service,
  route: Route,
  authorization: string | undefined,
  token: string | undefined,
  known: Credential | undefined,
): CredentialProblem | undefined {
  if (authorization === undefined) return 'missing';
  if (token === undefined) return 'malformed';
  if (!known) return 'unknown';
  if (rules.isRevoked(known)) return 'revoked';
  if (rules.isExpired(known, Date.now())) return 'expired';
  if (!rules.opensSurface(known, route.surface)) return 'wrong-surface';
  return undefined;
}

function anyCredential({ store }: Service, route: Route): Credential | undefined {
  return store.directory.anyCredential(route.surface === 'machine' ? 'machine' : 'agent');
}

const sentences: Readonly<Record<CredentialProblem, string>> = {
  missing: 'an Authorization header with a bearer token is needed',
  malformed: 'the Authorization header does not hold a bearer token',
  unknown: 'the bearer token is not valid',
  expired: 'the bearer token has expired',
  revoked: 'the bearer token is not valid',
  'wrong-surface': 'the bearer token is not valid here',
};
