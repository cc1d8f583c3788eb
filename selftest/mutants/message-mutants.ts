import type { ClauseId, MessageAuthor } from '../../spec/index.ts';
import type { Agent } from '../../reference/model/principals.ts';
import type { OutgoingMessage } from '../../reference/model/resources.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { latestRestart } from './base/latest-restart.ts';
import { breaking, mutant, rowsOf, what, type Mutant } from './base/mutant.ts';
import { otherUuid } from './base/spoil-answer.ts';

/** The id of no principal. */
const nobody = '00000000-0000-4000-8000-000000000000';

type Change = (message: OutgoingMessage) => Partial<OutgoingMessage>;

function withAuthor(
  { author }: OutgoingMessage,
  change: Partial<OutgoingMessage['author']>,
): Partial<OutgoingMessage> {
  return { author: { ...author, ...change } };
}

/** What a message says of itself: on every read, and only in a channel. */
const factMutants: readonly Mutant[] = rowsOf<Change>({
  'message.workspace-id.is-its-workspace': {
    'workspace-is-another': ({ workspace_id: id }) => ({ workspace_id: otherUuid(id) }),
    'workspace-is-its-channel': ({ channel_id: id }) => ({ workspace_id: id }),
  },
  'message.channel-id.is-its-channel': {
    'channel-is-another': ({ channel_id: id }) => ({ channel_id: otherUuid(id) }),
    'channel-is-its-workspace': ({ workspace_id: id }) => ({ channel_id: id }),
  },
  'author.is-the-agent': {
    'author-is-its-human': (message) =>
      withAuthor(message, { id: message.author.human_user?.id ?? otherUuid(message.author.id) }),
    'author-is-its-machine': (message) =>
      withAuthor(message, { id: message.author.machine?.id ?? otherUuid(message.author.id) }),
    'author-is-another': (message) => withAuthor(message, { id: otherUuid(message.author.id) }),
  },
}).flatMap(({ id, clause, value: change }) => [
  mutant(`message-${id}`, clause, `of a message the ${id.replaceAll('-', ' ')}`, {
    presentMessage: (message) => ({ ...message, ...change(message) }),
  }),
  mutant(`channel-message-${id}`, clause, `of a message in its channel the ${id.replaceAll('-', ' ')}`, {
    presentMessage: (message, route) => (route === 'read' ? { ...message, ...change(message) } : message),
  }),
]);

/** Values that are no values of their fields, where a send may hold them. */
const takenMutants: readonly Mutant[] = breaking({
  'message.content.type': {
    'json-is-shown-as-what-it-says': what(
      'the content of a JSON message is shown as the value that it says',
      {
        presentMessage: (message) =>
          message.content_type === 'application/json' && message.content.startsWith('{')
            ? { ...message, content: JSON.parse(message.content) as string }
            : message,
      },
    ),
  },
  'message.content-type.type': {
    'no-content-type-is-kept': what('null as a content type is kept and shown', {
      readText: (field, value) =>
        field === 'content_type' && value === null ? 'null' : contractRules.readText(field, value),
      presentMessage: (message) =>
        message.content_type === 'null' ? { ...message, content_type: null as unknown as string } : message,
    }),
  },
  'mention-target.id.type': {
    'ids-without-hyphens-are-kept': what('an id of a target is kept as it was written, without hyphens too', {
      acceptsTargetId: (id) => /^[0-9a-f]{32}$/.test(id) || contractRules.acceptsTargetId(id),
      acceptsTarget: () => true,
    }),
  },
});

/** What differs from one read to the next. */
const changingMutants: readonly Mutant[] = [
  ...rowsOf<Change>({
    'message.author.immutable': {
      'author-name': (message) => withAuthor(message, { display_name: `${message.author.display_name} (2)` }),
      'author-machine': (message) => withAuthor(message, { machine: null }),
      'author-human': (message) => withAuthor(message, { human_user: null }),
      'author-host': (message) => withAuthor(message, { agent_host: 'host' }),
    },
    'message.immutable': {
      'created-at': (message) => ({
        created_at: new Date(Date.parse(message.created_at) + 1_000).toISOString(),
      }),
      content: ({ content }) => ({ content: `${content} ` }),
      'content-type': () => ({ content_type: 'text/html' }),
      size: ({ size_bytes: size }) => ({ size_bytes: size + 1 }),
      targets: () => ({ mentions: [] }),
      attachments: () => ({ attachments: [] }),
      workspace: ({ workspace_id: id }) => ({ workspace_id: otherUuid(id) }),
    },
    'channel-read.sequence-names-one-message': { id: ({ id }) => ({ id: otherUuid(id) }) },
  }).map(({ id, clause, value }) => changingMessage(id, clause, value)),
  ...breaking({
    'message.immutable': {
      'created-at-is-now': what('a message says the time of its reading as that of its writing', {
        presentMessage: (message) => ({ ...message, created_at: new Date().toISOString() }),
      }),
    },
    'message.id.one-message': {
      'every-id-is-the-channel-s': { presentMessage: (message) => ({ ...message, id: message.channel_id }) },
      'ids-repeat': what('a message has the id of the one before', () => {
        const ids = new Map<string, string>();
        let last: string | undefined;
        return {
          presentMessage: (message) => {
            const id = ids.get(message.id) ?? (ids.size % 2 === 1 ? last : undefined) ?? message.id;
            ids.set(message.id, id);
            last = id;
            return { ...message, id };
          },
        };
      }),
    },
  }),
];

