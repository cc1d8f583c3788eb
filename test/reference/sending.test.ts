import { describe, expect, it } from 'vitest';
import { useReference } from './use-reference.ts';

const used = useReference();

describe('content', () => {
  it.each([
    ['1 byte', 'x'],
    ['500,000 bytes in one-byte characters', 'x'.repeat(500_000)],
    ['500,000 bytes in four-byte characters', '😀'.repeat(125_000)],
    ['500,000 control characters, 3 MB as JSON', '\u0001'.repeat(500_000)],
    ['white space, unnormalised and odd text', ' \t\r\n\u2028 e\u0301 ﬁ İ \uFEFF\uFFFE '],
  ])('of %s is kept as it came', async (_name, content) => {
    const sent = await used.as('author').send(used.world.channelId, content);
    expect(sent.status).toBe(201);
    const { body } = await used.as('reader').read(used.world.channelId, '?after=0');
    expect(body.messages[0]?.content === content).toBe(true);
    expect(body.messages[0]?.size_bytes).toBe(Buffer.byteLength(content));
  });

  it.each([
    ['no bytes', '""'],
    ['500,001 bytes', JSON.stringify('x'.repeat(500_001))],
    ['500,001 bytes, the limit inside a character', JSON.stringify(`${'x'.repeat(499_998)}€`)],
    ['an unpaired high surrogate', String.raw`"a\ud83d"`],
    ['an unpaired low surrogate', String.raw`"\ude00b"`],
    ['a reversed pair', String.raw`"\ude00\ud83d"`],
    ['U+0000', String.raw`"a\u0000b"`],
    ['a number', '1'],
    ['null', 'null'],
  ])('of %s is refused and stored nowhere', async (_name, json) => {
    const refused = await used.as('author').request('POST', `/v0/channels/${used.world.channelId}/messages`, {
      body: `{"content":${json}}`,
      headers: { 'idempotency-key': 'k' },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe('invalid');
    const { body } = await used.as('author').read(used.world.channelId, '?after=0');
    expect(body.messages).toEqual([]);
  });

  it('has the type text/plain unless another is given', async () => {
    const author = used.as('author');
    const plain = await author.send(used.world.channelId, 'plain');
    const other = await author.send(used.world.channelId, {
      content: '# other',
      content_type: 'text/markdown',
    });
    expect([plain, other].map(({ body }) => body.message.content_type)).toEqual([
      'text/plain',
      'text/markdown',
    ]);
  });
});

describe('a message', () => {
  it('is answered with the message as it will be read', async () => {
    const { channelId, workspaceId, roles } = used.world;
    const sent = await used.as('author').send(channelId, 'hello');
    const read = await used.as('author').read(channelId, '?after=0');
    expect(sent.body.message).toEqual(read.body.messages[0]);
    expect(sent.body.message).toMatchObject({
      workspace_id: workspaceId,
      channel_id: channelId,
      sequence: 1,
      attachments: [],
      mentions: [],
      author: {
        id: roles.author.agentId,
        agent_host: null,
        human_user: { id: roles.author.humanUserId },
        machine: { id: roles.author.machineId },
      },
    });
  });

  it('keeps its author as captured when names change', async () => {
    const { channelId, roles } = used.world;
    const before = await used.as('author').send(channelId, 'before');
    used.operator.renameAgent(roles.author.agentId ?? '', 'Renamed agent');
    used.operator.renameHuman(roles.author.humanUserId ?? '', null);
    used.operator.renameMachine(roles.author.machineId ?? '', 'renamed-machine');
    await used.as('author').send(channelId, 'after');
    const { body } = await used.as('reader').read(channelId, '?after=0');
    expect(body.messages[0]?.author).toEqual(before.body.message.author);
    expect(body.messages[1]?.author).toMatchObject({
      display_name: 'Renamed agent',
      human_user: { display_name: null },
      machine: { display_name: 'renamed-machine' },
    });
  });

  it('has a null human and a null machine when its agent has none', async () => {
    const { body } = await used.as('apiKey').send(used.world.channelId, 'from a service');
    expect(body.message.author).toMatchObject({ human_user: null, machine: null });
  });

  it('carries up to 20 attachments, whose metadata outlives their deletion', async () => {
    const { channelId, fileIds } = used.world;
    const { id } = used.operator.uploadFile({ workspaceId: used.world.workspaceId });
    await used.as('author').send(channelId, { content: 'files', attachments: [fileIds.ready, id, id] });
    used.operator.deleteFile(id);
    const { body } = await used.as('reader').read(channelId, '?after=0');
    expect(body.messages[0]?.attachments?.map((file) => [file.id, file.status])).toEqual([
      [fileIds.ready, 'ready'],
      [id, 'deleted'],
    ]);
  });

  it.each(['deleted', 'pending', 'expired'] as const)('cannot carry a file that is %s', async (status) => {
    const attachments = [used.world.fileIds[status]];
    const { status: code } = await used
      .as('author')
      .send(used.world.channelId, { content: 'x', attachments });
    expect(code).toBe(400);
  });

  it('cannot carry a file of another workspace, nor 21 files', async () => {
    const { channelId, foreignWorkspaceId, fileIds } = used.world;
    const { id } = used.operator.uploadFile({ workspaceId: foreignWorkspaceId });
    const author = used.as('author');
    expect((await author.send(channelId, { content: 'x', attachments: [id] })).status).toBe(400);
    const ready = Array.from({ length: 21 }, () => fileIds.ready);
    expect((await author.send(channelId, { content: 'x', attachments: ready })).status).toBe(400);
    expect((await author.send(channelId, { content: 'x', attachments: ready.slice(1) })).status).toBe(201);
  });

  it('mentions only what exists in its workspace', async () => {
    const { channelId } = used.world;
    const author = used.as('author');
    const send = (mentions: unknown): Promise<number> =>
      author.send(channelId, { content: 'x', mentions }).then(({ status }) => status);
    const reader = used.target('agent', 'reader');
    expect(await send([reader, used.target('user', 'reader'), used.target('machine', 'reader')])).toBe(201);
    expect(await send([used.target('agent', 'stranger')])).toBe(400);
    expect(await send([{ kind: 'machine', id: reader.id }])).toBe(400);
    expect(await send([{ kind: 'team', id: reader.id }])).toBe(400);
    expect(await send([{ kind: 'agent', id: 'reader' }])).toBe(400);
    expect(await send([{ ...reader, name: 'x' }])).toBe(400);
    expect(await send(Array.from({ length: 20 }, () => reader))).toBe(201);
    expect(await send(Array.from({ length: 21 }, () => reader))).toBe(400);
  });

  it('bears an agent host of 1 to 80 characters', async () => {
    const send = (agentHost: unknown): Promise<number> =>
      used
        .as('author')
        .send(used.world.channelId, { content: 'x', agent_host: agentHost })
        .then(({ status }) => status);
    expect(await send('')).toBe(400);
    expect(await send('😀'.repeat(80))).toBe(201);
    expect(await send('x'.repeat(81))).toBe(400);
    expect(await send(null)).toBe(201);
  });

  it('cannot have a field that the call does not know', async () => {
    const { status } = await used.as('author').send(used.world.channelId, { content: 'x', colour: 'red' });
    expect(status).toBe(400);
  });

  it('goes to no channel that is unknown, malformed or of another workspace', async () => {
    const author = used.as('author');
    expect((await author.send(crypto.randomUUID(), 'x')).status).toBe(404);
    expect((await author.send('general', 'x')).status).toBe(400);
    expect((await author.send(used.world.foreignChannelId, 'x')).status).toBe(403);
  });
});

describe('a source session', () => {
  const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';

  it.each([
    ['provider_a', 'desktop', uuid],
    ['provider_a', 'cli', uuid],
    ['provider_b', 'cloud', 'A_-9'],
    ['provider_b', 'cli', 'new'],
    ['provider_b', 'desktop', 'x'.repeat(128)],
    ['provider_c', 'cli', uuid],
    ['provider_d', 'cli', '20240229_235959_0123af'],
    ['provider_d', 'cli', '20231231_000000_0123afff'],
  ])('of %s on %s may be %s', async (provider, surface, session_id) => {
    const session = { provider, surface, session_id };
    const { status, body } = await used
      .as('author')
      .send(used.world.channelId, { content: 'x', source_session: session });
    expect(status).toBe(201);
    expect(body.message.author.source_session).toEqual(session);
  });

  it.each([
    ['provider_a', 'cloud', uuid],
    ['provider_a', 'cli', uuid.toUpperCase()],
    ['provider_a', 'cli', `${uuid}\n`],
    ['provider_b', 'cloud', 'New'],
    ['provider_b', 'cloud', 'NEW'],
    ['provider_b', 'cli', '-x'],
    ['provider_b', 'cli', ''],
    ['provider_b', 'cli', 'x'.repeat(129)],
    ['provider_b', 'mobile', 'x'],
    ['provider_c', 'desktop', uuid],
    ['provider_c', 'cli', uuid.slice(1)],
    ['provider_d', 'cloud', '20240229_235959_0123af'],
    ['provider_d', 'cli', '20230229_235959_0123af'],
    ['provider_d', 'cli', '19000229_000000_0123af'],
    ['provider_d', 'cli', '20240431_000000_0123af'],
    ['provider_d', 'cli', '20240001_000000_0123af'],
    ['provider_d', 'cli', '20240100_000000_0123af'],
    ['provider_d', 'cli', '20240101_240000_0123af'],
    ['provider_d', 'cli', '20240101_006000_0123af'],
    ['provider_d', 'cli', '20240101_000000_0123AF'],
    ['provider_d', 'cli', '20240101_000000_0123af0'],
    ['provider_e', 'cli', uuid],
  ])('of %s on %s cannot be %j', async (provider, surface, session_id) => {
    const { status } = await used
      .as('author')
      .send(used.world.channelId, { content: 'x', source_session: { provider, surface, session_id } });
    expect(status).toBe(400);
  });

  it('cannot have a URL, another field or a missing one', async () => {
    const send = (source_session: unknown): Promise<number> =>
      used
        .as('author')
        .send(used.world.channelId, { content: 'x', source_session })
        .then(({ status }) => status);
    const session = { provider: 'provider_b', surface: 'cli', session_id: 'x' };
    expect(await send(session)).toBe(201);
    expect(await send({ ...session, url: 'https://example.test' })).toBe(400);
    expect(await send({ ...session, session_id: undefined })).toBe(400);
    expect(await send({ ...session, session_id: 'https://example.test' })).toBe(400);
    expect(await send(null)).toBe(400);
  });
});

describe('an idempotency key', () => {
  it('is needed, and is 1 to 255 characters', async () => {
    const path = `/v0/channels/${used.world.channelId}/messages`;
    const post = (headers: Record<string, string>): Promise<number> =>
      used
        .as('author')
        .request('POST', path, { body: { content: 'x' }, headers })
        .then(({ status }) => status);
    expect(await post({})).toBe(400);
    expect(await post({ 'idempotency-key': '' })).toBe(400);
    expect(await post({ 'idempotency-key': 'k'.repeat(256) })).toBe(400);
    expect(await post({ 'idempotency-key': 'k'.repeat(255) })).toBe(201);
  });

  it('answers an equal body as before and sends nothing', async () => {
    const { channelId } = used.world;
    const author = used.as('author');
    const first = await author.request('POST', `/v0/channels/${channelId}/messages`, {
      body: '{"content":"x","content_type":"text/plain"}',
      headers: { 'idempotency-key': 'same' },
    });
    const again = await author.request('POST', `/v0/channels/${channelId}/messages`, {
      body: '{ "content_type": "text/plain", "content": "\\u0078" }',
      headers: { 'idempotency-key': 'same' },
    });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect((await author.read(channelId, '?after=0')).body.messages).toHaveLength(1);
  });

  it('conflicts with another body, which is stored nowhere', async () => {
    const { channelId } = used.world;
    const author = used.as('author');
    await author.send(channelId, 'first', 'same');
    const conflict = await author.send(channelId, 'second', 'same');
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 'conflict']);
    const { body } = await author.read(channelId, '?after=0');
    expect(body.messages.map(({ content }) => content)).toEqual(['first']);
  });

  it('is one of the agent in the channel', async () => {
    const { channelId, secondChannelId } = used.world;
    await used.as('author').send(channelId, 'first', 'same');
    expect((await used.as('author').send(secondChannelId, 'second', 'same')).status).toBe(201);
    expect((await used.as('reader').send(channelId, 'third', 'same')).status).toBe(201);
  });

  it('of a refused body is still free', async () => {
    const { channelId } = used.world;
    expect((await used.as('author').send(channelId, '', 'same')).status).toBe(400);
    expect((await used.as('author').send(channelId, 'x', 'same')).status).toBe(201);
  });

  it('that is used many times at once sends one message', async () => {
    const { channelId } = used.world;
    const author = used.as('author');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => author.send(channelId, 'once', 'same')),
    );
    expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
    expect((await author.read(channelId, '?after=0')).body.messages).toHaveLength(1);
  });
});
