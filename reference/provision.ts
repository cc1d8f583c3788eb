import { createHash } from 'node:crypto';
import type { WorkspaceFile } from '../spec/generated/types.ts';
import type { Agent, Credential } from './model/principals.ts';
import type { FileStatus } from './model/resources.ts';
import { type Role, type RoleName, roleNames, type World } from './model/world.ts';
import type { Service } from './service/service.ts';
import type { KeptWorld } from './store/store.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Machine tokens expire; this is long enough for a data file that is served again after months. */
const machineTokenLifetimeMs = 365 * dayMs;

/** What takes up new workspaces, agents and files. */
type Provided = Pick<Service, 'store' | 'sources'>;

/** Creates a fresh workspace, a foreign one beside it, and somebody in every role. */
export function provision(at: Provided): World {
  return at.store.transaction(() => {
    const home = provisionWorkspace(at);
    const foreign = provisionWorkspace(at);
    const world: World = {
      workspaceId: home.workspaceId,
      channelId: home.channelId,
      secondChannelId: home.secondChannelId,
      foreignWorkspaceId: foreign.workspaceId,
      foreignChannelId: foreign.channelId,
      roles: { ...home.roles, stranger: foreign.roles.author },
      fileIds: provisionFiles(at, home.workspaceId, home.roles.author),
    };
    at.store.worlds.add(world);
    return world;
  });
}

/**
 * A world of a data file, with new tokens for everybody in it: the old ones, which still hold, are nowhere to be read. What
 * was revoked or has expired meanwhile is as at the beginning.
 */
export function reopened(at: Provided, world: KeptWorld): World {
  return at.store.transaction(() => {
    const roles = Object.fromEntries(
      roleNames.map((name): [RoleName, Role] => [
        name,
        { ...world.roles[name], ...reissue(at, name, world) },
      ]),
    );
    return { ...world, roles: roles as World['roles'] };
  });
}

function reissue(at: Provided, name: RoleName, { roles }: KeptWorld): { token: string } {
  const { agentId = null, machineId = null } = roles[name];
  if (name === 'machine') return issue(at, machineCredential(at, machineId));
  if (name === 'expired') return issue(at, { kind: 'agent', agentId, expiresAtMs: at.sources.now() - dayMs });
  if (name === 'revoked') return issue(at, { kind: 'agent', agentId, isRevoked: true });
  return issue(at, { kind: name === 'apiKey' ? 'api_key' : 'agent', agentId });
}

function machineCredential(
  at: Provided,
  machineId: string | null,
): Pick<Credential, 'kind' | 'machineId' | 'expiresAtMs'> {
  return { kind: 'machine', machineId, expiresAtMs: at.sources.now() + machineTokenLifetimeMs };
}

/** Adds an agent with a token to a workspace; without a human and a machine unless `links` names them. */
export function provisionAgent(
  at: Provided,
  workspaceId: string,
  displayName: string,
  links: { readonly humanUserId?: string; readonly machineId?: string } = {},
  credential: Partial<Credential> = {},
): Role {
  const agent: Agent = {
    id: at.sources.id(),
    workspaceId,
    displayName,
    humanUserId: links.humanUserId ?? null,
    machineId: links.machineId ?? null,
    hasAccess: true,
  };
  at.store.directory.addAgent(agent);
  return {
    ...issue(at, { kind: 'agent', agentId: agent.id, ...credential }),
    ...links,
    agentId: agent.id,
  };
}

/** Adds an agent with an API key that expires tomorrow. */
export function provisionExpiringKey(at: Provided, workspaceId: string): Role {
  const expiresAtMs = at.sources.now() + dayMs;
  return provisionAgent(at, workspaceId, 'Expiring service agent', {}, { kind: 'api_key', expiresAtMs });
}

/** Adds an agent with a token that expires after so many seconds. */
export function provisionShortLivedAgent(at: Provided, workspaceId: string, seconds: number): Role {
  const expiresAtMs = at.sources.now() + 1_000 * seconds;
  return provisionAgent(at, workspaceId, 'Short-lived agent', {}, { expiresAtMs });
}

