import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { WorkspaceFile } from '../../spec/generated/types.ts';
import type { Agent, Credential } from '../model/principals.ts';
import type { FileStatus } from '../model/resources.ts';
import type { Store } from '../store/store.ts';
import { roleNames } from '../model/world.ts';
import type { Role, RoleName, World } from '../model/world.ts';
import type { KeptWorld } from '../store/worlds.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Machine tokens expire; this is long enough for a data file that is served again after months. */
const machineTokenLifetimeMs = 365 * dayMs;

/** Creates a fresh workspace, a foreign one beside it, and somebody in every role. */
export function provision(store: Store): World {
  return store.transaction(() => {
    const home = provisionWorkspace(store);
    const foreign = provisionWorkspace(store);
    const world: World = {
      workspaceId: home.workspaceId,
      channelId: home.channelId,
      secondChannelId: home.secondChannelId,
      foreignWorkspaceId: foreign.workspaceId,
      foreignChannelId: foreign.channelId,
      roles: { ...home.roles, stranger: foreign.roles.author },
      fileIds: provisionFiles(store, home.workspaceId, home.roles.author),
    };
    store.worlds.add(world);
    return world;
  });
}

/**
 * A world of a data file, with new tokens for everybody in it: the old ones, which still hold, are nowhere to be read. What
 * was revoked or has expired meanwhile is as at the beginning.
 */
export function reopened(store: Store, world: KeptWorld): World {
  return store.transaction(() => {
    const roles = Object.fromEntries(
      roleNames.map((name): [RoleName, Role] => [
        name,
        { ...world.roles[name], ...reissue(store, name, world) },
      ]),
    );
    return { ...world, roles: roles as World['roles'] };
  });
}

function reissue(store: Store, name: RoleName, { roles }: KeptWorld): { token: string } {
  const { agentId = null, machineId = null } = roles[name];
  if (name === 'machine') return issue(store, machineCredential(machineId));
  if (name === 'expired') return issue(store, { kind: 'agent', agentId, expiresAtMs: Date.now() - dayMs });
  if (name === 'revoked') return issue(store, { kind: 'agent', agentId, isRevoked: true });
  return issue(store, { kind: name === 'apiKey' ? 'api_key' : 'agent', agentId });
}

function machineCredential(machineId: string | null): Pick<Credential, 'kind' | 'machineId' | 'expiresAtMs'> {
  return { kind: 'machine', machineId, expiresAtMs: Date.now() + machineTokenLifetimeMs };
}

/** Adds an agent with a token to a workspace; without a human and a machine unless `links` names them. */
export function provisionAgent(
  store: Store,
  workspaceId: string,
  displayName: string,
  links: { readonly humanUserId?: string; readonly machineId?: string } = {},
  credential: Partial<Credential> = {},
): Role {
  const agent: Agent = {
    id: randomUUID(),
    workspaceId,
    displayName,
    humanUserId: links.humanUserId ?? null,
    machineId: links.machineId ?? null,
    hasAccess: true,
  };
  store.directory.addAgent(agent);
  return {
    ...issue(store, { kind: 'agent', agentId: agent.id, ...credential }),
    ...links,
    agentId: agent.id,
  };
}

/** Adds a file in any state; only a ready one has bytes. */
export function provisionFile(
  store: Store,
  workspaceId: string,
  file: {
    readonly filename: string;
    readonly contentType?: string;
    readonly content: Buffer;
    readonly status?: FileStatus;
    readonly by?: Pick<Agent, 'id' | 'humanUserId'>;
  },
): WorkspaceFile {
  const { filename, contentType = 'text/plain', content, status = 'ready', by } = file;
  const now = new Date().toISOString();
  const added: WorkspaceFile = {
    id: randomUUID(),
    workspace_id: workspaceId,
    filename,
    content_type: contentType,
    size_bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    status,
    created_at: now,
    uploaded_at: status === 'pending' || status === 'expired' ? null : now,
    created_by_agent_id: by?.id ?? null,
    created_by_human_user_id: by?.humanUserId ?? null,
  };
  store.files.add(added, status === 'ready' ? content : null);
  return added;
}

type HomeRoles = Omit<World['roles'], 'stranger'>;

