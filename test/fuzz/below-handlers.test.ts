import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type CampaignWishes, everybody, foundBy, fuzzedBehind } from './campaigns.ts';
import { type FrontOptions, raw } from '../fixtures/front.ts';

/** What stands before the service answers by itself: bytes as they go over the wire. */
type Below = (request: IncomingMessage) => Buffer | undefined;

/** A campaign behind such a thing, and the first lines of what that answered. */
async function fuzzedBelow(below: Below, wishes: CampaignWishes, options: FrontOptions = {}) {
  const answered = new Set<string>();
  const instead: FrontOptions['instead'] = ({ request }) => {
    const answer = below(request);
    if (answer !== undefined) answered.add(answer.toString().split('\r\n')[0] ?? '');
    return answer;
  };
  const outcome = await fuzzedBehind({ ...options, instead }, { target: everybody, ...wishes });
  return { outcome, answered };
}

/** An answer with a body, as it goes over the wire; the connection ends with it. */
function rawAnswer(status: string, contentType: string, body: string, more: readonly string[] = []): Buffer {
  const type = body === '' ? [] : [`Content-Type: ${contentType}`];
  return raw(
    status,
    [...type, `Content-Length: ${Buffer.byteLength(body)}`, ...more, 'Connection: close'],
    body,
  );
}

const text = 'text/plain; charset=utf-8';
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const routes = [
  /^\/v0\/mentions$/,
  /^\/v0\/channels$/,
  /^\/v0\/channels\/[^/]+\/(?:messages|receipts)$/,
  /^\/v1\/human\/workspaces\/[^/]+$/,
];

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0] ?? '';
}

function isDecodable(path: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(path);
}

function headerBytes({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.join('').length;
}

/** As net/http of Go: the request line is parsed first, then paths are cleaned, then routed. */
function likeGo(request: IncomingMessage): Buffer | undefined {
  const path = pathOf(request);
  if (!isDecodable(path)) return rawAnswer('400 Bad Request', text, '400 Bad Request');
  const clean = path.replaceAll(/\/+/g, '/').replaceAll(/\/\.(?=\/|$)/g, '');
  if (clean !== path) {
    const body = request.method === 'GET' ? `<a href="${clean}">Temporary Redirect</a>.\n\n` : '';
    return rawAnswer('307 Temporary Redirect', 'text/html; charset=utf-8', body, [`Location: ${clean}`]);
  }
  const decoded = decodeURIComponent(path.replaceAll(/%(?:[89a-f][0-9a-f])/gi, '?'));
  return routes.some((route) => route.test(decoded))
    ? undefined
    : rawAnswer('404 Not Found', text, '404 page not found\n');
}

/** As Starlette on uvicorn: ids that are no UUIDs are no routes, a slash too many is a redirect without a body. */
function likePython(request: IncomingMessage): Buffer | undefined {
  if (headerBytes(request) > 16_000)
    return rawAnswer('400 Bad Request', text, 'Invalid HTTP request received.');
  const path = pathOf(request);
  if (path.endsWith('/'))
    return rawAnswer('307 Temporary Redirect', text, '', [`Location: ${path.slice(0, -1)}`]);
  const ids = path.split('/').slice(3, path.startsWith('/v1') ? undefined : 4);
  const named = path.startsWith('/v1') ? ids.slice(1) : ids;
  return routes.some((route) => route.test(path)) && named.every((id) => uuid.test(id))
    ? undefined
    : rawAnswer('404 Not Found', 'application/json', '{"detail":"Not Found"}');
}

function nginxPage(status: string): Buffer {
  const body = `<html>\r\n<head><title>${status}</title></head>\r\n<body>\r\n<center><h1>${status}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  return rawAnswer(status, 'text/html', body);
}

/** As nginx in front of a service, with large bodies allowed as far as a content needs them. */
function likeNginx(request: IncomingMessage): Buffer | undefined {
  const path = pathOf(request);
  if ((request.url ?? '').length > 8_000) return nginxPage('414 Request-URI Too Large');
  if (headerBytes(request) > 8_000) return nginxPage('400 Request Header Or Cookie Too Large');
  if (Number(request.headers['content-length'] ?? 0) > 4_194_304)
    return nginxPage('413 Request Entity Too Large');
  return !isDecodable(path) || /%00/.test(path) ? nginxPage('400 Bad Request') : undefined;
}

describe.concurrent('what is answered below every handler fails nobody', () => {
  it.for([
    [
      'Go',
      likeGo,
      ['HTTP/1.1 307 Temporary Redirect', 'HTTP/1.1 400 Bad Request', 'HTTP/1.1 404 Not Found'],
      600,
    ],
    ['Python', likePython, ['HTTP/1.1 307 Temporary Redirect', 'HTTP/1.1 404 Not Found'], 600],
    ['nginx', likeNginx, ['HTTP/1.1 400 Bad Request', 'HTTP/1.1 414 Request-URI Too Large'], 700],
    ['Node', () => undefined, [], 600],
  ] as const)('by %s', async ([by, below, kinds, maxCases], { expect }) => {
    // Node answers by itself above so many bytes of headers.
    const own = by === 'Node' ? { maxHeaderSize: 8_192 } : {};
    const { outcome, answered } = await fuzzedBelow(below, { maxCases }, own);
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.leftOut).toEqual({});
    // It did answer in each of its ways.
    expect([...answered]).toEqual(expect.arrayContaining([...kinds]));
  });
});

describe('what the service itself answers', () => {
  it('is a finding where a refusal of a request of the contract is text', async () => {
    const below = ({ url = '' }: IncomingMessage): Buffer | undefined =>
      /[?&]limit=(?:0|101)(?:&|$)/.test(url) ? rawAnswer('400 Bad Request', text, 'bad limit') : undefined;
    const { outcome } = await fuzzedBelow(below, { only: ['mentions'], maxCases: 60 });
    expect(foundBy(outcome)).toEqual(['service.bodies-are-json failed']);
  });

  it('is one finding where one cause shows in every call', async () => {
    const below = ({ headers, url = '' }: IncomingMessage): Buffer | undefined =>
      headers.authorization === undefined && pathOf({ url } as IncomingMessage).startsWith('/v')
        ? rawAnswer('401 Unauthorized', 'text/html', '<h1>Unauthorized</h1>')
        : undefined;
    const { outcome } = await fuzzedBelow(below, { only: ['authentication'], maxCases: 400 });
    const [finding, ...others] = outcome.result?.findings ?? [];
    expect(others).toEqual([]);
    expect(finding?.clauses).toEqual(
      expect.arrayContaining([
        'service.bodies-are-json',
        'service.content-type-is-json',
        'auth.www-authenticate',
      ]),
    );
    expect(finding?.calls.length).toBeGreaterThan(3);
  });
});
