import { addressOf } from '../../spec/calls/index.ts';
import {
  type Exchange,
  headerOf,
  isAccepted,
  isRedirection,
  isWebPage,
  statusOf,
} from '../client/exchange.ts';
import { similarAgentIdHeader } from '../config/reading/similar-header.ts';
import { type RoleName, tokenVariable } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import type { PreflightLine } from '../results/generated/events.ts';
import { isTrouble } from '../verdict/trouble.ts';

/** Preflight gives up on a server that does not answer after this long; a run can be made of answers that take less. */
export const preflightTimeouts = { connectMs: 2_000, answerMs: 5_000 };
/** A server clock further off than this is mentioned: expiring credentials may behave oddly. */
const clockSkewMs = 60_000;

/** What ends a run. */
export function error(text: string): PreflightLine {
  return { severity: 'error', text };
}

/** What a run goes on in spite of. */
export function warning(text: string): PreflightLine {
  return { severity: 'warning', text };
}

/** What is said where a target has no credential at all. */
export const noCredential = `no credential is configured, so nothing can be proved: add roles.author and channel to a target file, or set ${tokenVariable('author')} and CONFORM_CHANNEL`;

/** Why nothing can be asked of the server at all; nothing where it answers. */
export function unreachableLine(
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

/** What is said of a credential that does not open a call; nothing where it does. */
export function refusedLine(
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

function limitedLine(role: RoleName, exchange: Exchange, call: string): PreflightLine {
  const retryAfter = headerOf(exchange, 'retry-after');
  const wait = retryAfter === undefined ? 'without a Retry-After' : `with Retry-After: ${retryAfter}`;
  return error(
    `${role} is rate limited: ${call} kept answering 429 ${wait}; run again once the limit has passed, or raise it for this credential`,
  );
}

/** Of a server without mentions no more can be known of whoever reads no channel. */
export function untriedLine(role: RoleName | undefined, exchange: Exchange): PreflightLine {
  return warning(
    `the credential of ${role} could not be tried: GET /v0/mentions ${outcome(exchange)}, as it did to author`,
  );
}

/** What is said where neither of two calls is there: either may be, at another address. */
export function nothingFoundLine(read: Exchange, call: string): PreflightLine {
  return error(
    `the credential of author could not be tried: GET /v0/mentions and ${call} ${outcome(read)}; is the path prefix of base_url right, and the id of the channel?`,
  );
}

/** A role to which the mentions are not shown, and the call that its credential opens all the same. */
interface PeculiarRole {
  readonly role: RoleName;
  readonly exchange: Exchange;
  readonly opens: string;
}

/** What is said of credentials that open another call than the mentions: once of all to which the same was answered. */
export function peculiarLines(peculiar: readonly PeculiarRole[]): PreflightLine[] {
  const hintOf = (exchange: Exchange): string =>
    isAbsent(exchange) ? ': the first is not there, or not at this address' : '';
  const texts = peculiar.map(({ exchange, opens }) => {
    const alike = peculiar.filter(
      (other) => other.opens === opens && outcome(other.exchange) === outcome(exchange),
    );
    const roles = alike.map(({ role }) => role).join(', ');
    const whose = alike.length === 1 ? 'whose credential opens' : 'whose credentials open';
    return `GET /v0/mentions ${outcome(exchange)} to ${roles}, ${whose} ${opens}${hintOf(exchange)}`;
  });
  return [...new Set(texts)].map(warning);
}

/** What is said of an agent that is refused the channel in which the author speaks, as one of another workspace is. */
export function closedLine(role: RoleName, exchange: Exchange, { channelId }: Target): PreflightLine {
  return warning(
    `channel ${channelId} cannot be read by ${role}: ${outcome(exchange)}; is it an agent of the author's workspace, and of that channel?`,
  );
}

/** What is said where a page for people answers instead of the service. */
export function webPageLine(exchange: Exchange, target: Target): PreflightLine | undefined {
  if (!isWebPage(exchange)) return undefined;
  return error(
    `GET /v0/mentions at ${target.baseUrl} answered a web page; base_url does not point at the service`,
  );
}

/** What is said where the id of an agent comes under a name that is like the one expected. */
export function agentHeaderLine({ response }: Exchange, target: Target): PreflightLine | undefined {
  const similar = similarAgentIdHeader(response?.headers ?? {});
  if (similar === undefined) return undefined;
  return warning(
    `the answer has ${similar} where ${target.names.agentIdHeader} was expected; if that is this server's name for it, add names.agent_id_header: ${similar}`,
  );
}

/** What is said of a clock that is far from this machine's, by the `Date` of an answer. */
export function clockLines({ response }: Exchange): PreflightLine[] {
  const theirs = Date.parse(response?.headers['date']?.[0] ?? '');
  const skewMs = theirs - Date.now();
  if (Number.isNaN(theirs) || Math.abs(skewMs) < clockSkewMs) return [];
  return [warning(`the server's clock is ${Math.round(skewMs / 1000)} s off this machine's`)];
}

/** The answer of a server that does not have the call, or not at this address. */
export function isAbsent({ response }: Exchange): boolean {
  return response !== undefined && [404, 405].includes(response.status);
}

/** What became of a request, as `answered 404`. */
export function outcome({ response, fault }: Exchange): string {
  if (fault?.kind === 'timeout') return `was not answered within ${preflightTimeouts.answerMs} ms`;
  if (fault !== undefined) return `met ${fault.kind} (${fault.message})`;
  return `answered ${response?.status ?? 'nothing'}`;
}

/** What to do where trouble kept an answer from coming. */
export const untold =
  'that is trouble of the server or on the way to it, and no answer; run again once it has passed';
