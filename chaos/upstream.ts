import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import { request as openSecureRequest } from 'node:https';

/** The server behind a proxy. */
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

/** Opens a request like the one that came in, at the same path behind the prefix; its body is for the caller to send. */
export function openLike(
  incoming: IncomingMessage,
  { baseUrl, prefix = '', ca, cert, key }: Upstream,
): ClientRequest {
  const url = new URL(baseUrl);
  const open = url.protocol === 'https:' ? openSecureRequest : openRequest;
  return open({
    // A connection for each request: one reused just as the server drops it would be trouble that nobody asked for.
    agent: false,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    method: incoming.method ?? 'GET',
    path: prefix + (incoming.url ?? '/'),
    headers: ['Host', url.host, ...endToEnd(incoming.rawHeaders)],
    maxHeaderSize: mostHeaderBytes,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}

/** Names and values in turn, as they were, without what speaks of the connection. */
export function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!ownHeaders.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