function provisionWorkspace(
  store: Store,
): Pick<World, 'workspaceId' | 'channelId' | 'secondChannelId'> & { roles: HomeRoles } {
  const workspaceId = randomUUID();
  const now = Date.now();
  const slug = `workspace-${workspaceId.slice(0, 8)}`;
  store.workspaces.addWorkspace(workspaceId, slug, 'Reference workspace', 'Made for testing.', now, now);
  const roles = provisionRoles(store, workspaceId);
  const [channelId, secondChannelId] = ['general', 'second'].map((name, index) => {
    const id = randomUUID();
    store.workspaces.addChannel(
      id,
      workspaceId,
      name,
      `#${name}`,
      '',
      'shared',
      index === 0 ? 1 : 0,
      now,
      now,
      roles.author.agentId ?? null,
    );
    return id;
  }) as [string, string];
  for (const { agentId } of [roles.author, roles.reader, roles.peer, roles.apiKey]) {
    if (agentId !== undefined) store.workspaces.join(channelId, agentId);
  }
  if (roles.author.agentId !== undefined) store.workspaces.join(secondChannelId, roles.author.agentId);
  return { workspaceId, channelId, secondChannelId, roles };
}

function provisionRoles(store: Store, workspaceId: string): HomeRoles {
  const author = provisionPerson(store, workspaceId, 'Ada', 'Author', 'member');
  const reader = provisionPerson(store, workspaceId, 'Rhea', 'Reader', 'owner');
  provisionFormerMember(store, workspaceId);
  const readerRole = provisionAgent(store, workspaceId, 'Reader agent', reader);
  const readersAgent = { kind: 'agent', agentId: readerRole.agentId ?? null } as const;
  const outsider = provisionAgent(store, workspaceId, 'Outsider agent');
  if (outsider.agentId !== undefined) store.directory.setAccess(0, outsider.agentId);
  return {
    author: provisionAgent(store, workspaceId, 'Author agent', author),
    reader: readerRole,
    peer: provisionAgent(store, workspaceId, 'Peer agent', reader),
    outsider,
    expired: { ...readerRole, ...issue(store, { ...readersAgent, expiresAtMs: Date.now() - dayMs }) },
    revoked: { ...readerRole, ...issue(store, { ...readersAgent, isRevoked: true }) },
    apiKey: provisionAgent(store, workspaceId, 'Service agent', {}, { kind: 'api_key' }),
    machine: {
      ...reader,
      ...issue(store, machineCredential(reader.machineId)),
    },
  };
}

/** A member with a machine. Its identity provider gave no name for the owner, so that null names occur. */
function provisionPerson(
  store: Store,
  workspaceId: string,
  firstName: string,
  lastName: string,
  role: string,
): { humanUserId: string; machineId: string } {
  const humanUserId = addMember(store, workspaceId, firstName, lastName, role);
  const machineId = randomUUID();
  const displayName = `${firstName.toLowerCase()}-machine`;
  store.directory.addMachine({ id: machineId, workspaceId, humanUserId, displayName, isActive: true });
  return { humanUserId, machineId };
}

function provisionFormerMember(store: Store, workspaceId: string): void {
  const humanUserId = addMember(store, workspaceId, 'Fay', 'Former', 'member');
  store.workspaces.setMembershipStatus('removed', workspaceId, humanUserId);
}

function addMember(
  store: Store,
  workspaceId: string,
  firstName: string,
  lastName: string,
  role: string,
): string {
  const id = randomUUID();
  const now = Date.now();
  store.directory.addHuman({
    id,
    displayName: role === 'owner' ? null : `${firstName} ${lastName}`,
    email: `${firstName.toLowerCase()}.${id.slice(0, 8)}@example.test`,
    firstName,
    lastName,
  });
  store.workspaces.addMembership(randomUUID(), workspaceId, id, role, now, now, now);
  return id;
}

function provisionFiles(store: Store, workspaceId: string, author: Role): World['fileIds'] {
  const content = Buffer.from('A file of the reference workspace.\n');
  const by = author.agentId === undefined ? undefined : store.directory.agent(author.agentId);
  const add = (status: FileStatus): string =>
    provisionFile(store, workspaceId, { filename: `${status}.txt`, content, status, ...(by && { by }) }).id;
  return { ready: add('ready'), deleted: add('deleted'), pending: add('pending'), expired: add('expired') };
}

const prefixes: Readonly<Record<Credential['kind'], string>> = {
  agent: 'agent',
  api_key: 'key',
  machine: 'machine',
};

function issue(store: Store, given: Partial<Credential> & Pick<Credential, 'kind'>): { token: string } {
  const token = `${prefixes[given.kind]}_${randomBytes(24).toString('base64url')}`;
  store.directory.addCredential({
    agentId: null,
    machineId: null,
    expiresAtMs: null,
    isRevoked: false,
    ...given,
    token,
  });
  return { token };
}
