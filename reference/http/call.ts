import type { Agent, Credential, Machine } from '../model/principals.ts';
import type { Request } from '../model/request.ts';
import type { Service } from '../service/service.ts';
import type { Route } from '../model/routes.ts';

/** One request that reached a call of the service. */
export interface Call {
  readonly service: Service;
  readonly route: Route;
  readonly request: Request;
  /** Decoded path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Decoded query parameters, every one known to the call. */
  readonly query: Readonly<Record<string, string>>;
}

/** A call on the agent surface. */
export interface AgentCall extends Call {
  readonly credential: Credential;
  /** The agent that asks, as it was when the request came. */
  readonly agent: Agent;
}

/** A call on the machine surface. */
export interface MachineCall extends Call {
  readonly credential: Credential;
  readonly machine: Machine;
}
