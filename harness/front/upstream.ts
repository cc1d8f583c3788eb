import { Agent, type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import { Agent as SecureAgent, request as openSecureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { remembered } from '../../spec/groups.ts';

/** The server behind a front. */
export interface Upstream {
  /** Origin and path prefix. */
  readonly baseUrl: string;
  /** Stands before the paths of requests that come in without one. */
  readonly prefix?: string;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Longest header section that passes, in bytes: more than servers take. */
export const mostHeaderBytes = 1 << 20;

/** Headers that speak of one connection only, or that the outgoing side writes itself. */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'te',
  'expect',
  'host',
]);

/**
 * What an answer says of its connection, for that of the client: it ends with the one behind it, and a client that is told when sends nothing
 * on it then.
 */
export function ofConnection({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  if (/^close$/i.test(headers.connection ?? '')) return { Connection: 'close' };
  const kept = headers['keep-alive'];
  return kept === undefined ? {} : { Connection: 'keep-alive', 'Keep-Alive': String(kept) };
}

/**
 * A client's connection and the one behind it: the server is asked by one connection for each of a client's, and a connection that the
 * server ends ends for its client too, so that nobody meets a reset that would not have come without the front.
 */
export class Link {
  readonly #client: Socket;
  readonly #agents = new Map<boolean, Agent>();
  readonly #known = new WeakSet<Socket>();
  #underWay = 0;
  #isEnded = false;

  constructor(client: Socket) {
    this.#client = client;
    client.once('close', () => this.#agents.forEach((agent) => agent.destroy()));
  }

  /** Opens a request like the one that came in, at the same path behind the prefix; its body is for the caller to send. */
  open(incoming: IncomingMessage, { baseUrl, prefix = '', ca, cert, key }: Upstream): ClientRequest {
    const url = new URL(baseUrl);
    const isSecure = url.protocol === 'https:';
    const passed = (isSecure ? openSecureRequest : openRequest)({
      agent: this.#agentOf(isSecure),
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      method: incoming.method ?? 'GET',
      path: prefix + (incoming.url ?? '/'),
      headers: ['Host', url.host, ...ofRequest(incoming)],
      maxHeaderSize: mostHeaderBytes,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
    passed.on('socket', (socket: Socket) => {
      socket.setNoDelay(true);
      if (this.#known.has(socket)) return;
      this.#known.add(socket);
      socket.once('close', () => this.#end());
    });
    return passed;
  }

  /** A request is under way from now on; what is returned says that its answer has gone out. */
  begin(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
      if (this.#isEnded) this.#end();
    };
  }

  #end(): void {
    this.#isEnded = true;
    if (this.#underWay === 0) this.#client.end();
  }

  #agentOf(isSecure: boolean): Agent {
    return remembered(this.#agents, isSecure, () => {
      const options = { keepAlive: true, maxSockets: 1 };
      const agent = isSecure ? new SecureAgent(options) : new Agent(options);
      // When a connection ends is the server's to say: the HTTP library would end one early whose server keeps it for a second.
      agent.keepSocketAlive = () => true;
      return agent;
    });
  }
}

function ofRequest({ rawHeaders, headers, method = '' }: IncomingMessage): readonly string[] {
  const kept = endToEnd(rawHeaders);
  if (/^close$/i.test(headers.connection ?? '')) kept.push('Connection', 'close');
  if (headers.expect !== undefined) kept.push('Expect', headers.expect);
  // Without either header the HTTP library would frame a body that nobody sends.
  if (!hasBody({ headers }) && !/^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method))
    kept.push('Content-Length', '0');
  return kept;
}

/** Whether a body follows the head of a request, if only an empty one. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Names and values in turn, as they were, without what speaks of the connection. */
export function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!ownHeaders.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