/** A message is shown as it was written once on each route, and changed from then on. */
function changingMessage(id: string, clause: ClauseId, change: Change): Mutant {
  return mutant(`${id}-changes`, clause, `${id.replaceAll('-', ' ')} changes at the second read`, () => {
    const shown = new Set<string>();
    return {
      presentMessage: (message, route) => {
        if (route !== 'read') return message;
        const isKnown = shown.has(message.id);
        shown.add(message.id);
        return isKnown ? { ...message, ...change(message) } : message;
      },
    };
  });
}

/** Numbers of messages that are not their places. */
const sequenceMutants: readonly Mutant[] = breaking({
  'message.sequence.channel-local': {
    'message-has-the-number-of-the-event': what('a message shows a number of its workspace', () => ({
      presentMessage: (message, route) =>
        route === 'read' ? { ...message, sequence: Number(message.sequence) + 1_000 } : message,
    })),
    'message-numbers-are-doubled': what('a message shows twice its number', {
      presentMessage: (message) => ({ ...message, sequence: Number(message.sequence) * 2 }),
    }),
    'message-numbers-begin-with-each-page': what('messages are numbered within their page', () => {
      const seen = new Map<string, number>();
      return {
        presentMessage: (message) => {
          const number = seen.get(message.id) ?? (seen.size % 5) + 1;
          seen.set(message.id, number);
          return { ...message, sequence: number };
        },
      };
    }),
  },
});

