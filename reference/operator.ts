import type { MentionTarget, WorkspaceFile } from '../spec/generated/types.ts';
import type { Agent } from './model/principals.ts';
import type { FileStatus } from './model/resources.ts';
import type { Settings } from './model/settings.ts';
import type { Role, World } from './model/world.ts';
import {
  provision,
  provisionAgent,
  provisionChannel,
  provisionExpiringKey,
  provisionFile,
  provisionMachine,
  provisionMachineToken,
  provisionMember,
  provisionMembership,
  provisionShortLivedAgent,
} from './provision.ts';
import { captureAuthor } from './sending/append-message.ts';
import type { SentFields } from './sending/draft.ts';
import type { Service } from './service/service.ts';
import { targetKey } from './service/streams.ts';
import { idPlace, numberDigits, numberPlace } from './store/seed.ts';

/** A file to put into a workspace. */
export interface FileUpload {
  readonly workspaceId: string;
  readonly filename?: string;
  /** Plain text when omitted. */
  readonly contentType?: string;
  readonly content?: Buffer | string;
  /** `ready` when omitted. */
  readonly status?: FileStatus;
  /** Who it is said to come from; nobody when omitted. */
  readonly by?: Pick<Agent, 'id' | 'humanUserId'>;
}

/** What the people who run a service can do to it, past its interface. All of it takes effect at once. */
export interface Operator {
  revoke(token: string): void;
  expire(token: string): void;
  renameAgent(agentId: string, displayName: string): void;
  /** A null name is what an identity provider without a name leaves; another one is the member's first and last name too. */
  renameHuman(humanUserId: string, displayName: string | null): void;
  renameMachine(machineId: string, displayName: string): void;
  /** Takes an agent's access to its workspace away, leaving its credentials valid. */
  deactivateMembership(agentId: string): void;
  restoreMembership(agentId: string): void;
  /** Ends the active lifecycle of a machine profile. */
  deactivateMachine(machineId: string): void;
  restoreMachine(machineId: string): void;
  /** Ends a person's active membership of a workspace. */
  deactivateHuman(workspaceId: string, humanUserId: string): void;
  restoreHuman(workspaceId: string, humanUserId: string): void;
  uploadFile(upload: FileUpload): WorkspaceFile;
  deleteFile(fileId: string): void;
  /** A fresh workspace with a foreign one beside it and new credentials for every role. */
  provision(): World;
  /** One more agent in a workspace, without a human and a machine unless they are named. */
  addAgent(workspaceId: string, links?: { readonly humanUserId?: string; readonly machineId?: string }): Role;
  /** An API key more, which expires tomorrow. */
  addApiKey(workspaceId: string): Role;
  /** One more agent, whose token is good for so many seconds. */
  addShortLivedAgent(workspaceId: string, seconds: number): Role;
  /** A shared channel more, made by an agent; gives its id. */
  addChannel(workspaceId: string, agentId: string | undefined): string;
  /** A human more who is an active member; gives its id. */
  addMember(workspaceId: string): string;
  /** A machine more of a human; gives its id. */
  addMachine(workspaceId: string, humanUserId: string): string;
  /** A token more of a machine. */
  addMachineToken(machineId: string): string;
  /** Makes a human of one workspace an active member of another one, too. */
  joinWorkspace(workspaceId: string, humanUserId: string): void;
  /** The agent that a token stands for. */
  agentOf(token: string): Agent | undefined;
  /** Requests per second that a credential may make, all others being left alone; `null` lifts it. */
  limitRequests(token: string, perSecond: number | null): void;
  /** Gives the main channel of a world a history of so many short messages, each fiftieth of which mentions its reader. */
  seedMessages(world: World, count: number): void;
  setLimit<Name extends keyof Settings>(name: Name, value: Settings[Name]): void;
  /**
   * Closes every connection and the data file, then serves the same address again. A service in memory keeps what
   * it knows.
   */
  restart(): Promise<void>;
}

