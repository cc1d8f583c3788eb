import type { Sources } from '../../reference/model/sources.ts';
import { jsonAnswer } from '../../reference/model/answer.ts';
import type { Refusal } from '../../reference/model/refusal.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { refusedWith } from './base/changed-rules.ts';
import { breaking, mutant, what, type Mutant, type Overlay } from './base/mutant.ts';
import { spoilRefusals } from './base/spoil-answer.ts';

/** What becomes of a send under a key that was used before. */
const keyMutants: readonly Mutant[] = breaking({
  'send.conflict-is-refused': {
    'key-serves-twice': what('a key sends whatever comes under it', {
      onKeyReuse: (record, fingerprint) => (record.fingerprint === fingerprint ? 'replay' : 'apply'),
    }),
    'key-hides-another-body': { onKeyReuse: () => 'replay' },
    'keys-are-not-kept': what('no key is remembered', { recordsKey: () => false }),
    'long-bodies-that-begin-alike-are-equal': what('of a text the first 16,384 characters are compared', {
      fingerprint: ({ content }) => String(content).slice(0, 16_384),
    }),
    'long-bodies-that-end-alike-too-are-equal': what(
      'of a text its length and 4,096 characters at each end are compared',
      {
        fingerprint: ({ content }) => {
          const text = String(content);
          return [text.length, text.slice(0, 4_096), text.slice(-4_096)].join();
        },
      },
    ),
    'runs-of-spaces-are-one': what('bodies are compared word by word', {
      fingerprint: ({ content }) => String(content).split(/ +/).join(' '),
    }),
    'a-conflict-takes-the-record': what(
      'a message that is refused as a conflict becomes that of its key',
      () => {
        const latest = new Map<string, string>();
        return {
          onKeyReuse: (record, fingerprint) => {
            if ((latest.get(record.fingerprint) ?? record.fingerprint) === fingerprint) return 'replay';
            latest.set(record.fingerprint, fingerprint);
            return 'conflict';
          },
        };
      },
    ),
    'bodies-of-equal-length-are-equal': { fingerprint: ({ content }) => String(String(content).length) },
    'bodies-that-begin-alike-are-equal': { fingerprint: ({ content }) => String(content).slice(0, 20) },
    'case-of-a-body-does-not-count': what('bodies are compared without regard to case', {
      fingerprint: (body) =>
        contractRules.fingerprint({ ...body, content: String(body['content']).toLowerCase() }),
    }),
    'space-around-a-body-does-not-count': what('bodies are compared without the white space around them', {
      fingerprint: (body) => contractRules.fingerprint({ ...body, content: String(body['content']).trim() }),
    }),
    'key-is-forgotten-at-once': { isKeyRecordAlive: () => false },
  },
  'send.conflict-in-other-parts': {
    'types-do-not-count': what('bodies are compared without their content type', {
      fingerprint: ({ content_type: _type, ...body }) => contractRules.fingerprint(body),
    }),
    'files-do-not-count': what('bodies are compared without their attachments', {
      fingerprint: ({ attachments: _files, ...body }) => contractRules.fingerprint(body),
    }),
    'targets-do-not-count': what('bodies are compared without their targets', {
      fingerprint: ({ mentions: _targets, ...body }) => contractRules.fingerprint(body),
    }),
    'targets-are-counted': what('bodies are compared by the number of their targets', {
      fingerprint: ({ mentions, ...body }) =>
        contractRules.fingerprint({ ...body, mentions: Array.isArray(mentions) ? mentions.length : 0 }),
    }),
    'only-first-files-count': what('bodies are compared by the first of their attachments', {
      fingerprint: ({ attachments: files, ...body }) =>
        contractRules.fingerprint({ ...body, file: Array.isArray(files) ? files[0] : null }),
    }),
  },
  'send.conflict-status-409': {
    'conflict-is-400': refusedWith(400, 'conflict', { on: ['send'] }),
    'conflict-is-422': refusedWith(422, 'conflict', { on: ['send'] }),
    'conflict-is-412': refusedWith(412, 'conflict', { on: ['send'] }),
  },
  'send.conflict-stores-nothing': { 'conflict-is-stored': { storesConflictingSend: () => true } },
  'send.concurrent-conflict-stores-one': {
    'keys-in-flight-are-not-seen': { pauseBeforeCommitMs: () => 40, onKeyInFlight: () => 'ignore' },
    'keys-of-long-bodies-in-flight-are-not-seen': {
      pauseBeforeCommitMs: (content) => (content.length > 100_000 ? 40 : 0),
      onKeyInFlight: () => 'ignore',
    },
  },
  'send.equal-replay-is-no-conflict': {
    'replay-is-a-conflict': what('a repeated send is a conflict', { onKeyReuse: () => 'conflict' }),
  },
  'send.retry-stores-once': {
    'restart-forgets-keys': { losesKeysAtRestart: () => true },
    'replay-is-sent-again': what('a repeated send is sent again', {
      onKeyReuse: (record, fingerprint) => (record.fingerprint === fingerprint ? 'apply' : 'conflict'),
    }),
  },
  'send.distinct-keys-store-each': {
    'equal-texts-are-one': { comparedKey: (_key, body) => contractRules.fingerprint(body) },
    'keys-are-cut': { comparedKey: (key) => key.slice(0, 4) },
  },
  'mention-target.kind.values': {
    'kinds-are-taken-in-any-letters': {
      acceptsTargetKind: (kind) => contractRules.acceptsTargetKind(kind.toLowerCase()),
      acceptsTarget: ({ kind, existsInWorkspace }) => existsInWorkspace || kind !== kind.toLowerCase(),
    },
  },
  'send.similar-keys-are-different': {
    'numbers-are-keys-by-value': what('a key of digits is compared as a number', {
      comparedKey: (key) => (/^[\d.]+$/.test(key) ? String(Number(key)) : key),
    }),
    'keys-are-compared-without-case': { comparedKey: (key) => key.toLowerCase() },
    'keys-are-cut-at-100': { comparedKey: (key) => key.slice(0, 100) },
    'keys-are-percent-decoded': { comparedKey: (key) => key.replaceAll('%2F', '/') },
    'zeros-before-a-key-do-not-count': { comparedKey: (key) => key.replace(/^0+/, '') },
    'signs-in-a-key-do-not-count': { comparedKey: (key) => key.replaceAll(/[^\w]|_/g, '') },
    'a-key-ends-at-its-comma': { comparedKey: (key) => key.split(',')[0] ?? key },
  },
  'send.idempotency-key-accepted': {
    'keys-are-refused': what('no key is accepted', { acceptsIdempotencyKey: () => false }),
    'keys-have-ten-characters': { acceptsIdempotencyKey: (key) => key.length <= 10 },
    'keys-are-no-uuids': { acceptsIdempotencyKey: (key) => !/^[0-9a-f-]{36}$/.test(key) },
  },
});

