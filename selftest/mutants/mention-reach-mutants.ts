import { authorsOfFeeds, secondSender } from './base/agents-noted.ts';
import type { MentionTarget } from '../../spec/index.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import type { Entry } from '../../reference/model/page-facts.ts';
import { also, only, replacing, sinceRestart } from './base/changed-rules.ts';
import { breaking, type Mutant } from './base/mutant.ts';
import type { Memory } from './base/overlay.ts';
import {
  type Answering,
  inTurn,
  type JsonObject,
  listOf,
  noting,
  objectOf,
  spoilItems,
  spoilList,
  vanishing,
} from './base/spoil-answer.ts';

/** Whether a message names no agent, and another one than the reader has reported it. */
function isReadByAnother({ mentions, receipts }: JsonObject, reader: unknown): boolean {
  const { agent_ids: ids } = objectOf(objectOf(receipts)['retrieved']);
  const isOfOwners = listOf(mentions).every((target) => objectOf(target)['kind'] !== 'agent');
  return isOfOwners && listOf(ids).some((id) => id !== reader);
}

/** What another agent of the reader's human wrote is its own. */
export const isOfOneHuman: Rules['isSelfAuthored'] = (entry, reader, author) =>
  entry.authorId === reader.id ||
  (reader.humanUserId !== null && author()?.humanUserId === reader.humanUserId);

