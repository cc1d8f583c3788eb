import { describe, expect, it } from 'vitest';
import { useReference } from './use-reference.ts';

const used = useReference();

describe('the agent surface', () => {
  it.each(['expired', 'revoked', 'machine'] as const)(
    'refuses the %s credential with a challenge',
    async (role) => {
      const { status, headers, body } = await used.as(role).get('/v0/mentions');
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="messaging", error="invalid_token"');
      expect(body.error.code).toBe('unauthenticated');
    },
  );

  it.each([
    [undefined, 'Bearer realm="messaging"'],
    ['', 'Bearer realm="messaging", error="invalid_request"'],
    ['Bearer', 'Bearer realm="messaging", error="invalid_request"'],
    ['Basic dXNlcjpwYXNz', 'Bearer realm="messaging", error="invalid_request"'],
    ['Bearer two words', 'Bearer realm="messaging", error="invalid_request"'],
    ['Bearer nobody-knows-me', 'Bearer realm="messaging", error="invalid_token"'],
  ])('refuses the header %j', async (authorization, challenge) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const got = await used.nobody.request('GET', '/v0/mentions', { headers });
    expect([got.status, got.headers.get('www-authenticate')]).toEqual([401, challenge]);
  });

  it('takes the scheme in any letter case', async () => {
    const headers = { authorization: `bEARER ${used.world.roles.reader.token}` };
    expect((await used.nobody.request('GET', '/v0/mentions', { headers })).status).toBe(200);
  });

  it('answers 429 with Retry-After past the rate of an agent, and only to that agent', async () => {
    used.operator.setLimit('requestsPerSecond', 2);
    try {
      const answers = await Promise.all(Array.from({ length: 5 }, () => used.as('reader').mentions()));
      const limited = answers.filter(({ status }) => status === 429);
      expect(limited.length).toBeGreaterThanOrEqual(2);
      expect(limited[0]?.headers.get('retry-after')).toBe('1');
      expect((await used.as('author').mentions()).status).toBe(200);
    } finally {
      used.operator.setLimit('requestsPerSecond', null);
    }
  });
});

describe('what needs no credential', () => {
  it.each(['/health', '/capabilities'])('is %s', async (path) => {
    expect((await used.nobody.get(path)).status).toBe(200);
  });
});

describe('the workspace overview', () => {
  const path = (workspaceId = used.world.workspaceId): string => `/v1/human/workspaces/${workspaceId}`;

  it('is refused for a malformed id with 400 and for any other workspace with 403', async () => {
    const machine = used.as('machine');
    expect((await machine.get(path('general'))).status).toBe(400);
    expect((await machine.get(path(used.world.foreignWorkspaceId))).status).toBe(403);
    expect((await machine.get(path(crypto.randomUUID()))).status).toBe(403);
  });
});

describe('files', () => {
  interface FileBody {
    file: { id: string; status: string; size_bytes: number; sha256: string };
  }

  it('are uploaded, described and downloaded by any agent of the workspace', async () => {
    const content = Buffer.from('some bytes').toString('base64');
    const uploaded = await used.as('author').request<FileBody>('POST', '/v0/files', {
      body: { filename: 'a.txt', content_type: 'text/plain', content },
    });
    expect(uploaded.status).toBe(201);
    const { id } = uploaded.body.file;
    expect((await used.as('reader').get<FileBody>(`/v0/files/${id}`)).body).toEqual(uploaded.body);
    expect((await used.as('reader').get(`/v0/files/${id}/content`)).body).toBe('some bytes');
    expect((await used.as('stranger').get(`/v0/files/${id}`)).status).toBe(403);
    expect((await used.as('author').get(`/v0/files/${crypto.randomUUID()}`)).status).toBe(404);
  });

  it.each(['deleted', 'pending', 'expired'] as const)(
    'that are %s are described, not downloaded',
    async (status) => {
      const id = used.world.fileIds[status];
      expect((await used.as('reader').get<FileBody>(`/v0/files/${id}`)).body.file.status).toBe(status);
      expect((await used.as('reader').get(`/v0/files/${id}/content`)).status).toBe(410);
    },
  );

  it('have names of 1 to 255 characters and at least one byte', async () => {
    const upload = (filename: string, content: string): Promise<number> =>
      used
        .as('author')
        .request('POST', '/v0/files', { body: { filename, content } })
        .then(({ status }) => status);
    expect(await upload('', 'eA==')).toBe(400);
    expect(await upload('😀'.repeat(255), 'eA==')).toBe(201);
    expect(await upload('x'.repeat(256), 'eA==')).toBe(400);
    expect(await upload('x', '')).toBe(400);
    expect(await upload('x', 'not base64!')).toBe(400);
  });
});
