import { readingInAnyLetterCase } from './base/letter-case.ts';
import { jsonAnswer } from '../../reference/model/answer.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { only, refusedWith, replacing } from './base/changed-rules.ts';
import { breaking, type Mutant } from './base/mutant.ts';
import { type Memory, stopwatch } from './base/overlay.ts';
import { type Answering, type JsonObject, listOf, spoilRefusals, without } from './base/spoil-answer.ts';

/** What becomes of a send under a key that was used before. */
const keyMutants: readonly Mutant[] = breaking({
  'send.conflict-is-refused': {
    'key-serves-twice: a key sends whatever comes under it': {
      onKeyReuse: (record, fingerprint) => (record.fingerprint === fingerprint ? 'replay' : 'apply'),
    },
    'key-hides-another-body': { onKeyReuse: () => 'replay' },
    'keys-are-not-kept: no key is remembered': { recordsKey: () => false },
    'a-conflict-takes-the-record: a message that is refused as a conflict becomes that of its key': () => {
      const latest = new Map<string, string>();
      return {
        onKeyReuse: (record, fingerprint) => {
          if ((latest.get(record.fingerprint) ?? record.fingerprint) === fingerprint) return 'replay';
          latest.set(record.fingerprint, fingerprint);
          return 'conflict';
        },
      };
    },
    ...comparingContents({
      'long-bodies-that-begin-alike-are-equal: of a text the first 16,384 characters are compared': (text) =>
        text.slice(0, 16_384),
      'long-bodies-that-end-alike-too-are-equal: of a text its length and 4,096 characters at each end are compared':
        (text) => [text.length, text.slice(0, 4_096), text.slice(-4_096)].join(),
      'runs-of-spaces-are-one: bodies are compared word by word': (text) => text.split(/ +/).join(' '),
      'bodies-that-look-alike-are-equal: bodies are compared composed': (text) => text.normalize('NFC'),
      'emoji-are-equal: bodies are compared in a collation that knows no characters of four bytes': (text) =>
        text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
      'what-is-invisible-does-not-count: bodies are compared without what is ignorable in a collation': (
        text,
      ) => text.replaceAll(/[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g, ''),
      'line-ends-are-equal: bodies are compared with line ends of one character': (text) =>
        text.replaceAll('\r\n', '\n'),
      'tabs-are-spaces: bodies are compared with a space for each tab': (text) => text.replaceAll('\t', ' '),
      'bodies-are-compared-in-latin-1: bodies are compared by the low byte of each character': (text) =>
        Buffer.from(text, 'latin1').toString('hex'),
      'bodies-of-equal-length-are-equal': (text) => String(text.length),
      'bodies-that-begin-alike-are-equal': (text) => text.slice(0, 20),
      'case-of-a-body-does-not-count: bodies are compared without regard to case': (text, body) =>
        contractRules.fingerprint({ ...body, content: text.toLowerCase() }),
      'space-around-a-body-does-not-count: bodies are compared without the white space around them': (
        text,
        body,
      ) => contractRules.fingerprint({ ...body, content: text.trim() }),
    }),
    ...replacing('comparedKey', {
      'keys-beside-files-are-others: the key of a body with files is no key of one without': (key, body) =>
        listOf(body['attachments']).length > 0 ? `${key} of files` : key,
      'keys-beside-targets-are-not-looked-at: each body with targets has a key of its own': (key, body) =>
        listOf(body['mentions']).length > 0 ? key + contractRules.fingerprint(body) : key,
    }),
    'key-is-forgotten-at-once': { isKeyRecordAlive: () => false },
  },
  'send.conflict-in-other-parts': {
    'types-do-not-count: bodies are compared without their content type': comparing('content_type'),
    'files-do-not-count: bodies are compared without their attachments': comparing('attachments'),
    'targets-do-not-count: bodies are compared without their targets': comparing('mentions'),
    'targets-are-counted: bodies are compared by the number of their targets': comparing(
      'mentions',
      (targets) => targets.length,
    ),
    'files-beside-targets-do-not-count: of a body with targets the attachments are not compared': {
      fingerprint: (body) =>
        contractRules.fingerprint(listOf(body['mentions']).length > 0 ? without(body, 'attachments') : body),
    },
    'only-first-files-count: bodies are compared by the first of their attachments': comparing(
      'attachments',
      ([first]) => first,
    ),
  },
  'send.key-of-another-channel': {
    'a-key-replays-in-every-channel: the same text under the key of another channel is answered as it was there, and not sent':
      { idempotencyScope: ({ agentId }) => agentId },
  },
  'send.key-of-another-agent': {
    'a-key-replays-for-every-agent: the same text under the key of another agent is answered as that one was, and not sent':
      { idempotencyScope: ({ channelId }) => channelId },
  },
  'send.conflict-status-409': {
    'conflict-is-400': refusedWith(400, 'conflict', { on: ['send'] }),
    'conflict-is-422': refusedWith(422, 'conflict', { on: ['send'] }),
    'conflict-is-412': refusedWith(412, 'conflict', { on: ['send'] }),
  },
  'send.conflict-stores-nothing': { 'conflict-is-stored': { storesConflictingSend: () => true } },
  'send.concurrent-conflict-stores-one': {
    'keys-in-flight-are-not-seen': { pauseBeforeCommitMs: () => 40, onKeyInFlight: () => 'ignore' },
    'keys-are-looked-for-first-and-stored-last: for a moment a key in flight is not seen, that of a short message':
      {
        pauseBeforeCommitMs: (content) => (content.length > 1_000 ? 0 : 4),
        onKeyInFlight: () => 'ignore',
      },
    'keys-of-long-bodies-in-flight-are-not-seen': {
      pauseBeforeCommitMs: (content) => (content.length > 100_000 ? 40 : 0),
      onKeyInFlight: () => 'ignore',
    },
  },
  'send.equal-replay-is-no-conflict': {
    'replay-is-a-conflict: a repeated send is a conflict': { onKeyReuse: () => 'conflict' },
  },
  'send.retry-stores-once': {
    'restart-forgets-keys': { losesKeysAtRestart: () => true },
    'replay-is-sent-again: a repeated send is sent again': {
      onKeyReuse: (record, fingerprint) => (record.fingerprint === fingerprint ? 'apply' : 'conflict'),
    },
  },
  'send.distinct-keys-store-each': replacing('comparedKey', {
    'equal-texts-are-one': (_key, body) => contractRules.fingerprint(body),
    'keys-are-cut': (key) => key.slice(0, 4),
  }),
  'mention-target.kind.values': {
    'kinds-are-taken-in-any-letters': {
      acceptsTargetKind: (kind) => contractRules.acceptsTargetKind(kind.toLowerCase()),
      acceptsTarget: ({ kind, existsInWorkspace }) => existsInWorkspace || kind !== kind.toLowerCase(),
    },
  },
  'send.similar-keys-are-different': replacing('comparedKey', {
    'numbers-are-keys-by-value: a key of digits is compared as a number': (key) =>
      /^[\d.]+$/.test(key) ? String(Number(key)) : key,
    'keys-are-compared-without-case': (key) => key.toLowerCase(),
    'keys-are-cut-at-100': (key) => key.slice(0, 100),
    'keys-are-percent-decoded': (key) => key.replaceAll('%2F', '/'),
    'zeros-before-a-key-do-not-count': (key) => key.replace(/^0+/, ''),
    'signs-in-a-key-do-not-count': (key) => key.replaceAll(/[^\w]|_/g, ''),
    'a-key-ends-at-its-comma': (key) => key.split(',')[0] ?? key,
  }),
  'send.charset-utf-8-accepted': replacing('acceptsMediaType', {
    'a-charset-is-refused: a body is taken where its media type is application/json and nothing else': (
      header,
    ) => header === 'application/json',
  }),
  'send.idempotency-key-accepted': replacing('acceptsIdempotencyKey', {
    'keys-are-refused: no key is accepted': () => false,
    'keys-have-ten-characters': (key) => key.length <= 10,
    'keys-are-no-uuids': (key) => !/^[0-9a-f-]{36}$/.test(key),
  }),
});

/** Bodies are compared by something of their content. */
function comparingContents(
  rows: Readonly<Record<string, (text: string, body: JsonObject) => string>>,
): Readonly<Record<string, Partial<Rules>>> {
  const compared = Object.entries(rows).map(([row, by]): [string, Rules['fingerprint']] => [
    row,
    (body) => by(String(body['content']), body),
  ]);
  return replacing('fingerprint', Object.fromEntries(compared));
}

/** Bodies are compared by something of a list in them, or without a part. */
function comparing(part: string, by?: (list: readonly unknown[]) => unknown): Partial<Rules> {
  return {
    fingerprint: (body) =>
      contractRules.fingerprint({
        ...without(body, part),
        ...(by && { [part]: by(listOf(body[part])) ?? null }),
      }),
  };
}

/** Accepted and not to be found, or refused and stored all the same. */
const lostMutants: readonly Mutant[] = breaking({
  'send.refused-stores-nothing': replacing('storesRefusedSend', {
    'refused-is-stored: a refused send is stored all the same': () => true,
    'empty-is-stored: refused empty content is stored all the same': says('is empty'),
    'oversized-is-stored: refused content over the limit is stored all the same': says('is longer'),
    'lone-surrogate-is-stored: refused content with half a pair is stored all the same': says('surrogate'),
    'nul-is-stored: refused content with U+0000 is stored all the same': says('U+0000'),
  }),
  'service.sent-is-readable': {
    ...replacing('listsAcceptedSend', {
      'sends-are-forgotten: what is accepted is never listed': () => false,
      'long-texts-are-forgotten': (content) => Buffer.byteLength(content) <= 65_536,
      'one-byte-texts-are-forgotten': (content) => content.length > 1,
      'other-scripts-are-forgotten: a text with a character of four bytes is never listed': (content) =>
        !/[\u{10000}-\u{10ffff}]/u.test(content),
    }),
    'every-fourth-send-is-forgotten: every fourth accepted message is never listed': ({ nth }) => ({
      listsAcceptedSend: () => !nth(4),
    }),
    'sends-of-one-moment-are-forgotten': ({ elapsedMs }) => {
      const sinceLastMs = stopwatch(elapsedMs);
      return { listsAcceptedSend: () => sinceLastMs() > 2 };
    },
  },
});

/** Where a message comes to stand. */
const placeMutants: readonly Mutant[] = breaking({
  'send.to-the-named-channel': {
    'messages-go-everywhere': { channelsOfMessage: (_id, all) => all() },
    'messages-go-elsewhere-alone': { channelsOfMessage: otherChannels },
    'messages-go-elsewhere-too: a message is listed in one more channel': {
      channelsOfMessage: (id, all) => [id, ...otherChannels(id, all).slice(0, 1)],
    },
  },
  'send.stored-once': {
    'messages-are-stored-twice: each accepted send is two messages': { timesStored: () => 2 },
    'long-texts-are-stored-twice': { timesStored: (content) => (content.length > 20 ? 2 : 1) },
  },
  'send.appends': {
    'authors-have-blocks-of-numbers: each author numbers its messages in a block of its own': ({
      place,
    }) => ({
      firstChannelSequence: () => 1_000_000n,
      nextChannelSequence: (_last, event, authorId) => BigInt(1_000 - place(authorId)) * 10_000n + event,
    }),
    'every-third-message-fills-a-gap': ({ isNew }) => fillingGaps(isNew, (last) => last % 20n === 0n),
  },
  'send.acknowledged-order': {
    // The later of two quick sends is numbered below the first, which is shown only after it.
    'quick-sends-are-swapped: of two sends within 150 ms the second comes first': ({ isNew, elapsedMs }) => {
      const sinceLastMs = stopwatch(elapsedMs);
      return {
        ...fillingGaps(isNew, () => sinceLastMs() < 150),
        commitDelayMs: ({ stream, sequence }) => (stream === 'channel' && sequence % 10n === 0n ? 160 : 0),
      };
    },
  },
});

function otherChannels(channelId: string, all: () => readonly string[]): string[] {
  return all().filter((id) => id !== channelId);
}

/** Messages are numbered in tens, and some that come later by a place between, each place once. */
function fillingGaps(isNew: Memory['isNew'], isMeant: (last: bigint) => boolean): Partial<Rules> {
  return {
    firstChannelSequence: () => 10n,
    nextChannelSequence: (last, _event, _author, channelId) =>
      isMeant(last) && isNew(`${channelId} ${last}`) ? last - 5n : last + 10n,
  };
}

/** Statuses of what was accepted, and sends that ought to be refused. */
const answerMutants: readonly Mutant[] = breaking({
  'send.success-is-2xx': {
    'accepted-is-302: an accepted send is answered with 302': { statusOfSend: () => 302 },
    'accepted-is-400: an accepted send is answered with 400': { statusOfSend: () => 400 },
  },
  'send.attachments-over-limit': {
    '21-attachments-are-cut: of 21 files 20 are kept': {
      maxAttachments: () => 1_000,
      capturedAttachments: (ids) => contractRules.capturedAttachments(ids).slice(0, 20),
    },
    'takes-21-attachments: 21 files are taken': { maxAttachments: () => 21 },
  },
  'send.parts-go-together': {
    'nineteen-targets: a message names nineteen targets at most': {
      countedTargets: ({ length }) => (length === 20 ? 21 : length),
    },
    'nineteen-files: a message refers to nineteen files at most': {
      countedAttachments: ({ length }) => (length === 20 ? 21 : length),
    },
    'targets-and-files-are-39-at-most: a message has 39 targets and files at most, taken together': () => {
      let targets = 0;
      return {
        countedTargets: (named) => (targets = named.length),
        countedAttachments: (ids) => (ids.length + targets > 39 ? 21 : ids.length),
      };
    },
    'targets-and-files-are-counted-together: a message has 20 targets and files at most, taken together':
      () => {
        let targets = 0;
        return {
          countedTargets: (named) => (targets = named.length),
          countedAttachments: (ids) => ids.length + targets,
        };
      },
    'targets-and-files-are-25-at-most: a message has 25 targets and files at most, taken together': () => {
      let targets = 0;
      return {
        countedTargets: (named) => (targets = named.length),
        countedAttachments: (ids) => (ids.length + targets > 25 ? 1_000 : ids.length),
      };
    },
    'a-session-goes-without-files: a send with a source session and more than ten files is refused': () => {
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
    '21-mentions-are-cut: of 21 targets 20 are kept': {
      maxMentions: () => 1_000,
      capturedTargets: (targets) => contractRules.capturedTargets(targets).slice(0, 20),
    },
    'takes-21-mentions: 21 targets are taken': { maxMentions: () => 21 },
    'counts-targets-by-kind: 20 targets of each kind are taken': {
      countedTargets: (targets) =>
        Math.max(
          0,
          ...['agent', 'user', 'machine'].map((kind) => targets.filter((each) => each.kind === kind).length),
        ),
    },
  },
  'message.mentions.every-kind-is-taken': {
    'no-agent-is-a-target: targets of kind agent are refused': only('acceptsTarget', isNot('agent')),
    'no-user-is-a-target: targets of kind user are refused': only('acceptsTarget', isNot('user')),
    'no-machine-is-a-target: targets of kind machine are refused': only('acceptsTarget', isNot('machine')),
    'agents-without-a-human-are-no-targets': only(
      'acceptsTarget',
      ({ id, agents }) => agents().find((agent) => agent.id === id)?.humanUserId !== null,
    ),
    'targets-come-from-a-first-page: of the agents of a workspace the first fifty are taken as targets': only(
      'acceptsTarget',
      ({ id, agents }) => agents().findIndex((agent) => agent.id === id) < 50,
    ),
  },
  'message.mentions.validated': {
    'targets-need-no-uuid: a target whose id is no UUID is taken and dropped': {
      acceptsTargetId: () => true,
      acceptsTarget: () => true,
      capturedTargets: (targets) =>
        contractRules.capturedTargets(targets).filter(({ id }) => contractRules.acceptsTargetId(id)),
    },
    'targets-are-taken-as-they-come': { acceptsTargetId: () => true, acceptsTarget: () => true },
  },
  'mention-target.extra-fields-are-refused': {
    'targets-have-more-fields: further fields of a target are passed over': {
      acceptsTargetField: () => true,
    },
    'targets-in-any-letter-case: names of fields of a target are the same in either letter case':
      readingInAnyLetterCase((key) => /^\d+$/.test(key)),
  },
  'send.unknown-channel': {
    'sends-into-the-void: a send to a channel that does not exist is accepted': spoilRefusals(
      (answer) => (answer.status === 404 ? jsonAnswer(201, {}) : answer),
      ['send'],
    ),
  },
  'channel-read.unknown-channel': {
    'nil-is-readable: the id of nothing but zeros reads as an empty channel': emptyWhereNone((path) =>
      path.includes('00000000-0000-0000-0000-000000000000'),
    ),
    'void-is-readable: a channel that does not exist reads as an empty one': emptyWhereNone(() => true),
  },
});

function isNot(kind: string): (target: { readonly kind: string }) => boolean {
  return (target) => target.kind !== kind;
}

function says(words: string): Rules['storesRefusedSend'] {
  return ({ message }) => message.includes(words) && !message.startsWith('agent_host');
}

/** An empty page for some channels that do not exist. */
function emptyWhereNone(isMeant: (path: string) => boolean): Answering {
  const page = { next_after: 0, has_more: false, high_watermark: 0 };
  return spoilRefusals(
    (answer, { path }) =>
      answer.status === 404 && isMeant(path) ? jsonAnswer(200, { messages: [], page }) : answer,
    ['read'],
  );
}

export const sendRuleMutants: readonly Mutant[] = [
  ...keyMutants,
  ...lostMutants,
  ...placeMutants,
  ...answerMutants,
];
