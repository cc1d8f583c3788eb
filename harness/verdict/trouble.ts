import { type Exchange, faultWords } from '../client/exchange.ts';
import { type RoleName, roleNames } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import type { TroubleKind } from '../results/generated/events.ts';

/** What kept an exchange from saying anything about the rule it was sent for, told apart from what a target lacks. */
export interface TroubleMet {
  readonly kind: TroubleKind;
  /** Call and outcome without cursors and ids of exchanges: the same trouble has the same text. */
  readonly text: string;
  readonly exchange: Exchange;
}

/** The credentials that preflight saw accepted, as they stand in `Authorization`. */
export type GoodCredentials = ReadonlyMap<string, RoleName>;

/** The credentials of these roles. */
export function goodCredentials(target: Pick<Target, 'roles'>, roles: readonly RoleName[]): GoodCredentials {
  return new Map(
    roleNames.flatMap((role) => {
      const token = roles.includes(role) ? target.roles[role]?.token : undefined;
      return token === undefined ? [] : [[`Bearer ${token}`, role] as const];
    }),
  );
}

/** The role whose good credential a request carries to a call that it is meant for. */
export function goodRoleOf({ request }: Exchange, good: GoodCredentials): RoleName | undefined {
  const role = good.get(request.headers['authorization'] ?? '');
  if (role === undefined || request.call === 'other') return undefined;
  return (request.call === 'overview') === (role === 'machine') ? role : undefined;
}

/** What was wrong with an exchange, if anything: no answer, a server error, a limit, or a good credential refused. */
export function troubleMetIn(exchange: Exchange, good: GoodCredentials): TroubleMet | undefined {
  const kind = kindOf(exchange, good);
  return kind === undefined ? undefined : { kind, text: describeTrouble(exchange), exchange };
}

/** True for an answer of the 5xx class that is the service's own: a gateway's is a fault. */
export function isServerError({ response, fault }: Exchange): boolean {
  return fault === undefined && response !== undefined && response.status >= 500;
}

/** True where nothing was said of what was asked, so that nothing is refused: no answer, an error of the server, or a limit. */
export function isTrouble(exchange: Exchange): boolean {
  return exchange.fault !== undefined || kindOf(exchange, nobody) !== undefined;
}

const nobody: GoodCredentials = new Map();

/** `GET /v0/mentions as author: status 500`; without the query, so that all reads of a channel have one text. */
export function describeTrouble({ actor, request, response, fault }: Exchange): string {
  const outcome =
    fault === undefined
      ? `status ${response?.status ?? 'none'}`
      : `${faultWords[fault.kind]} (${fault.message})`;
  return `${request.method} ${request.path} as ${actor}: ${outcome}`;
}

function kindOf(exchange: Exchange, good: GoodCredentials): TroubleKind | undefined {
  const { fault, response } = exchange;
  if (fault !== undefined) return fault.kind === 'withheld' ? undefined : 'no-answer';
  if (isServerError(exchange)) return 'server-error';
  if (response?.status === 429) return 'limited';
  const isRefused = response?.status === 401 && goodRoleOf(exchange, good) !== undefined;
  return isRefused ? 'credential-refused' : undefined;
}