/** Refused and stored all the same. */
const refusedMutants: readonly Mutant[] = (
  [
    ['refused', 'a refused send', () => true],
    ['empty', 'refused empty content', says('is empty')],
    ['oversized', 'refused content over the limit', says('is longer')],
    ['lone-surrogate', 'refused content with half a pair', says('surrogate')],
    ['nul', 'refused content with U+0000', says('U+0000')],
  ] as readonly (readonly [string, string, (refusal: Refusal) => boolean])[]
).map(([id, what, storesRefusedSend]) =>
  mutant(`${id}-is-stored`, 'send.refused-stores-nothing', `${what} is stored all the same`, {
    rules: { storesRefusedSend },
  }),
);

function says(words: string): (refusal: Refusal) => boolean {
  return ({ message }) => message.includes(words) && !message.startsWith('agent_host');
}

/** Accepted and not to be found. */
const lostMutants: readonly Mutant[] = breaking({
  'service.sent-is-readable': {
    'sends-are-forgotten': what('what is accepted is never listed', { listsAcceptedSend: () => false }),
    'long-texts-are-forgotten': { listsAcceptedSend: (content) => Buffer.byteLength(content) <= 65_536 },
    'one-byte-texts-are-forgotten': { listsAcceptedSend: (content) => content.length > 1 },
    'other-scripts-are-forgotten': what('a text with a character of four bytes is never listed', {
      listsAcceptedSend: (content) => !/[\u{10000}-\u{10ffff}]/u.test(content),
    }),
    'every-fourth-send-is-forgotten': what('every fourth accepted message is never listed', () => {
      let sends = 0;
      return { listsAcceptedSend: () => (sends += 1) % 4 !== 0 };
    }),
    'sends-of-one-moment-are-forgotten': ({ elapsedMs }) => {
      let lastMs = 0;
      return {
        listsAcceptedSend: () => {
          const nowMs = elapsedMs();
          const isAlone = nowMs - lastMs > 2;
          lastMs = nowMs;
          return isAlone;
        },
      };
    },
  },
});

