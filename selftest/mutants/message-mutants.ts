import { isUuid, type MentionTarget, type MessageAuthor } from '../../spec/index.ts';
import type { Human } from '../../reference/model/principals.ts';
import type { OutgoingMessage } from '../../reference/model/resources.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { also, replacing, shown, sinceRestart } from './base/changed-rules.ts';
import { breaking, mutant, rowsOf, type Mutant } from './base/mutant.ts';
import { kept } from './base/overlay.ts';

import {
  type Answering,
  type JsonObject,
  listOf,
  objectOf,
  otherUuid,
  spoilMessages,
  spoilList,
  without,
} from './base/spoil-answer.ts';
import { push } from '../../spec/groups.ts';

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
}).flatMap(({ id, clause, what, value: change }) => [
  mutant(`message-${id}`, clause, `of a message the ${what}`, shown('presentMessage', change)),
  mutant(`channel-message-${id}`, clause, `of a message in its channel the ${what}`, inChannel(change)),
]);

/** A message is shown otherwise in its channel. */
function inChannel(change: Change): Partial<Rules> {
  return shown('presentMessage', (message, route) => (route === 'read' ? change(message) : {}));
}

/** What differs from one read to the next: a message is shown as it was written once, and changed from then on. */
const changingMutants: readonly Mutant[] = rowsOf<Change>({
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
}).map(({ id, clause, what, value: change }) =>
  mutant(`${id}-changes`, clause, `${what} changes at the second read`, ({ isNew }) =>
    inChannel((message) => (isNew(message.id) ? {} : change(message))),
  ),
);

/** A send that is refused for its key changes the message that the key stands for. */
function conflictChanging(
  change: (body: Readonly<Record<string, unknown>>, message: OutgoingMessage) => Partial<OutgoingMessage>,
): () => Partial<Rules> {
  return () => {
    const bodies = new Map<string, Readonly<Record<string, unknown>>>();
    /** By the content of the message. */
    const refused = new Map<unknown, Readonly<Record<string, unknown>>[]>();
    return {
      fingerprint: (body) => {
        const fingerprint = contractRules.fingerprint(body);
        bodies.set(fingerprint, body);
        return fingerprint;
      },
      onKeyReuse: (record, fingerprint) => {
        const effect = contractRules.onKeyReuse(record, fingerprint);
        const [before, now] = [bodies.get(record.fingerprint), bodies.get(fingerprint)];
        if (effect === 'conflict' && before !== undefined && now !== undefined)
          push(refused, before['content'], now);
        return effect;
      },
      ...shown(
        'presentMessage',
        (message) =>
          Object.assign(
            {},
            ...(refused.get(message.content) ?? []).map((body) => change(body, message)),
          ) as object,
      ),
    };
  };
}

