import type { Workspace } from '../../spec/index.ts';
import type { Answer } from '../../reference/model/answer.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { breaking, mutant, refusing, what, type Mutant } from './base/mutant.ts';
import { objectOf, otherUuid, refusal, spoilBody, spoilSuccess } from './base/spoil-answer.ts';

/** What a machine sees of which workspace. */
export const overviewMutants: readonly Mutant[] = [
  ...addressing(
    'beginning',
    'the beginning of its id',
    (text, own) => text.length >= 8 && own?.id?.startsWith(text) === true,
  ),
  ...addressing(
    'end',
    'its id with something behind it',
    (text, own) => own?.id !== undefined && own.id !== null && text.startsWith(own.id),
  ),
  ...addressing('anything', 'any text', () => true),
  ...addressing(
    'other-uuids',
    'any UUID that is no workspace',
    (text, own) => contractRules.acceptsWorkspaceId(text) && text !== own?.id,
  ),
  ...breaking({
    'overview.own-workspace-only': {
      'machines-see-every-workspace': what('a machine sees any workspace', {
        mayOverview: () => true,
        isLinkedMembershipActive: () => true,
        isCallersMembership: () => true,
      }),
    },
    'overview.membership.is-the-callers': {
      'membership-of-a-namesake': what(
        'once a second human was renamed, the membership shown is another’s',
        () => {
          let renamed = 0;
          return {
            renamesMember: () => {
              renamed += 1;
              return true;
            },
            isCallersMembership: ({ human_user_id: id }, { humanUserId }) =>
              (id === humanUserId) === renamed < 2,
          };
        },
      ),
      'membership-of-another-member': what('the membership shown is that of some other member', {
        isCallersMembership: ({ human_user_id: id, status }, { humanUserId }) =>
          id !== humanUserId && status === 'active',
      }),
    },
    'overview.members.lists-somebody': {
      'no-members-are-listed': what('the list of members is empty', { isMemberListed: () => false }),
      'callers-are-no-members': what('the members are those besides the caller', {
        isMemberListed: ({ status }, { isCaller }) => status === 'active' && !isCaller,
      }),
      'members-go-with-their-machines': what('a member is not listed while a machine of it is inactive', {
        isMemberListed: ({ status }, { machines }) =>
          status === 'active' && machines().every(({ isActive }) => isActive),
      }),
    },
    'overview.members.leave-at-once': {
      'members-are-remembered-for-a-while': what('who was listed is listed for 400 ms more', () => {
        const listedMs = new Map<string, number>();
        return {
          isMemberListed: ({ id, status }) => {
            const now = performance.now();
            if (status === 'active') listedMs.set(String(id), now);
            return now - (listedMs.get(String(id)) ?? -400) < 400;
          },
        };
      }),
    },
    'overview.members.active-only': {
      'former-members-are-listed': what('members of every state are listed', { isMemberListed: () => true }),
      'former-memberships-are-listed': what('memberships of every state are listed, under ids of their own', {
        isMemberListed: () => true,
        presentMember: ({ id, ...member }) => ({ ...member, id: otherUuid(id ?? ''), status: 'active' }),
      }),
    },
    'channel.workspace-id.is-the-workspace': {
      'channel-of-another-workspace': { isChannelListed: () => true },
      'channels-say-another-workspace': what('a channel says another workspace', {
        presentChannel: (channel) => ({ ...channel, workspace_id: otherUuid(channel.workspace_id ?? '') }),
      }),
    },
    'membership.workspace-id.is-the-workspace': {
      'membership-says-another-workspace': what('the membership says another workspace', {
        presentMembership: (membership) => ({
          ...membership,
          workspace_id: otherUuid(membership.workspace_id ?? ''),
        }),
      }),
      'membership-says-itself': what('the membership says its own id as its workspace', {
        presentMembership: (membership) => ({ ...membership, workspace_id: membership.id ?? null }),
      }),
    },
    'overview.workspace.is-the-requested': {
      'workspace-has-another-id': what('the workspace shown has another id', {
        presentWorkspace: (workspace) => ({ ...workspace, id: otherUuid(workspace.id ?? '') }),
      }),
      'workspace-is-the-first-shown': what('every overview shows the workspace that was shown first', () => {
        let first: Workspace | undefined;
        return { presentWorkspace: (workspace) => (first ??= workspace) };
      }),
    },
    'overview.channels.lists-a-known-one': {
      'channels-leave-with-an-agent': what('no channel is listed once an agent is without access', () => {
        let latest: Parameters<Rules['mentionedBy']>[2] = () => [];
        return {
          mentionedBy: (targets, content, agents) => {
            latest = agents;
            return contractRules.mentionedBy(targets, content, agents);
          },
          isChannelListed: (channel, workspaceId) =>
            contractRules.isChannelListed(channel, workspaceId) &&
            latest().every(({ hasAccess }) => hasAccess),
        };
      }),
      'no-channels': { answer: spoilBody('overview', (body) => ({ ...body, channels: [] })) },
      'channels-that-are-not-default': what('the default channel is not listed', {
        answer: spoilBody('overview', (body) => ({
          ...body,
          channels: listOf(body['channels']).filter((each) => objectOf(each)['is_default'] !== true),
        })),
      }),
    },
    'overview.shows-the-current-names': {
      'names-are-remembered': what('an overview shows what it showed first', () => {
        const first = new Map<string, unknown>();
        return {
          answer: spoilBody('overview', (body, { path }) => {
            const known = first.get(path) ?? body;
            first.set(path, known);
            return known;
          }),
        };
      }),
    },
  }),
  ...[302, 403, 404].flatMap((status) => [
    refusing(
      'machine',
      mutant(`overview-is-${status}`, 'overview.success-is-2xx', `the overview is answered with ${status}`, {
        answer: spoilSuccess('overview', (answer) => instead(status, answer)),
      }),
    ),
    mutant(
      `overview-is-${status}-the-second-time`,
      'overview.success-is-2xx',
      `the overview is answered with ${status} from the second time on`,
      () => {
        let times = 0;
        return {
          answer: spoilSuccess('overview', (answer) => ((times += 1) > 1 ? instead(status, answer) : answer)),
        };
      },
    ),
  ]),
];

/** Another way than its id to address the machine's own workspace. */
function addressing(
  id: string,
  what: string,
  isMeant: (text: string, own: Workspace | undefined) => boolean,
): Mutant[] {
  const rules: Partial<Rules> = {
    acceptsWorkspaceId: () => true,
    addressedWorkspace: (text, own) =>
      isMeant(text, own()) ? (own()?.id ?? text) : contractRules.addressedWorkspace(text, own),
  };
  return [
    mutant(`overview-by-${id}`, 'overview.exact-workspace-id', `a workspace is addressed by ${what}`, {
      rules,
    }),
  ];
}

function instead(status: number, answer: Answer): Answer {
  return status < 400 ? { ...answer, status } : refusal(status);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
