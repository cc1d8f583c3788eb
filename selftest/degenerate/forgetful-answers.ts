import { type Answer, degenerateJson, type ReceivedRequest } from './http-answers.ts';
import {
  agentIdHeader,
  apiError,
  emptyPage,
  plausibleMessage,
  plausibleOverview,
  uuidOf,
} from './plausible-bodies.ts';

/** What a server must be told to refuse the right credentials. */
export interface KnownWorkspace {
  /** Token of each role, keyed by the role's name; tokens of `expired` and `revoked` are refused. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly workspaceId: string;
  readonly channelId: string;
}

const contentBytesTaken = 500_000;
const maxLimit = 100;
const refusedRoles: readonly string[] = ['expired', 'revoked'];
const channelPath = /^\/v0\/channels\/([0-9a-f-]{36})\/(messages|receipts)$/i;

/**
 * Answers as a careful server would, but for one thing: what is sent is gone. Credentials, scopes, parameters and
 * contents are judged as the contract asks, every read is valid and empty.
 */
export function forgetfulAnswers(known: KnownWorkspace): (request: ReceivedRequest) => Answer {
  const roleOfToken = new Map(Object.entries(known.tokens).map(([role, token]) => [token, role]));
  let sequence = 0;

  return (request) => {
    const [path = '', query = ''] = request.path.split('?', 2);
    const role = roleOfToken.get(bearerToken(request) ?? '');
    const isManagement = path.startsWith('/v1/');
    if (role === undefined || refusedRoles.includes(role) || (role === 'machine') !== isManagement) {
      return unauthorized();
    }
    if (isManagement) return overview(request, path, known);
    if (role === 'outsider') return refusalAnswered(403, 'forbidden', 'This workspace is closed to you.');
    return agentAnswer(request, path, new URLSearchParams(query), role);
  };

  function agentAnswer(request: ReceivedRequest, path: string, query: URLSearchParams, role: string): Answer {
    if (request.method === 'GET' && path === '/v0/mentions') return mentions(query, role);
    if (request.method === 'GET' && path === '/v0/channels') return degenerateJson(200, { channels: [] });
    const [, channelId, part] = channelPath.exec(path) ?? [];
    if (channelId === undefined) return notFoundAnswer();
    if (role === 'stranger') return refusalAnswered(403, 'forbidden', 'This channel is closed to you.');
    if (request.method === 'POST' && part === 'messages') return accepted(request, channelId, role);
    if (request.method !== 'GET') return notFoundAnswer();
    return emptyRead(part === 'messages' ? 'messages' : 'receipts', query);
  }

  function accepted(request: ReceivedRequest, channelId: string, role: string): Answer {
    const body = parseBody(request.body);
    const content = body?.['content'];
    if (typeof content !== 'string' || !isAllowedContent(content)) {
      return refusalAnswered(400, 'invalid_content', 'The content cannot be stored.');
    }
    sequence += 1;
    const contentType = typeof body?.['content_type'] === 'string' ? body['content_type'] : 'text/plain';
    const authorId = uuidOf(role);
    const parts = { authorId, workspaceId: known.workspaceId, channelId, sequence, content, contentType };
    return degenerateJson(201, { message: plausibleMessage(parts) }, { [agentIdHeader]: authorId });
  }
}

function mentions(query: URLSearchParams, role: string): Answer {
  const hasOnlyKnown = [...query.keys()].every((name) => name === 'after' || name === 'limit');
  const limit = query.get('limit') ?? '50';
  const isInRange = /^[0-9]+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= maxLimit;
  if (!hasOnlyKnown || !isInRange)
    return refusalAnswered(400, 'invalid_parameter', 'A query parameter is not valid.');
  const read = emptyRead('mentions', query);
  return { ...read, headers: { ...read.headers, [agentIdHeader]: uuidOf(role) } };
}

function emptyRead(items: 'mentions' | 'messages' | 'receipts', query: URLSearchParams): Answer {
  const after = query.get('after') ?? '0';
  if (!/^[0-9]+$/.test(after)) return refusalAnswered(400, 'invalid_parameter', 'The cursor is not valid.');
  const answer = degenerateJson(200, { [items]: [], page: emptyPage });
  // Written as digits: a cursor beyond 2^53 goes back as it came.
  const body = String(answer.body).replace('"next_after":0', `"next_after":${BigInt(after)}`);
  return { ...answer, body };
}

function overview(request: ReceivedRequest, path: string, known: KnownWorkspace): Answer {
  const [, workspaceId] = /^\/v1\/human\/workspaces\/([^/]+)$/.exec(path) ?? [];
  if (request.method !== 'GET' || workspaceId === undefined) return notFoundAnswer();
  if (workspaceId !== known.workspaceId)
    return refusalAnswered(403, 'forbidden', 'Not the workspace of this machine.');
  return degenerateJson(200, plausibleOverview(workspaceId));
}

function isAllowedContent(content: string): boolean {
  const bytes = Buffer.byteLength(content);
  return (
    bytes >= 1 && bytes <= contentBytesTaken && !content.includes('\0') && !/\p{Surrogate}/u.test(content)
  );
}

function parseBody(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function bearerToken(request: ReceivedRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function unauthorized(): Answer {
  const answer = refusalAnswered(401, 'unauthorized', 'A valid bearer credential is required.');
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } };
}

function notFoundAnswer(): Answer {
  return refusalAnswered(404, 'not_found', 'There is nothing here.');
}

function refusalAnswered(status: number, code: string, message: string): Answer {
  return degenerateJson(status, apiError(code, message));
}
