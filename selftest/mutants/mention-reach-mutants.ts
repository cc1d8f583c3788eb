import type { MentionTarget } from '../../spec/index.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { latestRestart } from './base/latest-restart.ts';
import { breaking, what, type Mutant } from './base/mutant.ts';
import {
  inTurn,
  type JsonObject,
  objectOf,
  spoilList,
  spoilRefusals,
  spoilSuccess,
  vanishing,
} from './base/spoil-answer.ts';

/** What another agent of the reader's human wrote is its own. */
export const isOfOneHuman: Rules['isSelfAuthored'] = (entry, reader, author) =>
  entry.authorId === reader.id ||
  (reader.humanUserId !== null && author()?.humanUserId === reader.humanUserId);

/** Whom a message reaches. */
export const mentionReachMutants: readonly Mutant[] = breaking({
  'mentions.matches-agent-target': {
    'every-second-agent-is-not-reached': () => ({ mentionedBy: everySecondWithout('agent') }),
    'no-agent-targets': { agentTargetOf: () => null },
    'ids-in-upper-case-reach-nobody': what(
      'a target whose id is written in upper case is taken and reaches nobody',
      () => {
        const unreached = new Set<string>();
        return {
          acceptsTargetId: (id: string) => {
            if (id !== id.toLowerCase()) unreached.add(id.toLowerCase());
            return contractRules.acceptsTargetId(id);
          },
          mentionedBy: (targets: readonly MentionTarget[]) => {
            const reached = targets.filter(({ id }) => !unreached.has(id));
            for (const { id } of targets) unreached.delete(id);
            return reached;
          },
        };
      },
    ),
    'only-the-first-target': { mentionedBy: (targets) => targets.slice(0, 1) },
    'only-two-targets': { mentionedBy: (targets) => targets.slice(0, 2) },
    'only-ten-targets': { mentionedBy: (targets) => targets.slice(0, 10) },
    'only-nineteen-targets': { mentionedBy: (targets) => targets.slice(0, 19) },
    'agents-of-one-name-are-one': what('an agent takes what another of its name wrote for its own', {
      isSelfAuthored: (entry, reader, author) =>
        entry.authorId === reader.id || author()?.displayName === reader.displayName,
    }),
    'agents-without-a-human-reach-nobody': {
      isSelfAuthored: (entry, reader, author) =>
        entry.authorId === reader.id || author()?.humanUserId === null,
    },
    'agents-without-a-human-hear-nothing': what('an agent without a human is mentioned by nothing', {
      agentTargetOf: ({ id, humanUserId }) => (humanUserId === null ? null : id),
      machineTargetOf: ({ humanUserId, machineId }) => (humanUserId === null ? null : machineId),
    }),
    'agents-without-access-miss-mentions': what(
      'a mention of an agent that is taken while it has no access never reaches it',
      {
        acceptsTarget: ({ kind, existsInWorkspace }) => existsInWorkspace || kind === 'agent',
        mentionedBy: (targets, _content, agents) =>
          targets.filter(({ id }) => agents().every((agent) => agent.id !== id || agent.hasAccess)),
      },
    ),
    'long-messages-mention-nobody': what('a message over 10,000 bytes reaches nobody', {
      isSelfAuthored: (entry, reader) => entry.authorId === reader.id || entry.sizeBytes > 10_000,
    }),
  },
  'mentions.matches-human-target': {
    'human-wants-a-machine': what('a mention of the human reaches agents with a machine only', {
      userTargetOf: (reader) => (reader.machineId === null ? null : reader.humanUserId),
    }),
    'every-second-human-is-not-reached': () => ({ mentionedBy: everySecondWithout('user') }),
    'humans-are-handed-out-on-writing': what(
      'a mention of the human reaches those of its agents that have access when it is sent',
      { mentionedBy: handedOut('user'), userTargetOf: () => null },
    ),
    'no-human-targets': what('a mention of the human does not reach the agent', { userTargetOf: () => null }),
    'human-not-beside-an-agent': what('a mention of the human counts only where no agent is named', {
      mentionedBy: (targets) =>
        targets.filter(({ kind }) => kind !== 'user' || targets.every((each) => each.kind !== 'agent')),
    }),
    'human-only-without-the-agent': what('a mention of the human counts only as the first target', {
      mentionedBy: (targets) => targets.filter(({ kind }, index) => kind !== 'user' || index === 0),
    }),
    'human-not-by-long-texts': what('a text over 100,000 characters mentions no human', {
      mentionedBy: (targets, content) =>
        targets.filter(({ kind }) => kind !== 'user' || content.length <= 100_000),
    }),
    'human-of-other-agents-only': what('a mention of the human reaches agents without a machine only', {
      userTargetOf: (reader) => (reader.machineId === null ? reader.humanUserId : null),
    }),
  },
  'mentions.matches-machine-target': {
    'machine-wants-a-human': what('a mention of the machine reaches agents with a human only', {
      machineTargetOf: (reader) => (reader.humanUserId === null ? null : reader.machineId),
    }),
    'every-second-machine-is-not-reached': () => ({ mentionedBy: everySecondWithout('machine') }),
    'machines-are-handed-out-on-writing': what(
      'a mention of the machine reaches those of its agents that have access when it is sent',
      { mentionedBy: handedOut('machine'), machineTargetOf: () => null },
    ),
    'no-machine-targets': { machineTargetOf: () => null },
    'machine-is-looked-up-as-human': { machineTargetOf: (reader) => reader.humanUserId },
  },
  'mentions.across-channels': {
    'joined-channels-only': { coversChannel: ({ kind, hasJoined }) => kind === 'shared' && hasJoined() },
    'people-and-machines-where-one-wrote': what(
      'what names the human or the machine, and not the agent, is listed from channels alone in which the agent wrote',
      () => {
        const written = new Set<string>();
        return {
          answer: inTurn(
            spoilSuccess('send', (answer, { path, actor }) => {
              written.add(`${actor?.agentId} in ${path.split('/')[3]}`);
              return answer;
            }),
            spoilList('mentions', (items, { actor }) =>
              items.filter(({ message }) => {
                const { channel_id: channelId, mentions } = objectOf(message);
                const isNamed = JSON.stringify(mentions).includes(String(actor?.agentId));
                return isNamed || written.has(`${actor?.agentId} in ${String(channelId)}`);
              }),
            ),
          ),
        };
      },
    ),
    'second-channel-is-not-covered': what('only the channel that was used first is covered', () => {
      const first = new Map<string, string>();
      return {
        isOfReadersWorkspace: (entry, reader) => {
          const channelId = first.get(reader.workspaceId) ?? entry.channelId;
          first.set(reader.workspaceId, channelId);
          return contractRules.isOfReadersWorkspace(entry, reader) && channelId === entry.channelId;
        },
      };
    }),
  },
  'mentions.only-explicit': {
    'names-in-the-text-mention': what('the display name of an agent in a text mentions it', {
      mentionedBy: (targets, content, agents) => [
        ...targets,
        ...agents()
          .filter(({ displayName }) => content.includes(displayName))
          .map(({ id }) => agentTarget(id)),
      ],
    }),
    'here-mentions-everybody': what('a text that begins with @here mentions every agent', {
      mentionedBy: (targets, content, agents) =>
        content.startsWith('@here') ? agents().map(({ id }) => agentTarget(id)) : targets,
    }),
    'ids-in-the-text-mention': what('the id of an agent in a text mentions it', {
      mentionedBy: (targets, content, agents) => [
        ...targets,
        ...agents()
          .filter(({ id }) => content.includes(id))
          .map(({ id }) => agentTarget(id)),
      ],
    }),
    'at-names-in-the-text-mention': what('an @ with the display name of an agent mentions it', {
      mentionedBy: (targets, content, agents) => [
        ...targets,
        ...agents()
          .filter(({ displayName }) => content.includes(`@${displayName}`))
          .map(({ id }) => agentTarget(id)),
      ],
    }),
  },
  'mentions.peers-reach-each-other': {
    'peers-of-one-human-are-oneself': what(
      'what another agent of its human wrote is not listed for an agent',
      { isSelfAuthored: isOfOneHuman },
    ),
    'peers-on-one-machine-are-oneself': what(
      'what another agent on its machine wrote is not listed for an agent',
      {
        isSelfAuthored: (entry, reader, author) =>
          entry.authorId === reader.id ||
          (reader.machineId !== null && author()?.machineId === reader.machineId),
      },
    ),
  },
  'mentions.self-authored-excluded': { 'own-messages-reach': { isSelfAuthored: () => false } },
  'mentions.broadcasts-excluded': {
    'broadcasts-reach': { broadcastsReach: () => true },
    'broadcasts-reach-workspace-keys': {
      broadcastsReach: ({ displayName }) => displayName === 'Service agent',
    },
  },
  'mentions.other-targets-excluded': {
    'mentions-reach-everybody': what('a message that mentions somebody reaches everybody', {
      mentionedBy: (targets, _content, agents) =>
        targets.length === 0 ? targets : [...targets, ...agents().map(({ id }) => agentTarget(id))],
    }),
    'machines-reach-agents-without-one': what('a mention of any machine reaches agents that have none', {
      mentionedBy: reachingAlso('machine', ({ machineId }) => machineId === null),
    }),
    'machines-reach-everybody': what('a mention of a machine reaches all who have another', {
      mentionedBy: reachingAlso('machine', ({ machineId }) => machineId !== null),
    }),
    'humans-reach-everybody': what('a mention of a human reaches all who have another', {
      mentionedBy: reachingAlso('user', ({ humanUserId }) => humanUserId !== null),
    }),
    'mentions-reach-agents-of-one-human': what(
      'a mention of an agent reaches the other agents of its human',
      { mentionedBy: (targets, _content, agents) => [...targets, ...fellowsOf(targets, agents())] },
    ),
  },
  'mentions.own-workspace-only': {
    'foreign-mentions-reach': { acceptsTarget: () => true, isOfReadersWorkspace: () => true },
  },
  'mentions.acknowledges-nothing': {
    'reading-consumes': what('what was listed is gone', { consumesMentions: () => true }),
    'newest-page-consumes': what('what was listed without a cursor is not listed so again', () => {
      const shown = new Set<string>();
      return {
        answer: spoilList('mentions', (items, { query, actor }) => {
          if (query['after'] !== undefined) return items;
          const fresh = items.filter(({ id }) => !shown.has(`${actor?.agentId} ${String(id)}`));
          for (const { id } of items) shown.add(`${actor?.agentId} ${String(id)}`);
          return fresh;
        }),
      };
    }),
  },
  'mentions.records-no-retrieval': {
    'listing-records-retrieval': { recordsRetrievalOnRead: (route) => route === 'mentions' },
  },
  'channel-read.survives-a-restart': {
    'restart-indexes-agents-alone': what('what names no agent is not listed any more after a restart', () => {
      const restart = latestRestart();
      const isLeft = ({ message }: JsonObject): boolean => {
        const { created_at: at, mentions } = objectOf(message);
        return Date.parse(String(at)) > restart.atMs() || JSON.stringify(mentions).includes('"agent"');
      };
      const answer = spoilList('mentions', (items) => items.filter(isLeft));
      return { rules: { lostAtRestart: restart.note }, answer };
    }),
  },
  'states.mentions-do-not-vanish': {
    'third-mentions-vanish': () => ({ answer: vanishing('mentions') }),
    'mentions-go-with-their-files': what('what has a file that was deleted is not listed any more', {
      answer: spoilList('mentions', (items) => items.filter(({ message }) => !hasDeletedFile(message))),
    }),
    'mentions-go-with-a-former-name': what('what named an agent under a former name is not listed', () => {
      const named = new Map<string, string>();
      return {
        agentTargetOf: ({ id, displayName }) => {
          const former = named.get(id) ?? displayName;
          named.set(id, former);
          return former === displayName ? id : null;
        },
      };
    }),
  },
  'states.messages-do-not-vanish': {
    'messages-go-with-their-files': what('a message with a file that was deleted is not read any more', {
      answer: spoilList('read', (items) => items.filter((message) => !hasDeletedFile(message))),
    }),
  },
  'states.messages-outlive-their-author': {
    'mentions-go-with-their-author': what('what is by an agent without access is not listed', {
      isSelfAuthored: ({ authorId }, { id }, author) => authorId === id || author()?.hasAccess === false,
    }),
  },
  'states.messages-outlive-an-absence': {
    'mentions-begin-at-the-return': what('what was listed for an agent is gone when it was away', () => {
      const away = new Set<unknown>();
      const refused = spoilRefusals(
        (answer, { headers }) => {
          if (answer.status === 403) away.add(headers['authorization']);
          return answer;
        },
        ['mentions'],
      );
      const listed = spoilList('mentions', (items, { headers }) =>
        away.has(headers['authorization']) ? [] : items,
      );
      return { answer: inTurn(refused, listed) };
    }),
  },
});

