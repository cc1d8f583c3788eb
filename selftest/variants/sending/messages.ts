import { jsonAnswer, type Answer } from '../../../reference/model/answer.ts';
import type { OutgoingMessage } from '../../../reference/model/resources.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import { otherUuid, without } from '../../mutants/base/spoil-answer.ts';
import { agentTarget, isOfOneHuman, reachingAlso } from '../../mutants/mention-reach-mutants.ts';
import { onMessages, leavingOut } from '../answers/answers.ts';
import { inOwnWords } from '../answers/own-words.ts';
import { alternatives, leavingOpen, openBy, type Variant } from '../base/variant.ts';

/** An @ before its name or its id, or in a <…>, reaches an agent as well. */
const atAlso = reachingAlso(({ id, displayName }, _targets, content) =>
  [id, displayName].some((name) => content.includes(`@${name}`)),
);

/** What a message shows of itself, its readers and its author, and what it does not. */
export const messageVariants: readonly Variant[] = [
  ...alternatives({
    'messages-have-no-receipts: message.receipts.optional; versioning.older-servers': {
      presentReceipts: () => undefined,
    },
    'an-older-server-knows-no-receipts: versioning.older-servers: what shows no receipts has none to list either':
      {
        rules: { presentReceipts: () => undefined },
        answer: (answer, { route }) =>
          route === 'receipts' || route === 'reportReceipts' ? notFoundLike(answer) : undefined,
      },
    'an-older-server-lists-no-receipts: versioning.older-servers: a call that a server does not have is no page of it either':
      {
        rules: { presentReceipts: () => undefined },
        answer: (answer, { route }) =>
          route === 'receipts' || route === 'reportReceipts'
            ? { ...notFoundLike(answer), status: 405 }
            : undefined,
      },
    'receipts-cannot-be-reported: service.other-operations: how a retrieval is reported is not shown': {
      rules: { isPreviewed: () => false },
      answer: (answer, { route }) => (route === 'reportReceipts' ? notFoundLike(answer) : undefined),
    },
    'mentions-show-no-receipts: message.receipts.optional': onMessages((message, { route }) =>
      route === 'mentions' ? without(message, 'receipts') : message,
    ),
    ...openBy('a preview has a greatest length, and no least one', {
      'previews-name-two-agents': { previewSize: () => 2 },
      'previews-name-nobody-where-there-are-two': ({ rules }) => ({
        presentReceipts: (ids, isMore) =>
          rules.presentReceipts(ids.length > 1 ? [] : ids, isMore || ids.length > 1),
      }),
    }),
  }),
  ...alternatives({
    'empty-lists-are-left-out: message.mentions.optional; message.attachments.optional; author.agent-host.optional':
      onMessages((message) => {
        const { author, ...rest } = message;
        return {
          ...leavingOut(rest, (_name, value) => Array.isArray(value) && value.length === 0),
          author: leavingOut(
            { ...(author as object) },
            (_name, value) => value === null && _name === 'agent_host',
          ),
        };
      }),
    'an-agent-host-is-always-named: author.agent-host.optional': {
      capturedAgentHost: (agentHost) => agentHost ?? 'some host',
    },
  }),
  ...alternatives({
    ...openBy(
      'message.mentions.optional; message.attachments.optional; author.source-session.optional: no words say that every view shows them',
      {
        'a-feed-shows-no-targets': viewing(({ isFeed }) => (isFeed ? ['mentions'] : [])),
        'a-feed-shows-no-files': viewing(({ isFeed }) => (isFeed ? ['attachments'] : [])),
        'a-feed-shows-no-sessions': viewing(({ isFeed }) => (isFeed ? ['source_session'] : [])),
        'a-feed-shows-what-it-has-to': viewing(({ isFeed }) => (isFeed ? optionalFields : [])),
        'a-channel-shows-no-targets': viewing(({ isFeed }) => (isFeed ? [] : ['mentions'])),
        'a-channel-shows-no-files': viewing(({ isFeed }) => (isFeed ? [] : ['attachments'])),
        'a-channel-shows-what-it-has-to': viewing(({ isFeed }) => (isFeed ? [] : optionalFields)),
        'nobody-is-shown-targets': viewing(() => ['mentions']),
        'a-channel-shows-no-sessions': viewing(({ isFeed }) =>
          isFeed ? [] : ['source_session', 'agent_host'],
        ),
        'a-session-is-shown-to-its-own-agent': viewing(({ isOwn }) =>
          isOwn ? [] : ['source_session', 'agent_host'],
        ),
        'a-page-of-many-files-shows-none': viewing(({ files }) => (files > 50 ? ['attachments'] : [])),
        'an-older-release-answers-now-and-then': viewingInTurn([() => [], () => optionalFields, () => []]),
        'two-releases-take-turns': viewingInTurn([() => [], () => optionalFields]),
      },
    ),
  }),
  ...alternatives({
    ...openBy('message.mentions.order-and-repeats', {
      'targets-are-sorted': ({ rules }) => ({
        capturedTargets: (targets) =>
          rules.capturedTargets(targets).toSorted((left, right) => (left.id < right.id ? -1 : 1)),
      }),
      'repeated-targets-are-kept': { capturedTargets: (targets) => [...targets] },
    }),
    ...openBy('names are not resolved on read; that they are on writing is not ruled out', {
      'an-at-in-a-text-adds-a-target': {
        targetsInText: (content, agents) => atAlso([], content, agents).slice(0, 20),
      },
      'an-at-in-a-text-reaches-without-a-target': { mentionedBy: atAlso },
      'a-word-for-everybody-adds-targets': {
        targetsInText: (content, agents) =>
          /@(?:here|channel|everyone|all)\b|<!here>/.test(content)
            ? agents().slice(0, 20).map(agentTarget)
            : [],
      },
    }),
    'mentions-of-a-send-are-ignored: send.other-request-fields': { capturedTargets: () => [] },
    'mentions-of-a-send-are-refused: send.other-request-fields; send.unknown-fields': ({ rules }) => ({
      acceptsField: (name) => name !== 'mentions' && rules.acceptsField(name),
    }),
  }),
  ...alternatives({
    'attachments-of-a-send-are-ignored: send.other-request-fields': { capturedAttachments: () => [] },
    'repeated-attachments-are-kept: that a message shows a file once is said nowhere': {
      capturedAttachments: (fileIds) => [...fileIds],
    },
  }),
  ...alternatives({
    'self-reports-are-ignored: how a source session or an agent host is reported is not shown': {
      capturedSession: () => null,
      capturedAgentHost: () => null,
    },
    'self-reports-are-refused: how a source session or an agent host is reported is not shown; send.unknown-fields':
      ({ rules }) => ({
        acceptsField: (name) => !['source_session', 'agent_host'].includes(name) && rules.acceptsField(name),
      }),
  }),
  ...leavingOpen({
    'providers-have-other-names: the contract writes neutral words where the service has names': inOwnWords,
  }),
  ...alternatives({
    ...openBy('message.created-at.order', {
      'creation-times-fall': () => {
        let sends = 0;
        return { createdAtMs: (nowMs) => nowMs - 1000 * (sends += 1) };
      },
      'creation-times-are-equal': { createdAtMs: (nowMs) => nowMs - (nowMs % 3_600_000) },
    }),
    'the-clock-is-a-day-fast: nothing says whose clock a time is read from': {
      createdAtMs: (nowMs) => nowMs + 86_400_000,
    },
  }),
  ...leavingOpen({
    'agents-of-one-human-are-one-author: mentions.same-human-authored': { isSelfAuthored: isOfOneHuman },
    ...openBy('a principal that was not available is null', {
      'authors-have-no-human': { capturedHuman: () => null },
      'authors-have-no-machine': { capturedMachine: () => null },
    }),
    ...openBy('a principal that was not available is null, whatever it was for the message before', {
      'a-human-is-not-always-available': ({ random }) => ({
        capturedHuman: (human) =>
          random() < 0.3 ? null : human && { id: human.id, display_name: human.displayName },
      }),
      'a-machine-is-not-always-available': ({ random }) => ({
        capturedMachine: (machine) =>
          random() < 0.3 ? null : machine && { id: machine.id, display_name: machine.displayName },
      }),
      'a-name-is-not-always-supplied': ({ random }) => ({
        capturedHuman: (human) =>
          human && { id: human.id, display_name: random() < 0.3 ? null : human.displayName },
      }),
    }),
    'an-agent-runs-on-two-machines-by-turns: the machine is that of the write; that an agent has one is said nowhere':
      () => {
        let writes = 0;
        return {
          capturedMachine: (machine) => {
            if (machine === null) return null;
            const { id, displayName: display_name } = machine;
            writes += 1;
            return { id: writes % 2 === 0 ? otherUuid(id) : id, display_name };
          },
        };
      },
    'agents-have-names-of-64-characters: no length of a name is promised: an operator may be able to give a short one alone':
      {
        capturedAgentName: ({ displayName }) => displayName.slice(0, 64),
      },
    'names-have-a-form-of-their-own: that a name is captured is said, and not what is made of it': {
      capturedAgentName: ({ displayName }) => `${displayName} (bot)`,
      capturedHuman: (human) =>
        human && {
          id: human.id,
          display_name: human.displayName?.replace(/^(\S+) (.+)$/s, '$2, $1') ?? null,
        },
    },
    'names-have-300-characters: a name is a string; no greatest length is given': {
      capturedAgentName: ({ displayName }) => atLength(displayName),
      capturedHuman: (human) =>
        human && { id: human.id, display_name: human.displayName && atLength(human.displayName) },
    },
    'humans-have-no-names: the name of a human may be null': {
      capturedHuman: (human) => human && { id: human.id, display_name: null },
    },
    'names-are-empty: a name is a string; no least length is given': {
      capturedAgentName: () => '',
      capturedMachine: (machine) => machine && { id: machine.id, display_name: '' },
    },
  }),
];

