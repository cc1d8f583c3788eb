import { roleMeanings, roleNames, tokenVariable, type RoleName } from './roles.ts';
import { hookMeanings, hookNames, type HookName, type Target } from './target.ts';

/** What to say of a need that neither a role nor a hook gives. */
const otherMeanings = {
  channel:
    'add `channel` to the target file (or CONFORM_CHANNEL): a shared channel that author and reader can use',
  'second-channel':
    'add `second_channel` to the target file (or CONFORM_SECOND_CHANNEL): another shared channel that the author can write to',
  workspace:
    'add `workspace` to the target file (or CONFORM_WORKSPACE), or `roles.author` and `channel`: a message then names it',
  'mentions-binding':
    'set `bindings.mentions` in the target file to the field of a send that mentions someone',
  'attachments-binding':
    'set `bindings.attachments` in the target file to the field of a send that attaches files',
  'source-session-binding':
    'set `bindings.source_session` in the target file to the field of a send that carries the source session',
  'agent-host-binding':
    'set `bindings.agent_host` in the target file to the field of a send that carries the agent host',
  'report-receipt-binding':
    'set `bindings.report_receipt` and `bindings.report_receipt_field` in the target file to the call by which an agent reports what it retrieved',
  'list-receipts-binding':
    'the server must answer the receipts call of a channel in a form that the suite recognises',
  'file-binding': 'the server must show files at `bindings.file` and `bindings.file_content`',
  files:
    'add `files` to the target file (or CONFORM_FILES): ids of ready files, 51 for every check; or `hooks.file`, which uploads them',
  'discovery-binding':
    'set `bindings.health` and `bindings.capabilities` in the target file to their paths, which are open to anyone',
  'large-contents':
    'set `limits.max_bytes` in the target file (or --max-bytes) to 20000000 or more, so that the largest contents can be sent',
} as const;

/** Everything that a check or a clause can need of a target; a closed vocabulary. */
export type NeedName = RoleName | keyof typeof otherMeanings | `${HookName}-hook`;

const largeContents = 'large-contents';
const otherNames = Object.keys(otherMeanings) as readonly (keyof typeof otherMeanings)[];

export const needNames: readonly NeedName[] = [
  ...roleNames,
  ...otherNames.filter((name) => name !== largeContents),
  ...hookNames.map((name) => `${name}-hook` as const),
  largeContents,
];

/** What takes the server away for a while: nothing runs beside it, and that the server is gone then is no trouble. */
export const disruptiveNeeds: readonly NeedName[] = ['restart-hook'];

/** Bytes of content that a run must be allowed to write before it sends contents of the largest size. */
const largeContentsBytes = 20_000_000;

/**
 * Whether a target has what is needed, as far as its words say: whether a credential works is for preflight. Bindings
 * always have a default. Being read-only is not looked at here.
 */
export function isEnabled(target: Target, need: NeedName): boolean {
  const role = roleNames.find((name) => name === need);
  if (role !== undefined) return target.roles[role] !== undefined;
  const hook = hookOf(need);
  if (hook !== undefined) return target.hooks[hook] !== undefined;
  if (need === 'channel') return target.channelId !== undefined;
  if (need === 'second-channel') return target.secondChannelId !== undefined;
  if (need === 'workspace') return target.workspaceId !== undefined || canLearnWorkspace(target);
  if (need === 'large-contents') return target.limits.maxBytes >= largeContentsBytes;
  return true;
}

/** What a target has of all that another may lack: roles, channels, the workspace and hooks. */
export function abilitiesOf(target: Target): readonly NeedName[] {
  return needNames.filter((need) => canBeLacking(need) && isEnabled(target, need));
}

function canBeLacking(need: NeedName): boolean {
  return need in roleMeanings || hookOf(need) !== undefined || /channel$|^workspace$/.test(need);
}

/** A message that the author sends and reads names its workspace. */
function canLearnWorkspace({ roles, channelId }: Target): boolean {
  return roles.author !== undefined && channelId !== undefined;
}

/** One line for a person: what to add to a target, and what it is. */
export function whatEnables(need: NeedName): string {
  const role = roleNames.find((name) => name === need);
  if (role !== undefined) {
    return `add \`roles.${role.replaceAll('-', '_')}\` to the target file (or ${tokenVariable(role)}): ${roleMeanings[role]}`;
  }
  const hook = hookOf(need);
  if (hook !== undefined)
    return `add \`hooks.${hook}\` to the target file: a command or URL that ${hookMeanings[hook]}`;
  return otherMeanings[need as keyof typeof otherMeanings];
}

/** The field of a target file that gives a need. */
export function fieldOfNeed(need: NeedName): string {
  const name = need.replaceAll('-', '_');
  if (name.endsWith('_hook')) return `hooks.${name.slice(0, -'_hook'.length)}`;
  if (name.endsWith('_binding')) return `bindings.${name.slice(0, -'_binding'.length)}`;
  if (need === 'large-contents') return 'limits.max_bytes';
  return ['channel', 'second_channel', 'workspace', 'files'].includes(name) ? name : `roles.${name}`;
}

function hookOf(need: NeedName): HookName | undefined {
  return hookNames.find((name) => `${name}-hook` === need);
}