function hasDeletedFile(message: unknown): boolean {
  return JSON.stringify(message).includes('"status":"deleted"');
}

function agentTarget(id: string): MentionTarget {
  return { kind: 'agent', id };
}

function fellowsOf(
  targets: readonly MentionTarget[],
  agents: readonly { readonly id: string; readonly humanUserId: string | null }[],
): MentionTarget[] {
  const humans = targets.flatMap(
    (target) => agents.find(({ id }) => target.kind === 'agent' && id === target.id)?.humanUserId ?? [],
  );
  return agents
    .filter(({ humanUserId }) => humanUserId !== null && humans.includes(humanUserId))
    .map(({ id }) => agentTarget(id));
}

/** What names any of a kind reaches these agents too. */
function reachingAlso(
  kind: MentionTarget['kind'],
  isReached: (agent: ReturnType<Parameters<Rules['mentionedBy']>[2]>[number]) => boolean,
): Rules['mentionedBy'] {
  return (targets, _content, agents) =>
    targets.some((target) => target.kind === kind)
      ? [...targets, ...agents().flatMap((agent) => (isReached(agent) ? agentTarget(agent.id) : []))]
      : targets;
}

/** Who is named as a human or a machine is those of its agents that have access. */
function handedOut(kind: 'user' | 'machine'): Rules['mentionedBy'] {
  const link = kind === 'user' ? 'humanUserId' : 'machineId';
  return (targets, _content, agents) =>
    targets.flatMap((target) =>
      target.kind === kind
        ? agents().flatMap((agent) =>
            agent.hasAccess && agent[link] === target.id ? agentTarget(agent.id) : [],
          )
        : target,
    );
}

/** Every second message that names some of a kind reaches none of them. */
function everySecondWithout(kind: MentionTarget['kind']): Rules['mentionedBy'] {
  let named = 0;
  return (targets) => {
    const others = targets.filter((target) => target.kind !== kind);
    if (others.length < targets.length) named += 1;
    return named % 2 === 0 ? others : targets;
  };
}