/** Whom a message reaches. */
export const mentionReachMutants: readonly Mutant[] = breaking({
  'mentions.matches-agent-target': {
    'every-second-agent-is-not-reached': everySecondWithout('agent'),
    'no-agent-targets': { agentTargetOf: () => null },
    'everybody-is-oneself: whoever wrote it, no message is listed for anybody': {
      isSelfAuthored: () => true,
    },
    'ids-in-upper-case-reach-nobody: a target whose id is written in upper case is taken and reaches nobody':
      () => {
        const unreached = new Set<string>();
        return {
          acceptsTargetId: (id) => {
            if (id !== id.toLowerCase()) unreached.add(id.toLowerCase());
            return contractRules.acceptsTargetId(id);
          },
          mentionedBy: (targets) => {
            const reached = targets.filter(({ id }) => !unreached.has(id));
            for (const { id } of targets) unreached.delete(id);
            return reached;
          },
        };
      },
    ...replacing('mentionedBy', {
      'only-the-first-target': (targets) => targets.slice(0, 1),
      'only-two-targets': (targets) => targets.slice(0, 2),
      'only-ten-targets': (targets) => targets.slice(0, 10),
      'only-nineteen-targets': (targets) => targets.slice(0, 19),
      'one-agent-of-each-human: of several agents of one human that a message names the first is reached alone':
        oneAgentOfEachHuman,
      'agents-beyond-the-32nd-are-not-reached: agents that came to a workspace after its first 32 are not reached':
        (targets, _content, agents) =>
          targets.filter(({ id }) => agents().findIndex((agent) => agent.id === id) < 32),
    }),
    'nobody-behind-a-repeat: a target that is named twice keeps a message from all that stand behind it':
      () => {
        let repeat = -1;
        return {
          capturedTargets: (targets) => {
            repeat = targets.findIndex((each, at) => targets.findIndex(({ id }) => id === each.id) < at);
            return contractRules.capturedTargets(targets);
          },
          mentionedBy: (targets) => (repeat === -1 ? targets : targets.slice(0, repeat)),
        };
      },
    'a-fourth-repeat-reaches-nobody: a text that was sent three times reaches nobody any more': () => {
      const times = new Map<string, number>();
      return {
        mentionedBy: (targets, content) => {
          times.set(content, (times.get(content) ?? 0) + 1);
          return (times.get(content) ?? 0) > 3 ? [] : targets;
        },
      };
    },
    'agents-of-one-name-are-one: an agent takes what another of its name wrote for its own': also(
      'isSelfAuthored',
      (_entry, reader, author) => author()?.displayName === reader.displayName,
    ),
    'agents-without-a-human-reach-nobody': also(
      'isSelfAuthored',
      (_entry, _reader, author) => author()?.humanUserId === null,
    ),
    'agents-without-a-human-hear-nothing: an agent without a human is mentioned by nothing': {
      agentTargetOf: ({ id, humanUserId }) => (humanUserId === null ? null : id),
      machineTargetOf: ({ humanUserId, machineId }) => (humanUserId === null ? null : machineId),
    },
    'agents-without-access-miss-mentions: a mention of an agent that is taken while it has no access never reaches it':
      {
        acceptsTarget: ({ kind, existsInWorkspace }) => existsInWorkspace || kind === 'agent',
        mentionedBy: (targets, _content, agents) =>
          targets.filter(({ id }) => agents().every((agent) => agent.id !== id || agent.hasAccess)),
      },
    'a-feed-lacks-a-sender: a reader is listed nothing of what the agent of the workspace key sends': also(
      'isSelfAuthored',
      (_entry, reader, author) =>
        reader.displayName === 'Reader agent' && author()?.displayName === 'Service agent',
    ),
    'long-messages-mention-nobody: a message over 10,000 bytes reaches nobody': also(
      'isSelfAuthored',
      ({ sizeBytes }) => sizeBytes > 10_000,
    ),
  },
  'mentions.matches-human-target': {
    'every-second-human-is-not-reached': everySecondWithout('user'),
    'humans-are-lost-by-an-absence: an agent that was refused once is not reached any more by what names its human or its machine alone':
      lostByAnAbsence,
    'humans-are-handed-out-on-writing: a mention of the human reaches those of its agents that have access when it is sent':
      { mentionedBy: handedOut('user'), userTargetOf: () => null },
    ...replacing('userTargetOf', {
      'no-human-targets: a mention of the human does not reach the agent': () => null,
      'human-wants-a-machine: a mention of the human reaches agents with a machine only': (reader) =>
        reader.machineId === null ? null : reader.humanUserId,
      'human-of-other-agents-only: a mention of the human reaches agents without a machine only': (reader) =>
        reader.machineId === null ? reader.humanUserId : null,
    }),
    ...replacing('mentionedBy', {
      'human-not-beside-an-agent: a mention of the human counts only where no agent is named': (targets) =>
        targets.filter(({ kind }) => kind !== 'user' || targets.every((each) => each.kind !== 'agent')),
      'human-only-without-the-agent: a mention of the human counts only as the first target': (targets) =>
        targets.filter(({ kind }, index) => kind !== 'user' || index === 0),
      'only-the-first-human: of several humans that a message names the first is reached alone':
        firstAlone('user'),
      'human-not-by-long-texts: a text over 100,000 characters mentions no human': (targets, content) =>
        targets.filter(({ kind }) => kind !== 'user' || content.length <= 100_000),
    }),
  },
  'mentions.matches-machine-target': {
    'every-second-machine-is-not-reached': everySecondWithout('machine'),
    'machines-are-handed-out-on-writing: a mention of the machine reaches those of its agents that have access when it is sent':
      { mentionedBy: handedOut('machine'), machineTargetOf: () => null },
    'only-the-first-machine: of several machines that a message names the first is reached alone': {
      mentionedBy: firstAlone('machine'),
    },
    ...replacing('machineTargetOf', {
      'machine-wants-a-human: a mention of the machine reaches agents with a human only': (reader) =>
        reader.humanUserId === null ? null : reader.machineId,
      'no-machine-targets': () => null,
      'machine-is-looked-up-as-human': (reader) => reader.humanUserId,
    }),
  },
  'mentions.across-channels': {
    'joined-channels-only': { coversChannel: ({ kind, hasJoined }) => kind === 'shared' && hasJoined() },
    'people-and-machines-where-one-wrote: what names the human or the machine, and not the agent, is listed from channels alone in which the agent wrote':
      () => {
        const written = new Set<string>();
        return inTurn(
          noting('send', ({ path, actor }) => written.add(`${actor?.agentId} in ${path.split('/')[3]}`)),
          spoilList('mentions', (items, { actor }) =>
            items.filter(({ message }) => {
              const { channel_id: channelId, mentions } = objectOf(message);
              const isNamed = JSON.stringify(mentions).includes(String(actor?.agentId));
              return isNamed || written.has(`${actor?.agentId} in ${String(channelId)}`);
            }),
          ),
        );
      },
    'twenty-channels-are-covered: of a workspace only the twenty channels are covered that were used first':
      () => {
        const used = new Map<string, Set<string>>();
        const isEarly = ({ channelId, workspaceId }: Entry): boolean => {
          const channels = used.get(workspaceId) ?? new Set();
          used.set(workspaceId, channels);
          return (channels.size < 20 ? channels.add(channelId) : channels).has(channelId);
        };
        return {
          isOfReadersWorkspace: (entry, reader) =>
            contractRules.isOfReadersWorkspace(entry, reader) && isEarly(entry),
        };
      },
    'second-channel-is-not-covered: only the channel that was used first is covered': ({ first }) =>
      only(
        'isOfReadersWorkspace',
        ({ channelId }, { workspaceId }) => first(workspaceId, channelId) === channelId,
      ),
  },
  'mentions.only-explicit': replacing('mentionedBy', {
    'names-in-the-text-mention: the display name of an agent in a text mentions it': reachingAlso(
      (agent, _targets, content) => content.includes(agent.displayName),
    ),
    'here-mentions-everybody: a text that begins with @here mentions every agent': (
      targets,
      content,
      agents,
    ) => (content.startsWith('@here') ? agents().map(agentTarget) : targets),
    'ids-in-the-text-mention: the id of an agent in a text mentions it': reachingAlso(
      (agent, _targets, content) => content.includes(agent.id),
    ),
    'everybody-is-mentioned-by-a-word: a text that has @channel in it mentions every agent': (
      targets,
      content,
      agents,
    ) => (/. @channel\b/.test(content) ? agents().map(agentTarget) : targets),
  }),
  'mentions.at-in-the-text': replacing('mentionedBy', {
    'at-names-in-the-text-mention: an @ with the display name of an agent mentions it': reachingAlso(
      (agent, _targets, content) => content.includes(`@${agent.displayName}`),
    ),
    'at-ids-in-the-text-mention: an @ with the id of an agent mentions it': reachingAlso(
      (agent, _targets, content) => content.includes(`@${agent.id}`),
    ),
  }),
  'mentions.peers-reach-each-other': {
    'a-feed-lacks-a-peer: a reader is listed nothing of the second of all who mention it, its peer': () =>
      also('isSelfAuthored', secondSender()),
    'peers-of-one-human-are-oneself: what another agent of its human wrote is not listed for an agent': {
      isSelfAuthored: isOfOneHuman,
    },
    'peers-on-one-machine-are-oneself: what another agent on its machine wrote is not listed for an agent':
      also(
        'isSelfAuthored',
        (_entry, reader, author) => reader.machineId !== null && author()?.machineId === reader.machineId,
      ),
  },
  'mentions.self-authored-excluded': {
    'own-messages-reach': { isSelfAuthored: () => false },
    'own-messages-reach-workspace-keys: the agent of a workspace key is listed what it wrote itself': only(
      'isSelfAuthored',
      (_entry, { displayName }) => displayName !== 'Service agent',
    ),
  },
  'mentions.broadcasts-excluded': replacing('broadcastsReach', {
    'broadcasts-reach': () => true,
    'broadcasts-reach-workspace-keys': ({ displayName }) => displayName === 'Service agent',
  }),
  'mentions.other-targets-excluded': replacing('mentionedBy', {
    'mentions-reach-everybody: a message that mentions somebody reaches everybody': reachingAlso(
      (_agent, targets) => targets.length > 0,
    ),
    'agents-reach-workspace-keys: a mention of any agent reaches the agent of a workspace key': reachingAlso(
      ({ displayName }, targets) => displayName === 'Service agent' && namesSome('agent', targets),
    ),
    'machines-reach-agents-without-one: a mention of any machine reaches agents that have none': reachingAlso(
      ({ machineId }, targets) => machineId === null && namesSome('machine', targets),
    ),
    'machines-reach-everybody: a mention of a machine reaches all who have another': reachingAlso(
      ({ machineId }, targets) => machineId !== null && namesSome('machine', targets),
    ),
    'humans-reach-everybody: a mention of a human reaches all who have another': reachingAlso(
      ({ humanUserId }, targets) => humanUserId !== null && namesSome('user', targets),
    ),
    'humans-reach-their-machines: a mention of a human reaches all agents on the machines of its agents':
      reachingBeside('machineId', 'user', ({ humanUserId }) => humanUserId),
    'mentions-reach-agents-of-one-human: a mention of an agent reaches the other agents of its human':
      reachingBeside('humanUserId', 'agent', ({ id }) => id),
  }),
  'mentions.other-machines-excluded': replacing('mentionedBy', {
    'machines-reach-agents-of-one-human: a mention of a machine reaches the agents of its human on others':
      reachingBeside('humanUserId', 'machine', ({ machineId }) => machineId),
    'machines-reach-who-has-none: a mention of a machine reaches the agents of its human that have none':
      reachingAlso(
        (agent, targets, _content, agents) =>
          agent.machineId === null &&
          agents.some(
            ({ machineId, humanUserId }) =>
              humanUserId === agent.humanUserId &&
              targets.some(({ kind, id }) => kind === 'machine' && id === machineId),
          ),
      ),
  }),
  'mentions.own-workspace-only': {
    'foreign-mentions-reach': { acceptsTarget: () => true, isOfReadersWorkspace: () => true },
  },
  'mentions.acknowledges-nothing': {
    'reading-consumes: what was listed is gone': { consumesMentions: () => true },
    'newest-page-consumes: what was listed without a cursor is not listed so again': ({ isNew }) =>
      spoilList('mentions', (items, { query, actor }) =>
        items.filter(({ id }) => query['after'] !== undefined || isNew(`${actor?.agentId} ${String(id)}`)),
      ),
  },
  'mentions.records-no-retrieval': {
    'listing-records-retrieval': { recordsRetrievalOnRead: (route) => route === 'mentions' },
    'listing-records-the-retrieval-of-files: who is listed a message with a file has retrieved it': () => {
      const retrieved = new Map<unknown, Set<unknown>>();
      const note = spoilItems('mentions', (item, { actor }) => {
        const { id, attachments } = objectOf(item['message']);
        if (Array.isArray(attachments) && attachments.length > 0)
          retrieved.set(id, (retrieved.get(id) ?? new Set()).add(actor?.agentId));
        return item;
      });
      const listed = spoilItems('read', (message) => {
        const receipts = objectOf(message['receipts']);
        const { agent_ids: ids, ...others } = objectOf(receipts['retrieved']);
        const all = new Set([...(Array.isArray(ids) ? ids : []), ...(retrieved.get(message['id']) ?? [])]);
        return { ...message, receipts: { ...receipts, retrieved: { ...others, agent_ids: [...all] } } };
      });
      return inTurn(note, listed);
    },
  },
  'channel-read.survives-a-restart': {
    'restart-indexes-agents-alone: what names no agent is not listed any more after a restart': sinceRestart(
      (restartedMs) =>
        spoilList('mentions', (items) =>
          items.filter(({ message }) => {
            const { created_at: at, mentions } = objectOf(message);
            return Date.parse(String(at)) > restartedMs() || JSON.stringify(mentions).includes('"agent"');
          }),
        ),
    ),
  },
  'states.mentions-do-not-vanish': {
    'cursors-end-at-a-report: nothing is listed from a cursor on for an agent that has reported a retrieval':
      () => {
        const ids = new Set<unknown>();
        return inTurn(
          noting('reportReceipts', ({ actor }) => ids.add(actor?.agentId)),
          spoilList('mentions', (items, { actor, query }) =>
            Number(query['after'] ?? 0) > 0 && ids.has(actor?.agentId) ? [] : items,
          ),
        );
      },
    'newest-pages-end-at-a-rename: the newest page lacks the last mention of an agent that was renamed':
      () => {
        const names = new Map<string, string>();
        const renamed = new Set<unknown>();
        return {
          rules: {
            agentTargetOf: ({ id, displayName }) => {
              if ((names.get(id) ?? displayName) !== displayName) renamed.add(id);
              names.set(id, displayName);
              return id;
            },
          },
          ...spoilList('mentions', (items, { actor, query }) =>
            query['after'] === undefined && renamed.has(actor?.agentId) ? items.slice(0, -1) : items,
          ),
        };
      },
    'third-mentions-vanish': () => vanishing('mentions'),
    'agents-of-one-human-read-for-each-other: a mention of a human or a machine is not listed for one of its agents once another has reported it':
      spoilList('mentions', (items, { actor }) =>
        items.filter(({ message }) => !isReadByAnother(objectOf(message), actor?.agentId)),
      ),
    'mentions-go-with-their-files: what has a file that was deleted is not listed any more': spoilList(
      'mentions',
      (items) => items.filter(({ message }) => hasNoDeletedFile(message)),
    ),
    'mentions-go-with-a-former-name: what named an agent under a former name is not listed': ({ first }) => ({
      agentTargetOf: ({ id, displayName }) => (first(id, displayName) === displayName ? id : null),
    }),
  },
  'states.messages-do-not-vanish': {
    'waits-forget-at-a-conflict: a read that waits lacks the last of a channel with a conflict': () => {
      const channels = new Set<string>();
      return inTurn(
        noting('send', ({ path }) => channels.add(path), 409),
        spoilList('read', (items, { path, query }) =>
          channels.has(path) && query['wait'] !== undefined ? items.slice(0, -1) : items,
        ),
      );
    },
    'other-channels-forget-at-a-report: an agent that reported a retrieval reads the last of each other channel no more':
      () => {
        const reported = new Set<string>();
        return inTurn(
          noting('reportReceipts', ({ path, actor }) =>
            reported.add(`${actor?.agentId} ${path.split('/')[3]}`),
          ),
          spoilList('read', (items, { path, actor }) => {
            const others = [...reported].filter((each) => each.startsWith(`${actor?.agentId}`));
            const isOther = others.some((each) => !each.endsWith(String(path.split('/')[3])));
            return isOther ? items.slice(0, -1) : items;
          }),
        );
      },
    'messages-go-with-their-files: a message with a file that was deleted is not read any more': spoilList(
      'read',
      (items) => items.filter(hasNoDeletedFile),
    ),
  },
  'states.messages-outlive-their-author': {
    'messages-go-with-their-author: what is by an agent without access is not read': () => {
      const { note, isOut } = authorsOfFeeds();
      const isLeft = ({ author }: JsonObject): boolean => !isOut(objectOf(author)['id']);
      return { rules: note, ...spoilList('read', (items) => items.filter(isLeft)) };
    },
    'mentions-go-with-their-author: what is by an agent without access is not listed': also(
      'isSelfAuthored',
      (_entry, _reader, author) => author()?.hasAccess === false,
    ),
  },
  'states.messages-outlive-an-absence': {
    'mentions-begin-at-the-return: what was listed for an agent is gone when it was away': () => {
      const away = new Set<unknown>();
      return inTurn(
        noting('mentions', ({ headers: { authorization } }) => away.add(authorization), 403),
        spoilList('mentions', (items, { headers: { authorization } }) =>
          away.has(authorization) ? [] : items,
        ),
      );
    },
  },
});