/** The operator of a running service; `restart` is what the server itself has to do for it. */
export function operatorOf(service: Service, restart: () => Promise<void>): Operator {
  const directory = (): Service['store']['directory'] => service.store.directory;
  const workspaces = (): Service['store']['workspaces'] => service.store.workspaces;
  return {
    revoke: (token) => void directory().revoke(token),
    expire: (token) => void directory().setExpiry(service.sources.now() - 1, token),
    renameAgent: (id, displayName) => void directory().renameAgent(displayName, asStored(id)),
    renameHuman: (id, displayName) => {
      directory().renameHuman(displayName, asStored(id));
      if (displayName === null || !service.rules.renamesMember()) return;
      const [firstName = '', ...others] = displayName.split(' ');
      directory().setNamesOfHuman(firstName, others.join(' '), asStored(id));
    },
    renameMachine: (id, displayName) => void directory().renameMachine(displayName, asStored(id)),
    deactivateMembership: (agentId) => void directory().setAccess(0, asStored(agentId)),
    restoreMembership: (agentId) => void directory().setAccess(1, asStored(agentId)),
    deactivateMachine: (id) => void directory().setMachineActive(0, asStored(id)),
    restoreMachine: (id) => void directory().setMachineActive(1, asStored(id)),
    deactivateHuman: (workspaceId, id) =>
      void workspaces().setMembershipStatus('removed', asStored(workspaceId), asStored(id)),
    restoreHuman: (workspaceId, id) =>
      void workspaces().setMembershipStatus('active', asStored(workspaceId), asStored(id)),
    uploadFile: ({ workspaceId, filename = 'upload.txt', content = 'uploaded\n', ...upload }) =>
      provisionFile(service, asStored(workspaceId), {
        ...upload,
        filename,
        content: Buffer.from(content),
      }),
    deleteFile: (fileId) => service.store.files.remove(asStored(fileId)),
    provision: () => provision(service),
    addAgent: (workspaceId, links) => provisionAgent(service, asStored(workspaceId), 'Added agent', links),
    addApiKey: (workspaceId) => provisionExpiringKey(service, asStored(workspaceId)),
    addShortLivedAgent: (workspaceId, seconds) =>
      provisionShortLivedAgent(service, asStored(workspaceId), seconds),
    addChannel: (workspaceId, by) => provisionChannel(service, asStored(workspaceId), 'added', { by }),
    addMember: (workspaceId) => provisionMember(service, asStored(workspaceId), 'Max', 'Member', 'member'),
    addMachine: (workspaceId, humanUserId) =>
      provisionMachine(service, asStored(workspaceId), asStored(humanUserId), 'added-machine'),
    addMachineToken: (machineId) => provisionMachineToken(service, asStored(machineId)),
    joinWorkspace: (workspaceId, humanUserId) =>
      provisionMembership(service, asStored(workspaceId), asStored(humanUserId)),
    agentOf: (token) => {
      const agentId = directory().credential(token)?.agentId;
      return typeof agentId === 'string' ? directory().agent(agentId) : undefined;
    },
    limitRequests: (token, perSecond) => {
      service.quotas.limitRequests(directory().credential(token)?.agentId ?? token, perSecond);
    },
    seedMessages: (world, count) => seedMessages(service, world, count),
    setLimit: (name, value) => {
      service.settings[name] = value;
    },
    restart,
  };
}

/** A UUID is the same in either letter case; the store keeps it in lower case. */
function asStored(id: string): string {
  return id.toLowerCase();
}

/** Of so many messages one mentions the reader. */
const mentionEvery = 50;

/**
 * Gives the main channel of a world a history of `count` short messages by its author, each fiftieth of which mentions
 * its reader, as if they had been sent long ago. A million take about ten seconds and a gigabyte.
 * @throws when the world lacks an author or a reader
 */
function seedMessages(service: Service, { channelId, workspaceId, roles }: World, count: number): void {
  const { rules, store, sources } = service;
  const author = store.directory.agent(roles.author.agentId ?? '');
  const readerId = roles.reader.agentId;
  if (author === undefined || readerId === undefined) throw new Error('there is no author, or no reader');
  if (count === 0) return;
  const content = `a message of the history, number ${numberPlace}`;
  const sizeBytes = content.length - numberPlace.length + numberDigits;
  const committedMs = sources.now();
  const target: MentionTarget = { kind: 'agent', id: readerId };
  const draft: SentFields = {
    content,
    contentType: 'text/plain',
    mentions: [],
    attachments: [],
    sourceSession: null,
    agentHost: null,
  };
  const documentOf = (mentions: readonly MentionTarget[]): string =>
    JSON.stringify({
      id: idPlace,
      workspace_id: workspaceId,
      channel_id: channelId,
      author: captureAuthor(service, author, draft),
      content_type: draft.contentType,
      content,
      size_bytes: sizeBytes,
      created_at: new Date(committedMs).toISOString(),
      attachments: [],
      mentions,
    });
  store.transaction(() => {
    const lastSequence = store.workspaces.channel(channelId)?.lastSequence ?? null;
    const lastEvent = store.workspaces.lastEvent(workspaceId);
    const event =
      lastEvent === null ? rules.firstEventSequence() : rules.nextEventSequence(lastEvent, workspaceId);
    const sequence = lastSequence === null ? rules.firstChannelSequence(channelId, event) : lastSequence + 1n;
    store.seed({
      workspaceId,
      channelId,
      authorId: author.id,
      count,
      sizeBytes,
      committedMs,
      sequence,
      event,
      idPrefix: sources.id().slice(0, 24),
      plain: documentOf([]),
      mentioning: documentOf([target]),
      mentionEvery,
      mentionKey: targetKey(target),
    });
    store.workspaces.setLastSequence(sequence + BigInt(count) - 1n, channelId);
    store.workspaces.setLastEvent(event + BigInt(count) - 1n, workspaceId);
  });
}