/** A name with all that an identity provider may add to it. */
function atLength(name: string): string {
  return name.padEnd(300, ', of the organisation');
}

/** Who looks at a message, and where. */
interface MessageView {
  readonly isFeed: boolean;
  /** It is the message of whoever reads. */
  readonly isOwn: boolean;
  /** Of all messages of the page. */
  readonly files: number;
}

/** What a message need not have, receipts aside. */
const optionalFields = ['mentions', 'attachments', 'source_session', 'agent_host'];

/** What a view of a message leaves out. */
type LeftOutOf = (view: MessageView) => readonly string[];

/** Some views leave optional fields out. */
function viewing(leftOutOf: LeftOutOf): Partial<Rules> {
  return viewingInTurn([leftOutOf]);
}

/** One answer after another leaves out what each says, as by several releases behind one address. */
function viewingInTurn(releases: readonly [LeftOutOf, ...LeftOutOf[]]): Partial<Rules> {
  const shown = (message: OutgoingMessage, leftOut: readonly string[]): OutgoingMessage => {
    const isLeftOut = (name: string): boolean => leftOut.includes(name);
    return leavingOut(
      { ...message, author: leavingOut({ ...message.author }, isLeftOut) },
      isLeftOut,
    ) as typeof message;
  };
  let turn = 0;
  return {
    presentRead: ({ items, page }, { page: { stream }, reader }) => {
      const leftOutOf = releases[(turn += 1) % releases.length] ?? releases[0];
      const messageIn = (item: (typeof items)[number]): OutgoingMessage =>
        'message' in item ? item.message : item;
      const files = items.flatMap((item) => messageIn(item).attachments ?? []).length;
      return {
        items: items.map((item) => {
          const message = messageIn(item);
          const view = { isFeed: stream === 'mentions', isOwn: message.author.id === reader.id, files };
          const seen = shown(message, leftOutOf(view));
          return 'message' in item ? { ...item, message: seen } : seen;
        }),
        page,
      };
    },
  };
}