/** What is captured at the moment of writing, and what becomes of it later. */
const captureMutants: readonly Mutant[] = breaking({
  'message.author.captured-at-write': {
    'author-is-looked-up': { presentAuthor: (_captured, live) => live() },
    'restart-looks-authors-up': what('after a restart messages show their authors as they are then', () => {
      const restart = latestRestart();
      return {
        lostAtRestart: restart.note,
        presentAuthor: (captured, live) => (restart.atMs() === 0 ? captured : live()),
      };
    }),
    'agent-name-is-looked-up': what('an agent is shown under its present name', {
      presentAuthor: (captured, live) => ({ ...captured, display_name: live().display_name }),
    }),
    'machine-name-is-looked-up': what('a machine is shown under its present name', {
      presentAuthor: (captured, live) => ({ ...captured, machine: live().machine }),
    }),
  },
  'message.author.shows-present-names': {
    'names-are-cut-at-64': what('the name of a human is cut at 64 characters when it is captured', {
      capturedHuman: (human) =>
        human && { id: human.id, display_name: human.displayName?.slice(0, 64) ?? null },
    }),
    'names-are-escaped-for-a-page': what('the name of an agent is captured as markup', {
      capturedAgentName: ({ displayName }) => displayName.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    }),
    'authors-are-remembered-for-a-while': what(
      'a message shows its whole author as it was up to 5 s before',
      () => {
        const nameOf = remembered((agent: Agent | null) => agent?.displayName ?? '');
        return {
          capturedAgentName: (agent) => nameOf(agent),
          capturedHuman: remembered(contractRules.capturedHuman),
          capturedMachine: remembered(contractRules.capturedMachine),
        };
      },
    ),
    'human-is-remembered-for-a-while': what('a message shows the human as it was up to 5 s before', () => ({
      capturedHuman: remembered(contractRules.capturedHuman),
    })),
    'machine-is-remembered-for-a-while': what(
      'a message shows the machine as it was up to 5 s before',
      () => ({
        capturedMachine: remembered(contractRules.capturedMachine),
      }),
    ),
    'machines-of-one-name-are-one': what(
      'a machine is shown as the first that was seen with its name',
      () => {
        const ids = new Map<string, string>();
        return {
          capturedMachine: (machine) => {
            if (machine === null) return null;
            const { workspaceId, displayName } = machine;
            const name = `${workspaceId} ${displayName}`;
            const id = ids.get(name) ?? machine.id;
            ids.set(name, id);
            return { id, display_name: displayName };
          },
        };
      },
    ),
    'human-names-have-no-emoji': what('what lies beyond the basic plane is a question mark in a human name', {
      capturedHuman: (human) =>
        human && {
          id: human.id,
          display_name: human.displayName?.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') ?? null,
        },
    }),
  },
  'author.human-user.null-when-unavailable': {
    'nobody-is-a-human-without-a-name': what('an author without a human has one without a name', {
      capturedHuman: (human) => ({ id: human?.id ?? nobody, display_name: human?.displayName ?? null }),
    }),
    'human-of-the-one-before': what('an author without a human has that of the message before', () => {
      let before: MessageAuthor['human_user'] = null;
      return {
        capturedHuman: (human) =>
          (before = human === null ? before : { id: human.id, display_name: human.displayName }),
      };
    }),
  },
  'author.machine.null-when-unavailable': {
    'nobody-is-a-machine': what('an author without a machine has one that is called unknown', {
      capturedMachine: (machine) => ({
        id: machine?.id ?? nobody,
        display_name: machine?.displayName ?? 'unknown',
      }),
    }),
  },
  'human-user.display-name.null-when-unknown': {
    'no-name-is-an-empty-one': {
      capturedHuman: (human) => human && { id: human.id, display_name: human.displayName ?? '' },
    },
    'no-name-is-the-address': {
      capturedHuman: (human) => human && { id: human.id, display_name: human.displayName ?? human.email },
    },
  },
  'human-user.display-name.captured-at-write': {
    'human-name-is-looked-up': what('a human is shown under the present name', {
      presentAuthor: (captured, live) => ({ ...captured, human_user: live().human_user }),
    }),
  },
  'author.agent-host.captured-at-write': {
    'host-is-cut': { capturedAgentHost: (host) => host?.slice(0, 40) ?? null },
    'host-is-cut-at-79': { capturedAgentHost: (host) => host?.slice(0, 79) ?? null },
    'host-is-lower-cased': { capturedAgentHost: (host) => host?.toLowerCase() ?? null },
    'host-ends-at-a-blank': { capturedAgentHost: (host) => host?.split(' ')[0] ?? null },
    'host-is-ascii': { capturedAgentHost: (host) => host?.replaceAll(/[^\x20-\x7e]/gu, '?') ?? null },
    'every-second-host-is-dropped': what('the host of every second message that has one is not kept', () => {
      let hosts = 0;
      return { capturedAgentHost: (host) => (host !== null && (hosts += 1) % 2 === 0 ? null : host) };
    }),
    'host-is-the-latest': what('every message of an agent shows the host of its latest', () => {
      let latest: string | null = null;
      return {
        capturedAgentHost: (host) => (latest = host ?? latest),
        presentAuthor: (captured) => ({ ...captured, agent_host: captured.agent_host ? latest : null }),
      };
    }),
  },
  'author.agent-host.display-only': {
    'host-names-the-agent': what('the host of an agent becomes its name', {
      presentAuthor: (captured) => ({
        ...captured,
        display_name: captured.agent_host ?? captured.display_name,
      }),
    }),
    'host-is-the-agent': what('a message with a host has another author', {
      presentAuthor: (captured) =>
        captured.agent_host ? { ...captured, id: otherUuid(captured.id) } : captured,
    }),
    'host-names-the-machine': {
      presentAuthor: (captured) => ({
        ...captured,
        machine: captured.machine && {
          ...captured.machine,
          display_name: captured.agent_host ?? captured.machine.display_name,
        },
      }),
    },
  },
  'author.agent-host.counts-characters': {
    'host-is-counted-in-bytes': what('a host of more than 80 bytes is refused', {
      agentHostLength: (host) => Buffer.byteLength(host),
    }),
    'host-is-counted-in-thirds-of-bytes': what('a host of 80 characters of three bytes is refused', {
      agentHostLength: (host) => Math.max(host.length, Math.ceil(Buffer.byteLength(host) / 2)),
    }),
  },
  'author.agent-host.out-of-range-refused': {
    'host-of-81-is-taken': what('a host of 81 characters is taken', { maxAgentHostLength: () => 81 }),
    'host-is-taken-and-cut': what('a host over 80 characters is cut', {
      maxAgentHostLength: () => 10_000,
      capturedAgentHost: (host) => host && Array.from(host).slice(0, 80).join(''),
    }),
    'host-may-be-empty': { minAgentHostLength: () => 0, capturedAgentHost: (host) => host || null },
  },
  'message.mentions.captured': {
    'targets-are-dropped': what('a message shows no targets', { presentTargets: () => [] }),
    'first-target-is-kept': { presentTargets: (targets) => targets.slice(0, 1) },
    'agent-targets-are-kept': { presentTargets: (targets) => targets.filter(({ kind }) => kind === 'agent') },
    'human-targets-are-dropped': what('a message does not show humans among its targets', {
      presentTargets: (targets) => targets.filter(({ kind }) => kind !== 'user'),
    }),
    'machine-targets-are-dropped': what('a message does not show machines among its targets', {
      presentTargets: (targets) => targets.filter(({ kind }) => kind !== 'machine'),
    }),
    'nine-targets-are-kept': { presentTargets: (targets) => targets.slice(0, 9) },
    'two-targets-are-kept': { presentTargets: (targets) => targets.slice(0, 2) },
    '19-targets-are-kept': { presentTargets: (targets) => targets.slice(0, 19) },
    'targets-become-agents': what('every target of a message is shown as an agent', {
      presentTargets: (targets) => targets.map(({ id }) => ({ kind: 'agent' as const, id })),
    }),
  },
  'message.attachments.captured': {
    'first-attachment-is-kept': { capturedAttachments: (ids) => ids.slice(0, 1) },
    '19-attachments-are-kept': what('a message shows 19 files at most', {
      capturedAttachments: (ids) => contractRules.capturedAttachments(ids).slice(0, 19),
    }),
    'the-last-incomplete-ten-of-attachments-is-forgotten': {
      presentAttachments: (files) =>
        files.length > 10 ? files.slice(0, files.length - (files.length % 10)) : [...files],
    },
    'every-second-attachment-is-dropped': () => {
      let messages = 0;
      return {
        capturedAttachments: (ids) => (ids.length > 0 && (messages += 1) % 2 === 0 ? [] : [...new Set(ids)]),
      };
    },
  },
  'message.mentions.never-re-resolved': {
    'renamed-targets-are-dropped': what('a target that was renamed is no longer shown', () => {
      const names = new Map<string, string | null>();
      return {
        presentTargets: (targets, nameNow) =>
          targets.filter((target) => {
            const name = nameNow(target);
            if (!names.has(target.id)) names.set(target.id, name);
            return names.get(target.id) === name;
          }),
      };
    }),
    'renamed-targets-are-others': what('a target that was renamed is looked up under its old name', () => {
      const names = new Map<string, string | null>();
      return {
        presentTargets: (targets, nameNow) =>
          targets.map((target) => {
            const name = nameNow(target);
            if (!names.has(target.id)) names.set(target.id, name);
            return names.get(target.id) === name ? target : { ...target, id: otherUuid(target.id) };
          }),
      };
    }),
  },
});

