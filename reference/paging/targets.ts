import type { MentionTarget } from '../../spec/generated/types.ts';
import type { Agent } from '../model/principals.ts';
import type { Rules } from '../rules/rules.ts';

/** Key under which the mentions of a target are listed. */
export function targetKey({ kind, id }: MentionTarget): string {
  return `${kind} ${id}`;
}

/** Key under which a workspace's messages that mention nobody are listed. */
export function broadcastKey(workspaceId: string): string {
  return `broadcast ${workspaceId}`;
}

/** The keys whose mentions reach a reader. */
export function targetsOf(rules: Rules, reader: Agent): string[] {
  const agentId = rules.agentTargetOf(reader);
  const userId = rules.userTargetOf(reader);
  const machineId = rules.machineTargetOf(reader);
  return [
    ...(agentId === null ? [] : [targetKey({ kind: 'agent', id: agentId })]),
    ...(userId === null ? [] : [targetKey({ kind: 'user', id: userId })]),
    ...(machineId === null ? [] : [targetKey({ kind: 'machine', id: machineId })]),
    ...(rules.broadcastsReach(reader) ? [broadcastKey(reader.workspaceId)] : []),
  ];
}