/** Values that are no values of their fields, what a message must keep from read to read, and what is captured as it is written. */
const shownMutants: readonly Mutant[] = breaking({
  'message.content.type': {
    'json-is-shown-as-what-it-says: the content of a JSON message is shown as the value that it says': shown(
      'presentMessage',
      ({ content_type: type, content }) =>
        type === 'application/json' && content.startsWith('{')
          ? { content: JSON.parse(content) as string }
          : {},
    ),
  },
  'message.content-type.type': {
    'no-content-type-is-kept: null as a content type is kept and shown': {
      readText: (field, value) =>
        field === 'content_type' && value === null ? 'null' : contractRules.readText(field, value),
      ...shown('presentMessage', ({ content_type: type }) =>
        type === 'null' ? { content_type: null as unknown as string } : {},
      ),
    },
  },
  'mention-target.id.type': {
    'ids-without-hyphens-are-kept: an id of a target is kept as it was written, without hyphens too': {
      ...also('acceptsTargetId', (id) => /^[0-9a-f]{32}$/.test(id)),
      acceptsTarget: () => true,
    },
  },
  'message.immutable': {
    'restart-cuts-long-texts: after a restart a text ends with its 65,535th character': sinceRestart(
      (restartedMs) =>
        shown('presentMessage', ({ content }) =>
          restartedMs() > 0 ? { content: content.slice(0, 65_535) } : {},
        ),
    ),
    'a-conflict-changes-the-host: a message shows the host of a send that its key refused': conflictChanging(
      ({ agent_host: host }, { author }) =>
        typeof host === 'string' ? { author: { ...author, agent_host: host } } : {},
    ),
    'a-conflict-changes-the-targets: a message shows the targets of a send that its key refused':
      conflictChanging(({ mentions }) =>
        Array.isArray(mentions) ? { mentions: mentions as MentionTarget[] } : {},
      ),
    'a-conflict-changes-the-type: a message shows the content type of a send that its key refused':
      conflictChanging(({ content_type: type }) => (typeof type === 'string' ? { content_type: type } : {})),
    'created-at-is-now: a message says the time of its reading as that of its writing': shown(
      'presentMessage',
      () => ({ created_at: new Date().toISOString() }),
    ),
  },
  'message.id.one-message': {
    'every-id-is-the-channel-s': shown('presentMessage', ({ channel_id: id }) => ({ id })),
    'ids-repeat: a message has the id of the one before': () => {
      const ids = new Map<string, string>();
      let last: string | undefined;
      return shown('presentMessage', (message) => {
        const id = ids.get(message.id) ?? (ids.size % 2 === 1 ? last : undefined) ?? message.id;
        ids.set(message.id, id);
        last = id;
        return { id };
      });
    },
  },
  'message.sequence.channel-local': {
    'message-has-the-number-of-the-event: a message shows a number of its workspace': inChannel(
      ({ sequence }) => ({ sequence: Number(sequence) + 1_000 }),
    ),
    'message-numbers-are-doubled: a message shows twice its number': shown(
      'presentMessage',
      ({ sequence }) => ({ sequence: Number(sequence) * 2 }),
    ),
    'message-numbers-begin-with-each-page: messages are numbered within their page': ({ place }) =>
      shown('presentMessage', ({ id }) => ({ sequence: (place(id) % 5) + 1 })),
  },
  'message.author.captured-at-write': {
    'author-is-looked-up': { presentAuthor: (_captured, live) => live() },
    'restart-looks-authors-up: after a restart messages show their authors as they are then': sinceRestart(
      (restartedMs) => ({
        presentAuthor: (captured, live) => (restartedMs() === 0 ? captured : live()),
      }),
    ),
    'agent-name-is-looked-up: an agent is shown under its present name': lookedUp('display_name'),
    'machine-name-is-looked-up: a machine is shown under its present name': lookedUp('machine'),
  },
  'message.author.shows-present-names': {
    'names-are-cut-at-64: the name of a human is cut at 64 characters when it is captured': humanCalled(
      ({ displayName }) => displayName?.slice(0, 64) ?? null,
    ),
    'names-are-escaped-for-a-page: the name of an agent is captured as markup': {
      capturedAgentName: ({ displayName }) => displayName.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    },
    'authors-are-remembered-for-a-while: a message shows its whole author as it was up to 5 s before':
      () => ({
        capturedAgentName: remembered(contractRules.capturedAgentName),
        capturedHuman: remembered(contractRules.capturedHuman),
        capturedMachine: remembered(contractRules.capturedMachine),
      }),
    'human-is-remembered-for-a-while: a message shows the human as it was up to 5 s before': () => ({
      capturedHuman: remembered(contractRules.capturedHuman),
    }),
    'machine-is-remembered-for-a-while: a message shows the machine as it was up to 5 s before': () => ({
      capturedMachine: remembered(contractRules.capturedMachine),
    }),
    'renames-reach-one-agent: a human has its new name with the first of its agents that wrote, and the old one with others':
      ({ first }) => {
        let writer = '';
        return {
          capturedAgentId: ({ id }) => (writer = id),
          capturedHuman: (human) => {
            const former = human && first(`name of ${human.id}`, human.displayName ?? 'a human');
            const isNew = human && first(`agent of ${human.id}`, writer) === writer;
            return human && { id: human.id, display_name: isNew ? human.displayName : former };
          },
        };
      },
    'machines-of-one-name-are-one: a machine is shown as the first that was seen with its name': ({
      first,
    }) => ({
      capturedMachine: (machine) =>
        machine && {
          id: first(`${machine.workspaceId} ${machine.displayName}`, machine.id),
          display_name: machine.displayName,
        },
    }),
    'human-names-have-no-emoji: what lies beyond the basic plane is a question mark in a human name':
      humanCalled(({ displayName }) => displayName?.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') ?? null),
  },
  'author.human-user.null-when-unavailable': {
    'nobody-is-a-human-without-a-name: an author without a human has one without a name': {
      capturedHuman: (human) => contractRules.capturedHuman(human) ?? { id: nobody, display_name: null },
    },
    'human-of-the-one-before: an author without a human has that of the message before': () => {
      let before: MessageAuthor['human_user'] = null;
      return { capturedHuman: (human) => (before = contractRules.capturedHuman(human) ?? before) };
    },
  },
  'author.machine.null-when-unavailable': {
    'nobody-is-a-machine: an author without a machine has one that is called unknown': {
      capturedMachine: (machine) =>
        contractRules.capturedMachine(machine) ?? { id: nobody, display_name: 'unknown' },
    },
  },
  'human-user.display-name.null-when-unknown': {
    'no-name-is-an-empty-one': humanCalled(({ displayName }) => displayName ?? ''),
    'no-name-is-the-address': humanCalled(({ displayName, email }) => displayName ?? email),
  },
  'human-user.display-name.captured-at-write': {
    'human-name-is-looked-up: a human is shown under the present name': lookedUp('human_user'),
    'no-name-is-filled-in-later: a human that had no name is shown under the present one': {
      presentAuthor: (captured, live) =>
        captured.human_user?.display_name === null
          ? { ...captured, human_user: live().human_user }
          : captured,
    },
  },
  'author.agent-host.captured-at-write': {
    ...replacing('capturedAgentHost', {
      'host-is-cut': (host) => host?.slice(0, 40) ?? null,
      'host-is-cut-at-79': (host) => host?.slice(0, 79) ?? null,
      'host-is-lower-cased': (host) => host?.toLowerCase() ?? null,
      'host-ends-at-a-blank': (host) => host?.split(' ')[0] ?? null,
      'host-ends-at-a-slash': (host) => host?.split('/')[0] ?? null,
      'host-ends-at-a-semicolon': (host) => host?.split(';')[0] ?? null,
      'host-is-escaped-for-a-page': (host) => host?.replaceAll('&', '&amp;').replaceAll('<', '&lt;') ?? null,
      'host-is-ascii': (host) => host?.replaceAll(/[^\x20-\x7e]/gu, '?') ?? null,
    }),
    'every-second-host-is-dropped: the host of every second message that has one is not kept': ({ nth }) => ({
      capturedAgentHost: (host) => (host !== null && nth(2) ? null : host),
    }),
    'host-is-the-latest: every message of an agent shows the host of its latest': () => {
      let latest: string | null = null;
      return {
        capturedAgentHost: (host) => (latest = host ?? latest),
        ...shown('presentAuthor', ({ agent_host: host }) => ({ agent_host: host ? latest : null })),
      };
    },
  },
  'author.agent-host.display-only': {
    'host-names-the-agent: the host of an agent becomes its name': shown(
      'presentAuthor',
      ({ agent_host, display_name }) => ({ display_name: agent_host ?? display_name }),
    ),
    'no-machine-for-a-host: a message with a host has no machine': shown(
      'presentAuthor',
      ({ agent_host: host, machine }) => ({ machine: host ? null : machine }),
    ),
    'host-is-the-agent: a message with a host has another author': shown(
      'presentAuthor',
      ({ agent_host: host, id }) => ({ id: host ? otherUuid(id) : id }),
    ),
    'host-names-the-machine': shown('presentAuthor', ({ agent_host: host, machine }) => ({
      machine: machine && { ...machine, display_name: host ?? machine.display_name },
    })),
    'a-host-with-an-id-is-the-author': shown('presentAuthor', ({ agent_host: host, id }) => ({
      id: host && isUuid(host) ? host : id,
    })),
  },
  'author.agent-host.counts-characters': replacing('agentHostLength', {
    'host-is-counted-in-bytes: a host of more than 80 bytes is refused': (host) => Buffer.byteLength(host),
    'host-is-counted-in-thirds-of-bytes: a host of 80 characters of three bytes is refused': (host) =>
      Math.max(host.length, Math.ceil(Buffer.byteLength(host) / 2)),
  }),
  'author.agent-host.out-of-range-refused': {
    'host-of-81-is-taken: a host of 81 characters is taken': { maxAgentHostLength: () => 81 },
    'host-is-taken-and-cut: a host over 80 characters is cut': {
      maxAgentHostLength: () => 10_000,
      capturedAgentHost: (host) => host && Array.from(host).slice(0, 80).join(''),
    },
    'host-may-be-empty': { minAgentHostLength: () => 0, capturedAgentHost: (host) => host || null },
  },
  'message.mentions.captured': {
    'page-shows-a-thousand-targets: a page of a channel shows no more than a thousand targets': spoilList(
      'read',
      (messages) => firstThousand('mentions', messages),
    ),
    'listing-shows-a-thousand-targets: a page of mentions shows no more than a thousand targets': spoilList(
      'mentions',
      (items) => firstThousand('mentions', items),
    ),
    ...replacing('presentTargets', {
      'targets-are-dropped: a message shows no targets': () => [],
      'first-target-is-kept': (targets) => targets.slice(0, 1),
      'agent-targets-are-kept': (targets) => targets.filter(({ kind }) => kind === 'agent'),
      'human-targets-are-dropped: a message does not show humans among its targets': (targets) =>
        targets.filter(({ kind }) => kind !== 'user'),
      'machine-targets-are-dropped: a message does not show machines among its targets': (targets) =>
        targets.filter(({ kind }) => kind !== 'machine'),
      'nine-targets-are-kept': (targets) => targets.slice(0, 9),
      'two-targets-are-kept': (targets) => targets.slice(0, 2),
      '19-targets-are-kept': (targets) => targets.slice(0, 19),
      'targets-become-agents: every target of a message is shown as an agent': (targets) =>
        targets.map(({ id }) => ({ kind: 'agent' as const, id })),
      'machines-are-targets-while-they-are-active': (targets, _nameNow, isActiveNow) =>
        targets.filter(isActiveNow),
      'a-stranger-is-a-target': (targets) => [
        ...targets.slice(0, 19),
        { kind: 'agent', id: '5b2e4c1a-7d3f-4e8b-9a6c-0f1d2e3c4b5a' },
      ],
    }),
  },
  'message.attachments.captured': {
    'page-shows-a-thousand-files: a page of a channel shows no more than a thousand files': spoilList(
      'read',
      (messages) => firstThousand('attachments', messages),
    ),
    'listing-shows-a-thousand-files: a page of mentions shows no more than a thousand files': spoilList(
      'mentions',
      (items) => firstThousand('attachments', items),
    ),
    'first-attachment-is-kept': { capturedAttachments: (ids) => ids.slice(0, 1) },
    '19-attachments-are-kept: a message shows 19 files at most': {
      capturedAttachments: (ids) => contractRules.capturedAttachments(ids).slice(0, 19),
    },
    'the-last-incomplete-ten-of-attachments-is-forgotten': {
      presentAttachments: (files) =>
        files.length > 10 ? files.slice(0, files.length - (files.length % 10)) : [...files],
    },
    'files-of-one-name-are-one: of files of one name a message shows the last': {
      presentAttachments: (files) => [...new Map(files.map((file) => [file.filename, file])).values()],
    },
    'files-end-where-their-names-are-long: a message shows files as long as their names have 1,024 characters':
      {
        presentAttachments: (files) => {
          let room = 1_024;
          return files.filter(({ filename }) => (room -= filename.length) > 0);
        },
      },
    'every-second-attachment-is-dropped': ({ nth }) => ({
      capturedAttachments: (ids) => (ids.length > 0 && nth(2) ? [] : [...new Set(ids)]),
    }),
  },
  'message.mentions.never-re-resolved': {
    'renamed-targets-are-dropped: a target that was renamed is no longer shown': ({ first }) => ({
      presentTargets: (targets, nameNow) =>
        targets.filter((target) => first(target.id, nameNow(target)) === nameNow(target)),
    }),
    'renamed-targets-are-others: a target that was renamed is looked up under its old name': ({ first }) => ({
      presentTargets: (targets, nameNow) =>
        targets.map((target) =>
          first(target.id, nameNow(target)) === nameNow(target)
            ? target
            : { ...target, id: otherUuid(target.id) },
        ),
    }),
  },
  'message.channel-id.is-its-channel': {
    'every-channel-is-the-first: every message says the channel of the one that was shown first': ({
      first,
    }) => shown('presentMessage', ({ channel_id: id }) => ({ channel_id: first(null, id) })),
  },
  'author.is-the-agent': {
    'every-author-is-the-first: every message has the agent as its author that wrote first': ({ first }) => ({
      capturedAgentId: ({ id }) => first(null, id),
    }),
  },
  'message.author.immutable': {
    'author-name-changes-in-mentions: the name of an author is another one in each listing of mentions':
      () => {
        let times = 0;
        return shown('presentMessage', (message, route) =>
          route === 'mentions' ? withAuthor(message, { display_name: `name ${(times += 1)}` }) : {},
        );
      },
    'the-26th-author-of-a-page-is-its-first': spoilList('read', (items) => {
      const authors = new Map(items.map(({ author }) => [objectOf(author)['id'], author]));
      const [first, strange] = [items[0]?.['author'], [...authors.keys()][25]];
      return items.map((item) =>
        strange !== undefined && objectOf(item['author'])['id'] === strange
          ? { ...item, author: first }
          : item,
      );
    }),
  },
});

/** What long messages are shown without, in every view. */
const longMutants: readonly Mutant[] = breaking({
  'message.attachments.captured': {
    'long-messages-lose-their-files: a message of more than 100,000 bytes is shown without files':
      losingWhenLong((message) => without(message, 'attachments')),
  },
  'source-session.valid-is-accepted': {
    'long-messages-lose-their-sessions: a message of more than 100,000 bytes is shown without a session':
      losingWhenLong((message) => ({
        ...message,
        author: without(objectOf(message['author']), 'source_session'),
      })),
  },
});

export const messageMutants: readonly Mutant[] = [
  ...factMutants,
  ...changingMutants,
  ...shownMutants,
  ...longMutants,
];

function losingWhenLong(lose: (message: JsonObject) => JsonObject): Answering {
  return spoilMessages((message) => (Number(message['size_bytes']) > 100_000 ? lose(message) : message));
}

/** The items of a page without what its messages have of something beyond the first thousand. */
function firstThousand(of: 'mentions' | 'attachments', items: readonly JsonObject[]): readonly JsonObject[] {
  let left = 1_000;
  return items.map((item) => {
    const isMention = 'message' in item;
    const { [of]: all, ...message } = isMention ? objectOf(item['message']) : item;
    // Those that come after the last of them look as if they were shown without.
    const some = left > 0 ? listOf(all).slice(0, left) : undefined;
    left -= some?.length ?? 0;
    const cut = some === undefined ? message : { ...message, [of]: some };
    return isMention ? { ...item, message: cut } : cut;
  });
}

/** A human is captured under another name. */
function humanCalled(nameOf: (human: Human) => string | null): Partial<Rules> {
  return { capturedHuman: (human) => human && { id: human.id, display_name: nameOf(human) } };
}

/** A part of an author is shown as it is now. */
function lookedUp(name: 'display_name' | 'machine' | 'human_user'): Partial<Rules> {
  return shown('presentAuthor', (_captured, live) => ({ [name]: live()[name] }));
}

/** What was captured of somebody is taken again for 5 s. */
function remembered<Principal extends { readonly id: string } | null, Captured>(
  capture: (principal: Principal) => Captured,
): (principal: Principal) => Captured {
  const known = kept<Captured>(5_000, () => performance.now());
  return (principal) => known(principal?.id, () => capture(principal));
}
