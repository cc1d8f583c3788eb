import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { replacing, shown } from './base/changed-rules.ts';
import { breaking, type Mutant, refusing } from './base/mutant.ts';
import type { Memory } from './base/overlay.ts';
import {
  type Answering,
  type JsonObject,
  listOf,
  objectOf,
  otherUuid,
  refusal,
  spoilBody,
  spoilSuccess,
  successAs,
} from './base/spoil-answer.ts';

/** What a machine sees of which workspace. */
export const overviewMutants: readonly Mutant[] = [
  ...breaking({
    'overview.exact-workspace-id': {
      'overview-by-beginning: a workspace is addressed by the beginning of its id': addressedBy(
        (text, id) => text.length >= 8 && id.startsWith(text),
      ),
      'overview-by-end: a workspace is addressed by its id with something behind it': addressedBy(
        (text, id) => text.startsWith(id),
      ),
      'overview-by-anything: a workspace is addressed by any text': addressedBy(() => true),
      'overview-by-other-uuids: a workspace is addressed by any UUID that is no workspace': addressedBy(
        (text, id) => contractRules.acceptsWorkspaceId(text) && text !== id,
      ),
    },
    'overview.own-workspace-only': {
      'machines-see-every-workspace: a machine sees any workspace': {
        mayOverview: () => true,
        isLinkedMembershipActive: () => true,
        isCallersMembership: () => true,
      },
      'machines-see-every-workspace-of-their-human': {
        mayOverview: (machine, workspaceId, homes = () => []) =>
          contractRules.mayOverview(machine, workspaceId) || homes().includes(workspaceId),
      },
    },
    'overview.membership.is-the-callers': {
      'memberships-are-cached-by-workspace: the membership shown is that of whoever asked first': ({
        first,
      }) => ({
        isCallersMembership: ({ human_user_id: id, workspace_id: home }, { humanUserId }) =>
          id === first(String(home), humanUserId),
      }),
      'membership-of-a-namesake: once a second human was renamed, the membership shown is another’s': () => {
        let renamed = 0;
        return {
          renamesMember: () => (renamed += 1) > 0,
          isCallersMembership: ({ human_user_id: id }, { humanUserId }) =>
            (id === humanUserId) === renamed < 2,
        };
      },
      'membership-of-another-member: the membership shown is that of some other member': {
        isCallersMembership: ({ human_user_id: id, status }, { humanUserId }) =>
          id !== humanUserId && status === 'active',
      },
    },
    'overview.members.lists-somebody': {
      ...replacing('isMemberListed', {
        'no-members-are-listed: the list of members is empty': () => false,
        'callers-are-no-members: the members are those besides the caller': ({ status }, { isCaller }) =>
          status === 'active' && !isCaller,
        'members-go-with-their-machines: a member is not listed while a machine of it is inactive': (
          { status },
          { machines },
        ) => status === 'active' && machines().every(({ isActive }) => isActive),
      }),
      'a-hundred-members: an overview lists the hundred members who came last': spoilBody(
        'overview',
        (body) => ({ ...body, members: listOf(body['members']).slice(-100) }),
      ),
      'members-add-up: to the members that are listed the first of each earlier list is added': () => {
        const kept: unknown[] = [];
        return spoilBody('overview', ({ members, ...rest }) => {
          const all = [...kept.slice(-1), ...listOf(members)];
          kept.push(...listOf(members).slice(0, 1));
          return { ...rest, members: all };
        });
      },
      'members-of-one-name-are-one': spoilBody('overview', ({ members, ...rest }) => {
        const all = listOf(members).map(objectOf);
        const isFirst = (member: JsonObject, at: number): boolean =>
          all.findIndex(
            (each) =>
              each['last_name'] === member['last_name'] && each['first_name'] === member['first_name'],
          ) === at;
        return { ...rest, members: all.filter(isFirst) };
      }),
      'renamed-members-are-not-listed': () => {
        const names = new Map<unknown, unknown>();
        return {
          isMemberListed: ({ id, first_name: name, status }) => {
            if (!names.has(id)) names.set(id, name);
            return status === 'active' && names.get(id) === name;
          },
        };
      },
      'who-left-is-never-listed-again': () => {
        const gone = new Set<unknown>();
        return {
          isMemberListed: ({ id, status }) => {
            if (status !== 'active') gone.add(id);
            return !gone.has(id);
          },
        };
      },
      'who-comes-back-is-listed-twice': () => {
        const [known, gone] = [new Set<unknown>(), new Set<unknown>()];
        return spoilBody('overview', (body) => {
          const members = listOf(body['members']);
          const ids = new Set(members.map((each) => objectOf(each)['id']));
          for (const id of known) if (!ids.has(id)) gone.add(id);
          for (const id of ids) known.add(id);
          return {
            ...body,
            members: [...members, ...members.filter((each) => gone.has(objectOf(each)['id']))],
          };
        });
      },
    },
    'overview.members.leave-at-once': {
      'members-are-remembered-for-a-while: who was listed is listed for 400 ms more': () => {
        const listedMs = new Map<string, number>();
        return {
          isMemberListed: ({ id, status }) => {
            const now = performance.now();
            if (status === 'active') listedMs.set(String(id), now);
            return now - (listedMs.get(String(id)) ?? -400) < 400;
          },
          presentMember: (member) => ({ ...member, status: 'active' }),
        };
      },
    },
    'overview.members.active-only': {
      'former-members-are-listed: members of every state are listed': { isMemberListed: () => true },
      'former-memberships-are-listed: memberships of every state are listed, under ids of their own': {
        isMemberListed: () => true,
        presentMember: ({ id, ...member }) => ({ ...member, id: otherUuid(id ?? ''), status: 'active' }),
      },
    },
    'overview.members.of-the-workspace': {
      'members-of-every-workspace: the members are those of every workspace that was shown': () => {
        const latest = new Map<string, readonly unknown[]>();
        return spoilBody('overview', (body, { path }) => {
          latest.set(path, listOf(body['members']));
          return { ...body, members: [...latest.values()].flat() };
        });
      },
    },
    'channel.workspace-id.is-the-workspace': {
      'channel-of-another-workspace': { isChannelListed: () => true },
      'channels-say-another-workspace: a channel says another workspace': shown(
        'presentChannel',
        ({ workspace_id: id }) => ({ workspace_id: otherUuid(id ?? '') }),
      ),
    },
    'membership.workspace-id.is-the-workspace': {
      'membership-says-another-workspace: the membership says another workspace': shown(
        'presentMembership',
        ({ workspace_id: id }) => ({ workspace_id: otherUuid(id ?? '') }),
      ),
      'membership-says-itself: the membership says its own id as its workspace': shown(
        'presentMembership',
        ({ id }) => ({ workspace_id: id ?? null }),
      ),
    },
    'overview.workspace.is-the-requested': {
      'workspace-has-another-id: the workspace shown has another id': shown('presentWorkspace', ({ id }) => ({
        id: otherUuid(id ?? ''),
      })),
      'workspace-is-the-first-shown: every overview shows the workspace that was shown first': ({
        first,
      }) => ({
        presentWorkspace: (workspace) => first(null, workspace),
      }),
    },
    'overview.channels.lists-a-known-one': {
      'channels-leave-with-an-agent: no channel is listed once two agents are without access': () => {
        let latest: Parameters<Rules['mentionedBy']>[2] = () => [];
        return {
          mentionedBy: (targets, content, agents) => {
            latest = agents;
            return contractRules.mentionedBy(targets, content, agents);
          },
          isChannelListed: (channel, workspaceId) =>
            contractRules.isChannelListed(channel, workspaceId) &&
            latest().filter(({ hasAccess }) => !hasAccess).length < 2,
        };
      },
      'fifty-channels: an overview lists fifty channels at most': spoilBody('overview', (body) => ({
        ...body,
        channels: listOf(body['channels']).slice(0, 50),
      })),
      'no-channels': spoilBody('overview', (body) => ({ ...body, channels: [] })),
      'channels-that-are-not-default: the default channel is not listed': spoilBody('overview', (body) => ({
        ...body,
        channels: listOf(body['channels']).filter((each) => objectOf(each)['is_default'] !== true),
      })),
    },
    'overview.shows-the-current-names': {
      'names-are-remembered: an overview shows what it showed first': ({ first }) =>
        spoilBody('overview', (body, { path }) => first(path, body)),
    },
    'overview.success-is-2xx': {
      'overview-is-302-the-second-time: the overview is answered with 302 from the second time on':
        fromTheSecondTimeOn(302),
      'overview-is-403-the-second-time: the overview is answered with 403 from the second time on':
        fromTheSecondTimeOn(403),
      'overview-is-404-the-second-time: the overview is answered with 404 from the second time on':
        fromTheSecondTimeOn(404),
      'the-overview-is-for-owners: the overview is refused to machines of members that are no owners':
        spoilSuccess('overview', (answer) =>
          objectOf(objectOf(answer.body)['membership'])['role'] === 'owner' ? answer : refusal(403),
        ),
    },
  }),
  ...breaking({
    'overview.success-is-2xx': {
      'overview-is-302: the overview is answered with 302': successAs(302, 'overview'),
      'overview-is-403: the overview is answered with 403': successAs(403, 'overview'),
      'overview-is-404: the overview is answered with 404': successAs(404, 'overview'),
    },
  }).map((made) => refusing('machine', made)),
];

/** Another way than its id to address the machine's own workspace. */
function addressedBy(isMeant: (text: string, id: string) => boolean): Partial<Rules> {
  return {
    acceptsWorkspaceId: () => true,
    addressedWorkspace: (text, own) => {
      const { id } = own() ?? {};
      return typeof id === 'string' && isMeant(text, id) ? id : contractRules.addressedWorkspace(text, own);
    },
  };
}

function fromTheSecondTimeOn(status: number): (memory: Memory) => Answering {
  return ({ isNew }) => successAs(status, 'overview', () => !isNew(null));
}
