import { jsonAnswer } from '../../reference/model/answer.ts';
import type { Refusal } from '../../reference/model/refusal.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { mutant, ruleMutants, type Mutant, type Overlay } from './base/mutant.ts';
import { spoilRefusals } from './base/spoil-answer.ts';

/** What becomes of a send under a key that was used before. */
const keyMutants: readonly Mutant[] = [
  ...ruleMutants([
    [
      'key-serves-twice',
      'send.conflict-is-refused',
      'a key sends whatever comes under it',
      { onKeyReuse: (record, fingerprint) => (record.fingerprint === fingerprint ? 'replay' : 'apply') },
    ],
    [
      'key-hides-another-body',
      'send.conflict-is-refused',
      'another body under a key is answered like the first',
      { onKeyReuse: () => 'replay' },
    ],
    ['keys-are-not-kept', 'send.conflict-is-refused', 'no key is remembered', { recordsKey: () => false }],
    [
      'bodies-of-equal-length-are-equal',
      'send.conflict-is-refused',
      'bodies are compared by their length',
      { fingerprint: ({ content }) => String(String(content).length) },
    ],
    [
      'bodies-that-begin-alike-are-equal',
      'send.conflict-is-refused',
      'bodies are compared by their first 20 characters',
      { fingerprint: ({ content }) => String(content).slice(0, 20) },
    ],
    [
      'case-of-a-body-does-not-count',
      'send.conflict-is-refused',
      'bodies are compared without regard to case',
      {
        fingerprint: (body) =>
          contractRules.fingerprint({ ...body, content: String(body['content']).toLowerCase() }),
      },
    ],
    [
      'space-around-a-body-does-not-count',
      'send.conflict-is-refused',
      'bodies are compared without the white space around them',
      {
        fingerprint: (body) =>
          contractRules.fingerprint({ ...body, content: String(body['content']).trim() }),
      },
    ],
    [
      'key-is-forgotten-at-once',
      'send.conflict-is-refused',
      'a key is forgotten as soon as its send was answered',
      { isKeyRecordAlive: () => false },
    ],
    [
      'conflict-is-400',
      'send.conflict-status-409',
      'a conflict is called invalid',
      { statusOfRefusal: conflictAs(400) },
    ],
    [
      'conflict-is-422',
      'send.conflict-status-409',
      'a conflict is answered with 422',
      { statusOfRefusal: conflictAs(422) },
    ],
    [
      'conflict-is-412',
      'send.conflict-status-409',
      'a conflict is answered with 412',
      { statusOfRefusal: conflictAs(412) },
    ],
    [
      'conflict-is-stored',
      'send.conflict-stores-nothing',
      'what a conflict refuses is stored all the same',
      { storesConflictingSend: () => true },
    ],
    [
      'keys-in-flight-are-not-seen',
      'send.concurrent-conflict-stores-one',
      'two sends at once under one key are both stored',
      { pauseBeforeCommitMs: () => 40, onKeyInFlight: () => 'ignore' },
    ],
    [
      'replay-is-a-conflict',
      'send.equal-replay-is-no-conflict',
      'a repeated send is a conflict',
      { onKeyReuse: () => 'conflict' },
    ],
    [
      'replay-is-sent-again',
      'send.retry-stores-once',
      'a repeated send is sent again',
      { onKeyReuse: (record, fingerprint) => (record.fingerprint === fingerprint ? 'apply' : 'conflict') },
    ],
    [
      'equal-texts-are-one',
      'send.distinct-keys-store-each',
      'equal texts of an agent are one message, whatever their keys',
      { comparedKey: (_key, body) => contractRules.fingerprint(body) },
    ],
    [
      'keys-are-cut',
      'send.distinct-keys-store-each',
      'of a key only the first four characters count',
      { comparedKey: (key) => key.slice(0, 4) },
    ],
    [
      'keys-are-refused',
      'send.idempotency-key-accepted',
      'no key is accepted',
      { acceptsIdempotencyKey: () => false },
    ],
    [
      'keys-have-ten-characters',
      'send.idempotency-key-accepted',
      'a key of more than ten characters is refused',
      { acceptsIdempotencyKey: (key) => key.length <= 10 },
    ],
  ]),
];

function conflictAs(status: number): Rules['statusOfRefusal'] {
  return (kind, route) =>
    kind === 'conflict' && route === 'send' ? status : contractRules.statusOfRefusal(kind, route);
}

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
const lostMutants: readonly Mutant[] = [
  ...ruleMutants([
    [
      'sends-are-forgotten',
      'service.sent-is-readable',
      'what is accepted is never listed',
      { listsAcceptedSend: () => false },
    ],
    [
      'long-texts-are-forgotten',
      'service.sent-is-readable',
      'a text over 64 KiB is accepted and never listed',
      { listsAcceptedSend: (content) => Buffer.byteLength(content) <= 65_536 },
    ],
    [
      'other-scripts-are-forgotten',
      'service.sent-is-readable',
      'a text with a character of four bytes is never listed',
      { listsAcceptedSend: (content) => !/[\u{10000}-\u{10ffff}]/u.test(content) },
    ],
  ]),
  mutant(
    'every-fourth-send-is-forgotten',
    'service.sent-is-readable',
    'every fourth accepted message is never listed',
    () => {
      let sends = 0;
      return { rules: { listsAcceptedSend: () => (sends += 1) % 4 !== 0 } };
    },
  ),
  mutant(
    'sends-of-one-moment-are-forgotten',
    'service.sent-is-readable',
    'of sends within two milliseconds only the first is listed',
    () => {
      let lastMs = 0;
      return {
        rules: {
          listsAcceptedSend: () => {
            const nowMs = performance.now();
            const isAlone = nowMs - lastMs > 2;
            lastMs = nowMs;
            return isAlone;
          },
        },
      };
    },
  ),
];

