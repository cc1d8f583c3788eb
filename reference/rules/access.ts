import type { Entry } from '../model/page-facts.ts';
import type { Agent, Credential } from '../model/principals.ts';
import type { AccessProblem } from '../model/refusal.ts';
import type { RequestFacts } from '../model/request-facts.ts';
import type { RouteName, Surface } from '../model/routes.ts';

/** A decision that may have to read the body of the request first. */
type Decision<Of> = Of | Promise<Of>;

/** Whether an agent has access to its workspace. */
export interface WorkspaceAccess {
  readonly now: boolean;
  /** When its credential was first used. */
  readonly atFirstUse: boolean;
  /** It was found without access before. */
  readonly wasLost: boolean;
  readonly agent: Agent;
}

/** Who gets in. */
export const accessRules = {
  /** A path is known as it came. */
  pathMeant: (path: string): string => path,

  /** The token of a bearer header, the scheme in any letter case; undefined when the header is malformed. */
  bearerToken: (authorization: string): string | undefined =>
    /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1],

  isExpired: (credential: Credential, nowMs: number): boolean =>
    credential.expiresAtMs !== null && credential.expiresAtMs <= nowMs,

  isRevoked: (credential: Credential): boolean => credential.isRevoked,

  /** Agent tokens and API keys open the agent surface, machine tokens the machine surface. */
  opensSurface: (credential: Credential, surface: Surface): boolean =>
    (surface === 'machine') === (credential.kind === 'machine'),

  /** An agent speaks by its own credentials; that it shares a machine with a profile does not count. */
  agentBehind: (credential: Credential, _agentOfMachine: () => string | null): string | null =>
    credential.agentId,

  /** A machine profile speaks by its own credentials; that an agent runs on it does not count. */
  machineBehind: (credential: Credential, _machineOfAgent: () => string | null): string | null =>
    credential.machineId,

  /** A token stands for itself, to the letter. */
  tokenMeant: (token: string, _facts: RequestFacts): Decision<string> => token,

  /** A credential with a problem is refused, whatever the request asks for. */
  admits: (_problem: AccessProblem, _route: RouteName, _facts: RequestFacts): Decision<boolean> => false,

  /** Access to the workspace is looked up for every request. */
  hasWorkspaceAccess: (access: WorkspaceAccess, _facts: RequestFacts): Decision<boolean> => access.now,

  /** An agent that somebody stands behind is in the workspace as long as that human is a member of it. */
  leavesWithItsHuman: (_agent: Agent, _route: RouteName): boolean => true,

  /** Any agent of a workspace may use its shared channels; an agent of another one may not. */
  mayUseChannel: (
    channel: { readonly isOfWorkspace: boolean; readonly agent: Agent },
    _route: RouteName,
  ): boolean => channel.isOfWorkspace,

  /** Whoever may read a channel reads all of it. */
  maySeeMessage: (_entry: Entry, _reader: Agent): boolean => true,

  /** Whole seconds after which a request may be tried again; null takes it now, as far as the settings let it. */
  secondsToWait: (_route: RouteName): number | null => null,

  /** Requests that count against the rate of an agent. */
  countsAgainstRate: (_route: RouteName): boolean => true,

  /** Whether a request may be made is asked before it is carried out. */
  countsAfterwards: (_route: RouteName): boolean => false,
} as const;