/** Where a message comes to stand. */
const placeMutants: readonly Mutant[] = breaking({
  'send.to-the-named-channel': {
    'messages-go-everywhere': { channelsOfMessage: (_id, all) => all() },
    'messages-go-elsewhere-alone': {
      channelsOfMessage: (channelId, all) => all().filter((id) => id !== channelId),
    },
    'messages-go-elsewhere-too': what('a message is listed in one more channel', {
      channelsOfMessage: (id, all) => [
        id,
        ...all()
          .filter((each) => each !== id)
          .slice(0, 1),
      ],
    }),
  },
  'send.stored-once': {
    'messages-are-stored-twice': what('each accepted send is two messages', { timesStored: () => 2 }),
    'long-texts-are-stored-twice': { timesStored: (content) => (content.length > 20 ? 2 : 1) },
  },
  'send.appends': {
    'authors-have-blocks-of-numbers': what('each author numbers its messages in a block of its own', () => {
      const next = new Map<string, bigint>();
      return {
        firstChannelSequence: () => 1_000_000n,
        nextChannelSequence: (_last, event, authorId) => {
          const block = next.get(authorId) ?? BigInt(1_000 - next.size) * 10_000n;
          next.set(authorId, block);
          return block + event;
        },
      };
    }),
    'every-third-message-fills-a-gap': gapFilling,
  },
  'send.acknowledged-order': {
    'quick-sends-are-swapped': what('of two sends within 150 ms the second comes first', swappingQuickSends),
  },
});

function gapFilling(): Overlay {
  const filled = new Set<string>();
  return {
    rules: {
      firstChannelSequence: () => 10n,
      nextChannelSequence: (last, _event, _author, channelId) => {
        const place = `${channelId} ${last}`;
        if (last % 20n !== 0n || filled.has(place)) return last + 10n;
        filled.add(place);
        return last - 5n;
      },
    },
  };
}

/** The later of two quick sends is numbered below the first, which is shown only after it. */
function swappingQuickSends({ elapsedMs }: Sources): Overlay {
  const filled = new Set<string>();
  let lastMs = 0;
  return {
    rules: {
      firstChannelSequence: () => 10n,
      nextChannelSequence: (last, _event, _author, channelId) => {
        const place = `${channelId} ${last}`;
        const isQuick = elapsedMs() - lastMs < 150;
        lastMs = elapsedMs();
        if (!isQuick || filled.has(place)) return last + 10n;
        filled.add(place);
        return last - 5n;
      },
      commitDelayMs: ({ stream, sequence }) => (stream === 'channel' && sequence % 10n === 0n ? 160 : 0),
    },
  };
}

