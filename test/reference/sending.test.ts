import { describe, expect, it } from 'vitest';
import { useReference } from './use-reference.ts';

const used = useReference();

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

  it('cannot carry a file of another workspace', async () => {
    const { channelId, foreignWorkspaceId } = used.world;
    const { id } = used.operator.uploadFile({ workspaceId: foreignWorkspaceId });
    const author = used.as('author');
    expect((await author.send(channelId, { content: 'x', attachments: [id] })).status).toBe(400);
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
});
