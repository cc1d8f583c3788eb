import type { Agent } from '../service/directory.ts';
import type { Inside } from '../service/inside.ts';
import { conforming } from '../service/rules.ts';
import type { Rules } from '../service/rules.ts';
import type { Stored } from '../service/stream.ts';
import { isChosen, plain, showing } from './mutant.ts';
import type { HistoryMutant } from './mutant.ts';

type Matches = (stored: Stored, reader: Agent, inside: Inside) => boolean;

/** Also lists what does not match. */
function listing(alsoLists: Matches): () => Partial<Rules> {
  return () => ({
    matches: (stored, reader, inside) =>
      conforming.matches(stored, reader, inside) || (alsoLists(stored, reader, inside) ? 1 : 0),
  });
}

/** Misses some of what matches; anchors stay, so that the loss can be told from retention. */
function missing(isMissed: Matches): () => Partial<Rules> {
  return () => ({
    matches: (stored, reader, inside) =>
      isMissed(stored, reader, inside) ? 0 : conforming.matches(stored, reader, inside),
  });
}

/** Names whatever an anchor names, and its like. */
function namesAllAgents({ seen }: Stored, { agents }: Inside): boolean {
  return agents.every(({ id }) => seen.targets.includes(`agent:${id}`));
}

/** A message may name its reader in several ways. */
const matching = [
  'mentions.matches-agent-target',
  'mentions.matches-human-target',
  'mentions.matches-machine-target',
] as const;

/** Feeds that list too much or too little, and messages of other places. */
export const feedMutants: readonly HistoryMutant[] = [
  ...showing('self-authored', {
    'its own mentions': {
      clauses: ['mentions.self-authored-excluded'],
      rules: listing(({ seen }, { id }) => seen.author?.id === id && seen.targets.includes(`agent:${id}`)),
    },
  }),
  ...showing('unmentioned', {
    'what mentions nobody': {
      clauses: ['mentions.broadcasts-excluded'],
      choices: (drawn) => ({ ...drawn, events: { ...drawn.events, countAll: true } }),
      rules: listing(({ seen }, { id }) => seen.author?.id !== id && seen.targets.length === 0),
    },
    'what mentions another agent': {
      clauses: ['mentions.other-targets-excluded'],
      rules: listing(
        ({ seen }, { id }) =>
          seen.author?.id !== id &&
          seen.targets.length > 0 &&
          seen.targets.every((target) => target.startsWith('agent:')),
      ),
    },
  }),
  ...showing('mention-lost', {
    'of the agent': {
      clauses: matching,
      events: [],
      choices: plain,
      rules: missing(
        (stored, { id }, inside) =>
          stored.seen.targets.includes(`agent:${id}`) &&
          !namesAllAgents(stored, inside) &&
          isChosen(stored.seen.id, 2),
      ),
    },
    'of its human': {
      clauses: matching,
      events: [],
      choices: plain,
      rules: missing(
        ({ seen }, { id, human }) =>
          seen.targets.includes(`user:${human?.id}`) && !seen.targets.includes(`agent:${id}`),
      ),
    },
    'of its machine': {
      clauses: matching,
      events: [],
      choices: plain,
      rules: missing(
        ({ seen }, { id, machine }) =>
          seen.targets.includes(`machine:${machine?.id}`) && !seen.targets.includes(`agent:${id}`),
      ),
    },
    'in one channel': {
      clauses: ['mentions.across-channels', ...matching],
      events: [],
      choices: plain,
      rules: missing(
        (stored, _reader, inside) =>
          stored.channel === inside.channels[1]?.name && !namesAllAgents(stored, inside),
      ),
    },
  }),
  ...showing('mention-id', {
    'an id of its own': {
      clauses: ['mention.id.is-the-message-id'],
      consequences: ['inconsistent-offsets', 'moved'],
      rules: (random) => ({ mentionId: (id, { ids }) => (random.chance(0.3) ? ids.next() : id) }),
    },
  }),
  ...showing('feed-crosstalk', {
    'the header names another agent': {
      clauses: ['mentions.agent-id-header.is-the-caller'],
      consequences: ['self-authored', 'unmentioned', 'mention-lost'],
      rules: (random) => ({
        agentId: ({ id }, { agents }) =>
          random.chance(0.1) ? (agents.find((each) => each.id !== id)?.id ?? id) : id,
      }),
    },
  }),
  ...showing('cross-channel-leak', {
    'also in the other channel': {
      clauses: ['send.to-the-named-channel', 'message.channel-id.is-its-channel'],
      consequences: ['receipt-on-read'],
      choices: (drawn) => ({ ...drawn, counters: 'workspace' }),
      rules: (random) => ({
        listedIn: (channel, { channels }) =>
          random.chance(0.2) ? [channel, ...channels.filter((each) => each !== channel)] : [channel],
      }),
    },
    'in the other channel alone': {
      clauses: ['send.to-the-named-channel', 'message.channel-id.is-its-channel'],
      consequences: [
        'lost-write',
        'mention-lost',
        'silent-drop',
        'read-your-writes',
        'vanished',
        'lost-across-restart',
        'receipt-on-read',
      ],
      choices: (drawn) => ({ ...drawn, counters: 'workspace' }),
      rules: (random) => ({
        listedIn: (channel, { channels }) =>
          random.chance(0.1) ? channels.filter((each) => each !== channel) : [channel],
      }),
    },
  }),
];