/** Adds a file in any state; only a ready one has bytes. */
export function provisionFile(
  at: Provided,
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
  const now = new Date(at.sources.now()).toISOString();
  const added: WorkspaceFile = {
    id: at.sources.id(),
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
  at.store.files.add(added, status === 'ready' ? content : null);
  return added;
}

type HomeRoles = Omit<World['roles'], 'stranger'>;

function provisionWorkspace(
  at: Provided,
): Pick<World, 'workspaceId' | 'channelId' | 'secondChannelId'> & { roles: HomeRoles } {
  const workspaceId = at.sources.id();
  const now = at.sources.now();
  const slug = `workspace-${workspaceId.slice(0, 8)}`;
  at.store.workspaces.addWorkspace(workspaceId, slug, 'Reference workspace', 'Made for testing.', now, now);
  const roles = provisionRoles(at, workspaceId);
  const { agentId: by } = roles.author;
  const channelId = provisionChannel(at, workspaceId, 'general', { isDefault: true, by });
  const secondChannelId = provisionChannel(at, workspaceId, 'second', { by });
  for (const { agentId } of [roles.author, roles.reader, roles.peer, roles.apiKey]) {
    if (agentId !== undefined) at.store.workspaces.join(channelId, agentId);
  }
  if (roles.author.agentId !== undefined) at.store.workspaces.join(secondChannelId, roles.author.agentId);
  return { workspaceId, channelId, secondChannelId, roles };
}

/** Adds a shared channel that nobody has joined yet; gives its id. */
export function provisionChannel(
  at: Provided,
  workspaceId: string,
  name: string,
  { isDefault = false, by }: { readonly isDefault?: boolean; readonly by: string | undefined },
): string {
  const id = at.sources.id();
  const now = at.sources.now();
  at.store.workspaces.addChannel(
    id,
    workspaceId,
    name,
    `#${name}`,
    '',
    'shared',
    isDefault ? 1 : 0,
    now,
    now,
    by ?? null,
  );
  return id;
}

function provisionRoles(at: Provided, workspaceId: string): HomeRoles {
  const author = provisionPerson(at, workspaceId, 'Ada', 'Author', 'member');
  const reader = provisionPerson(at, workspaceId, 'Rhea', 'Reader', 'owner');
  provisionFormerMember(at, workspaceId);
  const readerRole = provisionAgent(at, workspaceId, 'Reader agent', reader);
  const readersAgent = { kind: 'agent', agentId: readerRole.agentId ?? null } as const;
  const outsider = provisionAgent(at, workspaceId, 'Outsider agent');
  if (outsider.agentId !== undefined) at.store.directory.setAccess(0, outsider.agentId);
  return {
    author: provisionAgent(at, workspaceId, 'Author agent', author),
    reader: readerRole,
    peer: provisionAgent(at, workspaceId, 'Peer agent', reader),
    outsider,
    expired: { ...readerRole, ...issue(at, { ...readersAgent, expiresAtMs: at.sources.now() - dayMs }) },
    revoked: { ...readerRole, ...issue(at, { ...readersAgent, isRevoked: true }) },
    apiKey: provisionAgent(at, workspaceId, 'Service agent', {}, { kind: 'api_key' }),
    machine: {
      ...reader,
      ...issue(at, machineCredential(at, reader.machineId)),
    },
  };
}

/** A member with a machine. Its identity provider gave no name for the owner, so that null names occur. */
function provisionPerson(
  at: Provided,
  workspaceId: string,
  firstName: string,
  lastName: string,
  role: string,
): { humanUserId: string; machineId: string } {
  const humanUserId = provisionMember(at, workspaceId, firstName, lastName, role);
  const machineId = provisionMachine(at, workspaceId, humanUserId, `${firstName.toLowerCase()}-machine`);
  return { humanUserId, machineId };
}

/** Adds an active machine of a human; gives its id. */
export function provisionMachine(
  at: Provided,
  workspaceId: string,
  humanUserId: string,
  displayName: string,
): string {
  const id = at.sources.id();
  at.store.directory.addMachine({ id, workspaceId, humanUserId, displayName, isActive: true });
  return id;
}

/** A token more of a machine. */
export function provisionMachineToken(at: Provided, machineId: string): string {
  return issue(at, machineCredential(at, machineId)).token;
}

/** Makes a human a member of another workspace, too. */
export function provisionMembership(at: Provided, workspaceId: string, humanUserId: string): void {
  const now = at.sources.now();
  at.store.workspaces.addMembership(at.sources.id(), workspaceId, humanUserId, 'member', now, now, now);
}

function provisionFormerMember(at: Provided, workspaceId: string): void {
  const humanUserId = provisionMember(at, workspaceId, 'Fay', 'Former', 'member');
  at.store.workspaces.setMembershipStatus('removed', workspaceId, humanUserId);
}

/** Adds a human who is an active member; gives its id. */
export function provisionMember(
  at: Provided,
  workspaceId: string,
  firstName: string,
  lastName: string,
  role: string,
): string {
  const id = at.sources.id();
  const now = at.sources.now();
  at.store.directory.addHuman({
    id,
    displayName: role === 'owner' ? null : `${firstName} ${lastName}`,
    email: `${firstName.toLowerCase()}.${id.slice(0, 8)}@example.test`,
    firstName,
    lastName,
  });
  at.store.workspaces.addMembership(at.sources.id(), workspaceId, id, role, now, now, now);
  return id;
}

function provisionFiles(at: Provided, workspaceId: string, author: Role): World['fileIds'] {
  const content = Buffer.from('A file of the reference workspace.\n');
  const by = author.agentId === undefined ? undefined : at.store.directory.agent(author.agentId);
  const add = (status: FileStatus): string =>
    provisionFile(at, workspaceId, { filename: `${status}.txt`, content, status, ...(by && { by }) }).id;
  return { ready: add('ready'), deleted: add('deleted'), pending: add('pending'), expired: add('expired') };
}

const prefixes: Readonly<Record<Credential['kind'], string>> = {
  agent: 'agent',
  api_key: 'key',
  machine: 'machine',
};

function issue(at: Provided, given: Partial<Credential> & Pick<Credential, 'kind'>): { token: string } {
  const token = `${prefixes[given.kind]}_${at.sources.secret()}`;
  at.store.directory.addCredential({
    agentId: null,
    machineId: null,
    expiresAtMs: null,
    isRevoked: false,
    ...given,
    token,
  });
  return { token };
}