function hasNoDeletedFile(message: unknown): boolean {
  return !JSON.stringify(message).includes('"status":"deleted"');
}

export function agentTarget({ id }: { readonly id: string }): MentionTarget {
  return { kind: 'agent', id };
}

function namesSome(kind: MentionTarget['kind'], targets: readonly MentionTarget[]): boolean {
  return targets.some((target) => target.kind === kind);
}

type Agents = ReturnType<Parameters<Rules['mentionedBy']>[2]>;

/** A message reaches more agents than it names. */
export function reachingAlso(
  isReached: (
    agent: Agents[number],
    targets: readonly MentionTarget[],
    content: string,
    agents: Agents,
  ) => boolean,
): Rules['mentionedBy'] {
  return (targets, content, agents) => {
    const all = agents();
    return [...targets, ...all.filter((each) => isReached(each, targets, content, all)).map(agentTarget)];
  };
}

/** Whoever shares a human or a machine with an agent that is named in some way is reached as well. */
function reachingBeside(
  link: 'humanUserId' | 'machineId',
  kind: MentionTarget['kind'],
  namedIdOf: (agent: Agents[number]) => string | null,
): Rules['mentionedBy'] {
  return reachingAlso(
    (agent, targets, _content, agents) =>
      agent[link] !== null &&
      agents.some(
        (other) =>
          other[link] === agent[link] &&
          targets.some((target) => target.kind === kind && target.id === namedIdOf(other)),
      ),
  );
}

