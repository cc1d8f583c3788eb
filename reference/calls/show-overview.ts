import type { Membership, Workspace } from '../../spec/generated/types.ts';
import { jsonAnswer, type Answer } from '../model/answer.ts';
import type { MachineCall } from '../http/call.ts';
import type { Machine } from '../model/principals.ts';
import { Refusal } from '../model/refusal.ts';
import type { Service } from '../service/service.ts';

/** `GET /v1/human/workspaces/{workspace_id}`: the workspace of a machine profile, with its channels and members. */
export function showOverview({ service, machine, parameters }: MachineCall): Answer {
  const { rules, store } = service;
  const text = parameters['workspace_id'] ?? '';
  if (!rules.acceptsWorkspaceId(text)) throw new Refusal('invalid', 'the workspace id is not a UUID');
  const ownWorkspace = (): Workspace | undefined => store.workspaces.workspace(machine.workspaceId);
  const workspaceId = rules.addressedWorkspace(text, ownWorkspace);
  const homes = (): readonly string[] => store.workspaces.homesOf(machine.humanUserId);
  if (!rules.mayOverview(machine, workspaceId, homes))
    throw forbidden('the machine has no access to this workspace');
  if (!rules.isMachineAlive(machine)) throw forbidden('the machine profile is not active');

  const memberships = store.workspaces.memberships(workspaceId);
  const own = memberships.find(({ membership }) =>
    rules.isCallersMembership(membership, machine),
  )?.membership;
  if (!rules.isLinkedMembershipActive(ownMembership(memberships, machine.humanUserId), homes)) {
    throw forbidden('the human of the machine is not an active member');
  }
  const workspace = store.workspaces.workspace(workspaceId);
  if (!workspace || !own) throw new Refusal('not-found', 'there is no such workspace');
  return jsonAnswer(200, {
    workspace: rules.presentWorkspace(workspace),
    membership: rules.presentMembership(own),
    channels: store.workspaces
      .channels()
      .filter((channel) => rules.isChannelListed(channel, workspaceId))
      .map((channel) => rules.presentChannel(channel)),
    members: memberships
      .filter(({ member, membership: { human_user_id: human } }) =>
        rules.isMemberListed(member, {
          isCaller: human === machine.humanUserId,
          machines: () => machinesOf(service, workspaceId, human),
        }),
      )
      .map(({ member }) => rules.presentMember(member)),
  });
}

/** The machines on which the agents of a human run. */
function machinesOf(
  { store: { directory } }: Service,
  workspaceId: string,
  humanUserId: string | null | undefined,
): Machine[] {
  return directory
    .agentsOf(workspaceId)
    .filter((agent) => agent.humanUserId === humanUserId)
    .flatMap(({ machineId }) => (machineId === null ? [] : (directory.machine(machineId) ?? [])));
}

function ownMembership(
  memberships: readonly { membership: Membership }[],
  humanUserId: string,
): Membership | undefined {
  return memberships.find(({ membership }) => membership.human_user_id === humanUserId)?.membership;
}

function forbidden(message: string): Refusal {
  return new Refusal('forbidden', message);
}