function notFoundLike({ headers }: Pick<Answer, 'headers'>): Answer {
  return { status: 404, headers, body: { error: { code: 'not_found', message: 'no such call' } } };
}

/** How long an upload is looked through before it counts as ready, in ms. */
const pendingForMs = 200;
/** The largest file that is sent at once, in bytes. */
const mostInline = 32_000;
/** How long one is sent at once after it was asked for first, in ms. */
const inlineForMs = 1_000;

function linkTo(path: string): Answer {
  return jsonAnswer(200, { at: `https://files.example.com${path}` });
}

/** What becomes of a file, and where it stands among others. */
export const fileVariants: readonly Variant[] = leavingOpen({
  'files-are-pending-at-first: pending is a state of a file; which moves there are between states is not shown':
    ({ sources }) => ({
      presentFile: (file) =>
        file.status === 'ready' && sources.now() - Date.parse(file.created_at) < pendingForMs
          ? { ...file, status: 'pending', uploaded_at: null }
          : file,
    }),
  'a-file-goes-with-one-message: how often a file can be attached is said nowhere': ({ rules }) => {
    const attached = new Set<string>();
    return {
      countedAttachments: (fileIds) =>
        fileIds.some((id) => attached.has(id)) ? 1_000 : rules.countedAttachments(fileIds),
      capturedAttachments: (fileIds) => {
        for (const id of fileIds) attached.add(id);
        return rules.capturedAttachments(fileIds);
      },
    };
  },
  'a-deleted-file-comes-without-a-byte: that it cannot be downloaded is said, and not how it is told': {
    answer: ({ status }, { route }) =>
      route === 'fileContent' && status === 410 ? { status: 204, headers: {} } : undefined,
  },
  'larger-files-come-by-a-link: how a file is downloaded is not shown': {
    answer: ({ status, body }, { route, path }) =>
      route === 'fileContent' && status === 200 && Buffer.isBuffer(body) && body.length > mostInline
        ? linkTo(path)
        : undefined,
  },
  'files-come-by-a-link-after-a-second: how a file is downloaded is not shown': ({ sources }) => {
    const firstMs = new Map<string, number>();
    return {
      answer: ({ status }, { route, path }) => {
        if (route !== 'fileContent' || status !== 200) return undefined;
        const nowMs = sources.now();
        const sinceMs = firstMs.get(path) ?? nowMs;
        firstMs.set(path, sinceMs);
        return nowMs - sinceMs > inlineForMs ? linkTo(path) : undefined;
      },
    };
  },
  'ready-files-have-no-time-of-upload: a time of upload may be null; that a ready file has one is not said':
    ({ rules }) => ({
      presentFile: (file) => ({ ...rules.presentFile(file), uploaded_at: null }),
      presentAttachments: (files) =>
        rules.presentAttachments(files).map((file) => ({ ...file, uploaded_at: null })),
    }),
  'a-deleted-file-is-404: that it cannot be downloaded is said, and not how it is told': ({ rules }) => ({
    statusOfRefusal: (kind, route) => (kind === 'gone' ? 404 : rules.statusOfRefusal(kind, route)),
  }),
  'attachments-come-in-another-order: a message shows its files; in which order is not said': ({
    rules,
  }) => ({
    capturedAttachments: (fileIds) => rules.capturedAttachments(fileIds).toReversed(),
  }),
});

const targetsNamed = 'message.mentions.order-and-repeats; what the limit of twenty counts is not said';
const filesAttached =
  'that a message shows a file once is said nowhere; what the limit of twenty counts is not said';

/** What a send that names something twice comes to: a set of its targets, or a refusal. */
export const repeatVariants: readonly Variant[] = [
  ...alternatives({
    ...openBy(targetsNamed, {
      'a-repeated-target-counts-once': {
        countedTargets: (targets) => new Set(targets.map(({ kind, id }) => `${kind} ${id}`)).size,
      },
      'a-repeated-target-is-refused': {
        countedTargets: (targets) =>
          hasRepeats(targets.map(({ kind, id }) => `${kind} ${id}`)) ? Infinity : targets.length,
      },
    }),
  }),
  ...alternatives({
    ...openBy(filesAttached, {
      'a-repeated-file-counts-once': { countedAttachments: (ids) => new Set(ids).size },
      'a-repeated-file-is-refused': {
        countedAttachments: (ids) => (hasRepeats(ids) ? Infinity : ids.length),
      },
    }),
  }),
];

function hasRepeats(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}
