import type { MentionTarget } from '../../spec/index.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { mutant, ruleMutants, type Mutant } from './base/mutant.ts';
import { spoilList, vanishing } from './base/spoil-answer.ts';

/** Whom a message reaches. */
export const mentionReachMutants: readonly Mutant[] = [
  ...ruleMutants([
    [
      'no-agent-targets',
      'mentions.matches-agent-target',
      'a mention of the agent itself does not reach it',
      { agentTargetOf: () => null },
    ],
    [
      'only-the-first-target',
      'mentions.matches-agent-target',
      'only the first target of a message is reached',
      { mentionedBy: (targets) => targets.slice(0, 1) },
    ],
    [
      'only-two-targets',
      'mentions.matches-agent-target',
      'only the first two targets of a message are reached',
      { mentionedBy: (targets) => targets.slice(0, 2) },
    ],
    [
      'only-ten-targets',
      'mentions.matches-agent-target',
      'only the first ten targets of a message are reached',
      { mentionedBy: (targets) => targets.slice(0, 10) },
    ],
    [
      'only-nineteen-targets',
      'mentions.matches-agent-target',
      'the twentieth target of a message is not reached',
      { mentionedBy: (targets) => targets.slice(0, 19) },
    ],
    [
      'long-messages-mention-nobody',
      'mentions.matches-agent-target',
      'a message over 10,000 bytes reaches nobody',
      { isSelfAuthored: (entry, reader) => entry.authorId === reader.id || entry.sizeBytes > 10_000 },
    ],
    [
      'no-human-targets',
      'mentions.matches-human-target',
      'a mention of the human does not reach the agent',
      { userTargetOf: () => null },
    ],
    [
      'human-only-without-the-agent',
      'mentions.matches-human-target',
      'a mention of the human counts only as the first target',
      { mentionedBy: (targets) => targets.filter(({ kind }, index) => kind !== 'user' || index === 0) },
    ],
    [
      'human-of-other-agents-only',
      'mentions.matches-human-target',
      'a mention of the human reaches agents without a machine only',
      { userTargetOf: (reader) => (reader.machineId === null ? reader.humanUserId : null) },
    ],
    [
      'no-machine-targets',
      'mentions.matches-machine-target',
      'a mention of the machine does not reach the agent',
      { machineTargetOf: () => null },
    ],
    [
      'machine-is-looked-up-as-human',
      'mentions.matches-machine-target',
      'a machine target is looked up among the humans',
      { machineTargetOf: (reader) => reader.humanUserId },
    ],
    [
      'joined-channels-only',
      'mentions.across-channels',
      'only the channels that the agent joined are covered',
      { coversChannel: ({ kind, hasJoined }) => kind === 'shared' && hasJoined() },
    ],
    [
      'names-in-the-text-mention',
      'mentions.only-explicit',
      'the display name of an agent in a text mentions it',
      {
        mentionedBy: (targets, content, agents) => [
          ...targets,
          ...agents()
            .filter(({ displayName }) => content.includes(displayName))
            .map(({ id }) => agentTarget(id)),
        ],
      },
    ],
    [
      'ids-in-the-text-mention',
      'mentions.only-explicit',
      'the id of an agent in a text mentions it',
      {
        mentionedBy: (targets, content, agents) => [
          ...targets,
          ...agents()
            .filter(({ id }) => content.includes(id))
            .map(({ id }) => agentTarget(id)),
        ],
      },
    ],
    [
      'at-names-in-the-text-mention',
      'mentions.only-explicit',
      'an @ with the display name of an agent mentions it',
      {
        mentionedBy: (targets, content, agents) => [
          ...targets,
          ...agents()
            .filter(({ displayName }) => content.includes(`@${displayName}`))
            .map(({ id }) => agentTarget(id)),
        ],
      },
    ],
    [
      'own-messages-reach',
      'mentions.self-authored-excluded',
      'a message that mentions its author reaches it',
      { isSelfAuthored: () => false },
    ],
    [
      'broadcasts-reach',
      'mentions.broadcasts-excluded',
      'a message that mentions nobody reaches everybody',
      { broadcastsReach: () => true },
    ],
    [
      'mentions-reach-everybody',
      'mentions.other-targets-excluded',
      'a message that mentions somebody reaches everybody',
      {
        mentionedBy: (targets, _content, agents) =>
          targets.length === 0 ? targets : [...targets, ...agents().map(({ id }) => agentTarget(id))],
      },
    ],
    [
      'mentions-reach-agents-of-one-human',
      'mentions.other-targets-excluded',
      'a mention of an agent reaches the other agents of its human',
      { mentionedBy: (targets, _content, agents) => [...targets, ...fellowsOf(targets, agents())] },
    ],
    [
      'foreign-mentions-reach',
      'mentions.own-workspace-only',
      'agents of other workspaces may be mentioned, and are reached',
      { acceptsTarget: () => true, isOfReadersWorkspace: () => true },
    ],
    [
      'reading-consumes',
      'mentions.acknowledges-nothing',
      'what was listed is gone',
      { consumesMentions: () => true },
    ],
    [
      'listing-records-retrieval',
      'mentions.records-no-retrieval',
      'listing a mention records its retrieval',
      { recordsRetrievalOnRead: (route) => route === 'mentions' },
    ],
  ]),
  mutant(
    'second-channel-is-not-covered',
    'mentions.across-channels',
    'only the channel that was used first is covered',
    () => {
      const first = new Map<string, string>();
      return {
        rules: {
          isOfReadersWorkspace: (entry, reader) => {
            const channelId = first.get(reader.workspaceId) ?? entry.channelId;
            first.set(reader.workspaceId, channelId);
            return contractRules.isOfReadersWorkspace(entry, reader) && channelId === entry.channelId;
          },
        },
      };
    },
  ),
  mutant(
    'newest-page-consumes',
    'mentions.acknowledges-nothing',
    'what was listed without a cursor is not listed so again',
    () => {
      const shown = new Set<string>();
      return {
        answer: spoilList('mentions', (items, { query, actor }) => {
          if (query['after'] !== undefined) return items;
          const fresh = items.filter(({ id }) => !shown.has(`${actor?.agentId} ${String(id)}`));
          for (const { id } of items) shown.add(`${actor?.agentId} ${String(id)}`);
          return fresh;
        }),
      };
    },
  ),
  mutant(
    'third-mentions-vanish',
    'states.mentions-do-not-vanish',
    'every third mention is gone once others have come after it',
    () => ({
      answer: vanishing('mentions'),
    }),
  ),
];

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