/** Who is named as a human or a machine is those of its agents that have access. */
function handedOut(kind: 'user' | 'machine'): Rules['mentionedBy'] {
  const link = kind === 'user' ? 'humanUserId' : 'machineId';
  return (targets, _content, agents) =>
    targets.flatMap((target) =>
      target.kind === kind
        ? agents()
            .filter((agent) => agent.hasAccess && agent[link] === target.id)
            .map(agentTarget)
        : target,
    );
}

/** Every second message that names some of a kind reaches none of them. */
function everySecondWithout(kind: MentionTarget['kind']): (memory: Memory) => Partial<Rules> {
  return ({ nth }) => ({
    mentionedBy: (targets) =>
      namesSome(kind, targets) && nth(2) ? targets.filter((target) => target.kind !== kind) : targets,
  });
}

/** Of the targets of a kind the first alone is reached. */
function firstAlone(kind: MentionTarget['kind']): Rules['mentionedBy'] {
  return (targets) => {
    const first = targets.find((target) => target.kind === kind);
    return targets.filter((target) => target.kind !== kind || target.id === first?.id);
  };
}

/** One message is one notice for a human, by whichever agent comes first. */
function oneAgentOfEachHuman(
  ...[targets, , agents]: Parameters<Rules['mentionedBy']>
): ReturnType<Rules['mentionedBy']> {
  const humanOf = ({ id }: MentionTarget): string | null | undefined =>
    agents().find((agent) => agent.id === id)?.humanUserId;
  return targets.filter((target, at) => {
    const human = target.kind === 'agent' ? humanOf(target) : undefined;
    return typeof human !== 'string' || targets.findIndex((each) => humanOf(each) === human) === at;
  });
}

/** Who was refused is linked to nobody from then on. */
function lostByAnAbsence(): Answering {
  const goneMs = new Map<unknown, number>();
  return inTurn(
    noting('mentions', ({ actor }) => actor && goneMs.set(actor.agentId, Date.now()), 403),
    spoilList('mentions', (items, { actor }) =>
      items.filter(({ message }) => {
        const { created_at: createdAt, mentions } = objectOf(message);
        const isEarlier = Date.parse(String(createdAt)) <= (goneMs.get(actor?.agentId) ?? Infinity);
        return isEarlier || JSON.stringify(mentions).includes(String(actor?.agentId));
      }),
    ),
  );
}