/** Statuses of what was accepted, and sends that ought to be refused. */
const answerMutants: readonly Mutant[] = breaking({
  'send.success-is-2xx': {
    'accepted-is-302': what('an accepted send is answered with 302', { statusOfSend: () => 302 }),
    'accepted-is-400': what('an accepted send is answered with 400', { statusOfSend: () => 400 }),
  },
  'send.attachments-over-limit': {
    '21-attachments-are-cut': what('of 21 files 20 are kept', {
      maxAttachments: () => 1_000,
      capturedAttachments: (ids) => contractRules.capturedAttachments(ids).slice(0, 20),
    }),
    'takes-21-attachments': what('21 files are taken', { maxAttachments: () => 21 }),
  },
  'send.parts-go-together': {
    'targets-and-files-are-counted-together': what(
      'a message has 20 targets and files at most, taken together',
      () => {
        let targets = 0;
        return {
          countedTargets: (named) => (targets = named.length),
          countedAttachments: (ids) => ids.length + targets,
        };
      },
    ),
    'a-session-goes-without-files': what(
      'a send with a source session and more than ten files is refused',
      () => {
        let hasSession = false;
        return {
          // The content of each send is judged before its session, and that before its files.
          contentBytes: (...content) => {
            hasSession = false;
            return contractRules.contentBytes(...content);
          },
          acceptsProvider: (provider) => {
            hasSession = true;
            return contractRules.acceptsProvider(provider);
          },
          countedAttachments: (ids) => (hasSession && ids.length > 10 ? 1_000 : ids.length),
        };
      },
    ),
  },
  'message.attachments.max': {
    'a-file-that-comes-twice-counts-once': {
      countedAttachments: (ids) => new Set(ids).size,
      capturedAttachments: (ids) => [...ids],
    },
  },
  'message.mentions.max': {
    'a-target-that-comes-twice-counts-once': {
      countedTargets: (targets) => contractRules.capturedTargets(targets).length,
      capturedTargets: (targets) => [...targets],
    },
  },
  'send.mentions-over-limit': {
    '21-mentions-are-cut': what('of 21 targets 20 are kept', {
      maxMentions: () => 1_000,
      capturedTargets: (targets) => contractRules.capturedTargets(targets).slice(0, 20),
    }),
    'takes-21-mentions': what('21 targets are taken', { maxMentions: () => 21 }),
    'counts-targets-by-kind': what('20 targets of each kind are taken', {
      countedTargets: (targets) =>
        Math.max(
          0,
          ...['agent', 'user', 'machine'].map((kind) => targets.filter((each) => each.kind === kind).length),
        ),
    }),
  },
  'message.mentions.every-kind-is-taken': Object.fromEntries(
    ['agent', 'user', 'machine'].map((kind) => [
      `no-${kind}-is-a-target`,
      what(`targets of kind ${kind} are refused`, {
        acceptsTarget: (target) => target.kind !== kind && contractRules.acceptsTarget(target),
      }),
    ]),
  ),
  'message.mentions.validated': {
    'targets-need-no-uuid': what('a target whose id is no UUID is taken and dropped', {
      acceptsTargetId: () => true,
      acceptsTarget: () => true,
      capturedTargets: (targets) =>
        contractRules.capturedTargets(targets).filter(({ id }) => contractRules.acceptsTargetId(id)),
    }),
    'targets-are-taken-as-they-come': { acceptsTargetId: () => true, acceptsTarget: () => true },
  },
  'send.unknown-channel': {
    'sends-into-the-void': what('a send to a channel that does not exist is accepted', {
      answer: spoilRefusals((answer) => (answer.status === 404 ? jsonAnswer(201, {}) : answer), ['send']),
    }),
  },
  'channel-read.unknown-channel': {
    'nil-is-readable': what('the id of nothing but zeros reads as an empty channel', {
      answer: spoilRefusals(
        (answer, { path }) =>
          answer.status === 404 && path.includes('00000000-0000-0000-0000-000000000000')
            ? jsonAnswer(200, { messages: [], page: { next_after: 0, has_more: false, high_watermark: 0 } })
            : answer,
        ['read'],
      ),
    }),
    'void-is-readable': what('a channel that does not exist reads as an empty one', {
      answer: spoilRefusals(
        (answer) =>
          answer.status === 404
            ? jsonAnswer(200, { messages: [], page: { next_after: 0, has_more: false, high_watermark: 0 } })
            : answer,
        ['read'],
      ),
    }),
  },
});

export const sendRuleMutants: readonly Mutant[] = [
  ...keyMutants,
  ...refusedMutants,
  ...lostMutants,
  ...placeMutants,
  ...answerMutants,
];