/** Faults that need two channels, two agents, or a special value to be seen. */
const narrowMutants: readonly Mutant[] = breaking({
  'message.channel-id.is-its-channel': {
    'every-channel-is-the-first': what(
      'every message says the channel of the one that was shown first',
      () => {
        let first: string | undefined;
        return { presentMessage: (message) => ({ ...message, channel_id: (first ??= message.channel_id) }) };
      },
    ),
  },
  'author.is-the-agent': {
    'every-author-is-the-first': what('every message has the agent as its author that wrote first', () => {
      let first: string | undefined;
      return { capturedAgentId: ({ id }) => (first ??= id) };
    }),
  },
  'message.author.immutable': {
    'author-name-changes-in-mentions': what(
      'the name of an author is another one in each listing of mentions',
      () => {
        let times = 0;
        return {
          presentMessage: (message, route) =>
            route === 'mentions'
              ? { ...message, author: { ...message.author, display_name: `name ${(times += 1)}` } }
              : message,
        };
      },
    ),
  },
  'message.mentions.captured': {
    'a-stranger-is-a-target': {
      presentTargets: (targets) => [
        ...targets.slice(0, 19),
        { kind: 'agent', id: '5b2e4c1a-7d3f-4e8b-9a6c-0f1d2e3c4b5a' },
      ],
    },
  },
  'author.agent-host.display-only': {
    'a-host-with-an-id-is-the-author': {
      presentAuthor: (author) =>
        /^[0-9a-f-]{36}$/.test(author.agent_host ?? '') ? { ...author, id: author.agent_host ?? '' } : author,
    },
  },
});

export const messageMutants: readonly Mutant[] = [
  ...factMutants,
  ...takenMutants,
  ...changingMutants,
  ...sequenceMutants,
  ...captureMutants,
  ...narrowMutants,
];

/** What was captured of somebody is taken again for 5 s. */
function remembered<Principal extends { readonly id: string }, Captured>(
  capture: (principal: Principal | null) => Captured,
): (principal: Principal | null) => Captured {
  const known = new Map<string, { readonly captured: Captured; readonly untilMs: number }>();
  return (principal) => {
    const id = principal?.id ?? '';
    const now = performance.now();
    const before = known.get(id);
    if (before !== undefined && now < before.untilMs) return before.captured;
    const captured = capture(principal);
    known.set(id, { captured, untilMs: now + 5_000 });
    return captured;
  };
}