/** Where a message comes to stand. */
const placeMutants: readonly Mutant[] = [
  ...ruleMutants([
    [
      'messages-go-everywhere',
      'send.to-the-named-channel',
      'a message is listed in every channel',
      { channelsOfMessage: (_id, all) => all() },
    ],
    [
      'messages-go-elsewhere-too',
      'send.to-the-named-channel',
      'a message is listed in one more channel',
      {
        channelsOfMessage: (id, all) => [
          id,
          ...all()
            .filter((each) => each !== id)
            .slice(0, 1),
        ],
      },
    ],
    [
      'messages-are-stored-twice',
      'send.stored-once',
      'each accepted send is two messages',
      { timesStored: () => 2 },
    ],
    [
      'long-texts-are-stored-twice',
      'send.stored-once',
      'a send of more than 20 characters is two messages',
      { timesStored: (content) => (content.length > 20 ? 2 : 1) },
    ],
  ]),
  mutant(
    'authors-have-blocks-of-numbers',
    'send.appends',
    'each author numbers its messages in a block of its own',
    () => {
      const next = new Map<string, bigint>();
      return {
        rules: {
          firstChannelSequence: () => 1_000_000n,
          nextChannelSequence: (_last, event, authorId) => {
            const block = next.get(authorId) ?? BigInt(1_000 - next.size) * 10_000n;
            next.set(authorId, block);
            return block + event;
          },
        },
      };
    },
  ),
  mutant(
    'every-third-message-fills-a-gap',
    'send.appends',
    'every third message takes a number that was left free below',
    gapFilling,
  ),
  mutant(
    'quick-sends-are-swapped',
    'send.acknowledged-order',
    'of two sends within 150 ms the second comes first',
    swappingQuickSends,
  ),
];

function gapFilling(): Overlay {
  const filled = new Set<bigint>();
  return {
    rules: {
      firstChannelSequence: () => 10n,
      nextChannelSequence: (last) => {
        if (last % 20n !== 0n || filled.has(last)) return last + 10n;
        filled.add(last);
        return last - 5n;
      },
    },
  };
}

/** The later of two quick sends is numbered below the first, which is shown only after it. */
function swappingQuickSends(): Overlay {
  const filled = new Set<bigint>();
  let lastMs = 0;
  return {
    rules: {
      firstChannelSequence: () => 10n,
      nextChannelSequence: (last) => {
        const isQuick = performance.now() - lastMs < 150;
        lastMs = performance.now();
        if (!isQuick || filled.has(last)) return last + 10n;
        filled.add(last);
        return last - 5n;
      },
      commitDelayMs: ({ stream, sequence }) => (stream === 'channel' && sequence % 10n === 0n ? 160 : 0),
    },
  };
}

/** Statuses of what was accepted, and sends that ought to be refused. */
const answerMutants: readonly Mutant[] = [
  ...ruleMutants([
    [
      'accepted-is-302',
      'send.success-is-2xx',
      'an accepted send is answered with 302',
      { statusOfSend: () => 302 },
    ],
    [
      'accepted-is-400',
      'send.success-is-2xx',
      'an accepted send is answered with 400',
      { statusOfSend: () => 400 },
    ],
    [
      '21-attachments-are-cut',
      'send.attachments-over-limit',
      'of 21 files 20 are kept',
      {
        maxAttachments: () => 1_000,
        capturedAttachments: (ids) => contractRules.capturedAttachments(ids).slice(0, 20),
      },
    ],
    [
      '21-mentions-are-cut',
      'send.mentions-over-limit',
      'of 21 targets 20 are kept',
      {
        maxMentions: () => 1_000,
        capturedTargets: (targets) => contractRules.capturedTargets(targets).slice(0, 20),
      },
    ],
    [
      'takes-21-attachments',
      'send.attachments-over-limit',
      '21 files are taken',
      { maxAttachments: () => 21 },
    ],
    ['takes-21-mentions', 'send.mentions-over-limit', '21 targets are taken', { maxMentions: () => 21 }],
    [
      'targets-need-no-uuid',
      'message.mentions.validated',
      'a target whose id is no UUID is taken and dropped',
      {
        acceptsTargetId: () => true,
        acceptsTarget: () => true,
        capturedTargets: (targets) =>
          contractRules.capturedTargets(targets).filter(({ id }) => contractRules.acceptsTargetId(id)),
      },
    ],
    [
      'targets-are-taken-as-they-come',
      'message.mentions.validated',
      'a target whose id is no UUID is taken and shown',
      { acceptsTargetId: () => true, acceptsTarget: () => true },
    ],
  ]),
  mutant(
    'sends-into-the-void',
    'send.unknown-channel',
    'a send to a channel that does not exist is accepted',
    {
      answer: spoilRefusals((answer) => (answer.status === 404 ? jsonAnswer(201, {}) : answer), ['send']),
    },
  ),
  mutant(
    'void-is-readable',
    'channel-read.unknown-channel',
    'a channel that does not exist reads as an empty one',
    {
      answer: spoilRefusals(
        (answer) =>
          answer.status === 404
            ? jsonAnswer(200, { messages: [], page: { next_after: 0, has_more: false, high_watermark: 0 } })
            : answer,
        ['read'],
      ),
    },
  ),
];

export const sendMutants: readonly Mutant[] = [
  ...keyMutants,
  ...refusedMutants,
  ...lostMutants,
  ...placeMutants,
  ...answerMutants,
];
