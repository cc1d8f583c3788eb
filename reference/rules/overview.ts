import type { Channel, Member, Membership, Workspace } from '../../spec/generated/types.ts';
import type { Machine } from '../model/principals.ts';

/** What a machine profile may see of its workspace. */
export const overviewRules = {
  /** A machine sees the workspace of its own profile, no other. */
  mayOverview: (machine: Machine, workspaceId: string, _homesOfItsHuman?: () => readonly string[]): boolean =>
    machine.workspaceId === workspaceId,

  isMachineAlive: (machine: Machine): boolean => machine.isActive,

  /** The human of the machine has to be an active member, of this workspace. */
  isLinkedMembershipActive: (
    membership: Membership | undefined,
    _homesOfItsHuman?: () => readonly string[],
  ): boolean => membership?.status === 'active',

  /** The id of the path, which has to be an exact UUID. */
  acceptsWorkspaceId: (text: string): boolean =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),

  /** The workspace that a path names is the one with that id; `own` is the caller's. */
  addressedWorkspace: (text: string, _own: () => Workspace | undefined): string => text.toLowerCase(),

  /** The membership shown is the caller's. */
  isCallersMembership: (membership: Membership, machine: Machine): boolean =>
    membership.human_user_id === machine.humanUserId,

  /** Whoever gives a human another name gives it to the member as well. */
  renamesMember: (): boolean => true,

  /** Whoever asks, and whatever becomes of its machines. */
  isMemberListed: (
    member: Member,
    _facts: { readonly isCaller: boolean; readonly machines: () => readonly Machine[] },
  ): boolean => member.status === 'active',

  isChannelListed: (channel: Channel, workspaceId: string): boolean => channel.workspace_id === workspaceId,

  presentWorkspace: (workspace: Workspace): Workspace => workspace,

  presentMembership: (membership: Membership): Membership => membership,

  presentMember: (member: Member): Member => member,

  presentChannel: (channel: Channel): Channel => channel,
} as const;
