import { type FunctionHook, type HookName, hookNames, type Target } from '../harness/config/target.ts';
import type { HookInputs } from '../harness/hooks/hook-protocol.ts';
import { type Operator, type Reference, type Role, startReference } from '../reference/index.ts';
import { targetOfWorld, tokensOf } from './reference-target.ts';

type HookFunctions = { readonly [N in HookName]: (input: HookInputs[N]) => unknown };

/** Every hook of a started reference, as functions of this process. */
export function hooksOfReference({
  operator,
}: Pick<Reference, 'operator'>): Readonly<Record<HookName, FunctionHook>> {
  const functions = hookFunctions(operator);
  return Object.fromEntries(
    hookNames.map((name): [HookName, FunctionHook] => [
      name,
      { call: async (input) => await (functions[name] as (input: unknown) => unknown)(input) },
    ]),
  ) as Record<HookName, FunctionHook>;
}

function hookFunctions(operator: Operator): HookFunctions {
  return {
    provision: (further) => freshTarget(operator, further),
    revoke: ({ token }) => operator.revoke(token),
    expire: ({ token }) => operator.expire(token),
    rename: ({ kind, id, display_name: name }) => {
      if (kind === 'agent') operator.renameAgent(id, name);
      else if (kind === 'user') operator.renameHuman(id, name);
      else operator.renameMachine(id, name);
    },
    deactivate: (who) => setActive(operator, who),
    file: (input) => {
      if (input.action === 'delete') return operator.deleteFile(input.id);
      const agent = operator.agentOf(input.agent_token);
      if (agent === undefined) throw new Error('the token stands for no agent');
      const { filename, content_type: contentType, content_base64: base64 } = input;
      const { id } = operator.uploadFile({
        workspaceId: agent.workspaceId,
        by: agent,
        filename,
        contentType,
        content: Buffer.from(base64, 'base64'),
      });
      return { id };
    },
    restart: () => operator.restart(),
    limit: ({ token, per_second: perSecond }) => operator.limitRequests(token, perSecond),
  };
}

function setActive(operator: Operator, who: HookInputs['deactivate']): void {
  const { active, workspace_id: workspaceId } = who;
  if (who.kind === 'access') {
    if (active) operator.restoreMembership(who.agent_id);
    else operator.deactivateMembership(who.agent_id);
  } else if (who.kind === 'machine') {
    if (active) operator.restoreMachine(who.machine_id);
    else operator.deactivateMachine(who.machine_id);
  } else if (active) operator.restoreHuman(workspaceId, who.human_user_id);
  else operator.deactivateHuman(workspaceId, who.human_user_id);
}

function freshTarget(
  operator: Operator,
  { agents = 0, channels = 0, members = 0, short_lived: seconds }: HookInputs['provision'],
): object {
  const world = operator.provision();
  const { workspaceId, channelId, secondChannelId, foreignWorkspaceId } = world;
  const roles = Object.fromEntries(
    Object.entries(tokensOf(world)).map(([role, token]) => [role.replaceAll('-', '_'), token]),
  );
  const { author, reader } = world.roles;
  const add = (links: Parameters<Operator['addAgent']>[1]): string =>
    operator.addAgent(workspaceId, links).token;
  // No identity provider gave the reader's human a name.
  const without = {
    human: add(linkOf(author, 'machineId')),
    machine: add(linkOf(author, 'humanUserId')),
    human_name: add(linkOf(reader, 'humanUserId')),
  };
  const { humanUserId } = reader;
  const sharing = {
    ...(humanUserId !== undefined && {
      human: add({ humanUserId, machineId: operator.addMachine(workspaceId, humanUserId) }),
    }),
    machine: add({ ...linkOf(reader, 'machineId'), humanUserId: operator.addMember(workspaceId) }),
  };
  if (humanUserId !== undefined) operator.joinWorkspace(foreignWorkspaceId, humanUserId);
  for (let count = 0; count < members; count += 1) operator.addMember(workspaceId);
  const times = <T>(length: number, make: () => T): readonly T[] => Array.from({ length }, make);
  return {
    workspace: workspaceId,
    channel: channelId,
    second_channel: secondChannelId,
    roles,
    without,
    sharing,
    second_api_key: operator.addApiKey(workspaceId).token,
    ...(author.machineId !== undefined && { author_machine: operator.addMachineToken(author.machineId) }),
    ...(humanUserId !== undefined && { second_workspace: foreignWorkspaceId }),
    ...(seconds !== undefined && {
      short_lived: { token: operator.addShortLivedAgent(workspaceId, seconds).token, seconds },
    }),
    ...(agents > 0 && { agents: times(agents, () => add({})) }),
    ...(channels > 0 && {
      channels: times(channels, () => operator.addChannel(workspaceId, author.agentId)),
    }),
    ...(members > 0 && { members }),
  };
}

function linkOf(role: Role, link: 'humanUserId' | 'machineId'): Parameters<Operator['addAgent']>[1] {
  const id = role[link];
  return id === undefined ? {} : { [link]: id };
}

/** A reference of our own on a free loopback port, with everything a target can have. */
export async function openReference(): Promise<{ target: Target; close: () => Promise<void> }> {
  const reference = await startReference();
  return { target: targetOfReference(reference), close: () => reference.close() };
}

/** The target that a started reference is: every role of its world, both channels, every hook. */
export function targetOfReference(reference: Pick<Reference, 'baseUrl' | 'world' | 'operator'>): Target {
  return { ...targetOfWorld(reference), hooks: hooksOfReference(reference) };
}
