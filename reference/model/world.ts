/** The parts that a tester can play. */
export const roleNames = [
  'author',
  'reader',
  'peer',
  'stranger',
  'outsider',
  'expired',
  'revoked',
  'apiKey',
  'machine',
] as const;

export type RoleName = (typeof roleNames)[number];

/** A credential and whom it stands for. */
export interface Role {
  readonly token: string;
  readonly agentId?: string;
  readonly humanUserId?: string;
  readonly machineId?: string;
}

/**
 * One provisioned workspace with somebody in every role. The reader has joined the main channel only; the peer is
 * another agent of the reader's human and machine; the author has a human and a machine of its own; the stranger
 * belongs to the foreign workspace; the outsider has lost its access; the expired and the revoked token are the
 * reader's; the machine profile is the reader's.
 */
export interface World {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly secondChannelId: string;
  readonly foreignWorkspaceId: string;
  readonly foreignChannelId: string;
  readonly roles: Readonly<Record<RoleName, Role>>;
  /** One file of the workspace in each state. */
  readonly fileIds: Readonly<Record<'ready' | 'deleted' | 'pending' | 'expired', string>>;
}
