import type { Channel, Member, Membership, Workspace } from '../../spec/generated/types.ts';
import type { Database } from './database.ts';

/** A channel as the service handles it, next to how it is shown. */
export interface StoredChannel {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: string;
  /** Sequence of the newest message ever listed; null before the first. */
  readonly lastSequence: bigint | null;
}

type ChannelRow = Required<Omit<Channel, 'is_default' | 'created_at' | 'updated_at'>> & {
  is_default: number;
  created_ms: number;
  updated_ms: number;
};

/** Workspaces with their channels and memberships. */
export function openWorkspaces(database: Database) {
  const workspaceById = database.one<Workspace & { created_ms: number; updated_ms: number }>(
    'SELECT id, slug, display_name, description, created_ms, updated_ms FROM workspaces WHERE id = ?',
  );
  const lastEvent = database.oneExact<{ last: bigint | null }>(
    'SELECT last_event AS last FROM workspaces WHERE id = ?',
  );
  const endingAt = database.oneExact<object>('SELECT 1 FROM workspaces WHERE last_event = ?');
  const channelById = database.oneExact<StoredChannel>(
    'SELECT id, workspace_id AS workspaceId, kind, last_sequence AS lastSequence FROM channels WHERE id = ?',
  );
  const channels = database.all<ChannelRow>(
    `SELECT id, workspace_id, slug, display_name, description, kind, is_default, created_ms, updated_ms,
      updated_by_agent_id FROM channels ORDER BY rowid`,
  );
  const memberships = database.all<MembershipRow>(
    `SELECT m.id, m.workspace_id, m.human_user_id, m.role, m.status, m.joined_ms, m.created_ms, m.updated_ms,
      h.email, h.first_name, h.last_name
      FROM memberships m JOIN humans h ON h.id = m.human_user_id WHERE m.workspace_id = ? ORDER BY m.rowid`,
  );
  const homes = database.all<{ id: string }>(
    `SELECT workspace_id AS id FROM memberships WHERE human_user_id = ? AND status = 'active'`,
  );
  const joined = database.one<{ agent_id: string }>(
    'SELECT agent_id FROM channel_members WHERE channel_id = ? AND agent_id = ?',
  );

  return {
    workspace(id: string): Workspace | undefined {
      const row = workspaceById(id);
      if (!row) return undefined;
      const { created_ms, updated_ms, ...rest } = row;
      return { ...rest, created_at: isoTime(created_ms), updated_at: isoTime(updated_ms) };
    },
    lastEvent: (workspaceId: string): bigint | null => lastEvent(workspaceId)?.last ?? null,
    /** Whether the events of some workspace end there. */
    isLastEvent: (sequence: bigint): boolean => endingAt(sequence) !== undefined,
    channel: (id: string): StoredChannel | undefined => channelById(id),
    /** Every channel of every workspace, oldest first. */
    channels: (): Channel[] => channels().map(asChannel),
    hasJoined: (channelId: string, agentId: string): boolean => joined(channelId, agentId) !== undefined,
    memberships: (workspaceId: string): { membership: Membership; member: Member }[] =>
      memberships(workspaceId).map(asMembership),
    /** Ids of the workspaces of which a human is an active member. */
    homesOf: (humanUserId: string): string[] => homes(humanUserId).map(({ id }) => id),

    addWorkspace: database.run(
      `INSERT INTO workspaces (id, slug, display_name, description, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    addMembership: database.run(
      `INSERT INTO memberships (id, workspace_id, human_user_id, role, status, joined_ms, created_ms, updated_ms)
        VALUES (?, ?, ?, ?, 'active', ?, ?, ?)`,
    ),
    addChannel: database.run(
      `INSERT INTO channels (id, workspace_id, slug, display_name, description, kind, is_default, created_ms, updated_ms,
        updated_by_agent_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    join: database.run('INSERT INTO channel_members (channel_id, agent_id) VALUES (?, ?)'),
    setMembershipStatus: database.run(
      'UPDATE memberships SET status = ? WHERE workspace_id = ? AND human_user_id = ?',
    ),
    setLastEvent: database.run('UPDATE workspaces SET last_event = ? WHERE id = ?'),
    setLastSequence: database.run('UPDATE channels SET last_sequence = ? WHERE id = ?'),
  };
}

interface MembershipRow {
  id: string;
  workspace_id: string;
  human_user_id: string;
  role: string;
  status: string;
  joined_ms: number;
  created_ms: number;
  updated_ms: number;
  email: string;
  first_name: string;
  last_name: string;
}

function asChannel({ created_ms, updated_ms, is_default, ...row }: ChannelRow): Channel {
  return {
    ...row,
    is_default: is_default === 1,
    created_at: isoTime(created_ms),
    updated_at: isoTime(updated_ms),
  };
}

function asMembership(row: MembershipRow): { membership: Membership; member: Member } {
  const { email, first_name, last_name, joined_ms, created_ms, updated_ms, ...membership } = row;
  const shared = {
    role: row.role,
    status: row.status,
    joined_at: isoTime(joined_ms),
    updated_at: isoTime(updated_ms),
  };
  return {
    membership: { ...membership, ...shared, created_at: isoTime(created_ms) },
    member: { id: row.human_user_id, email, first_name, last_name, ...shared },
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
