import { type Answer, type AnswerHook, jsonAnswer } from '../../../reference/model/answer.ts';
import { canonicalJson } from '../../../reference/model/json-text.ts';
import { alternatives, but, leavingOpen, type Variant } from '../base/variant.ts';

/** How a send is answered, and what its key does. */
export const sendVariants: readonly Variant[] = [
  ...alternatives([
    sendAnswering('an-empty-204', () => ({ status: 204, headers: {} })),
    sendAnswering('an-empty-200', () => ({ status: 200, headers: {} })),
    sendAnswering('an-empty-object', () => jsonAnswer(200, {})),
    sendAnswering('a-ticket', () => jsonAnswer(202, { ticket: 4711, state: 'queued', 'x-y': [null, {}] })),
    sendAnswering('a-string', () => jsonAnswer(200, 'ok')),
    sendAnswering('a-list', () => jsonAnswer(201, [1, 'two', { three: 3 }])),
    sendAnswering('null', () => jsonAnswer(200, null)),
    sendAnswering('a-message-that-is-none', () =>
      jsonAnswer(200, { message: { id: 'pending', sequence: 0, content: null }, page: {}, error: null }),
    ),
  ]),
  ...alternatives({
    'send.equal-replay': {
      'a-replay-is-told-by-200': { statusOfSend: (isReplay) => (isReplay ? 200 : 201) },
      'a-replay-has-no-body': {
        rules: { statusOfSend: (isReplay) => (isReplay ? 208 : 201) },
        answer: (answer, { route }) =>
          route === 'send' && answer.status === 208 ? { status: 204, headers: answer.headers } : undefined,
      },
    },
  }),
  ...alternatives({
    'send.key-in-flight': {
      'a-key-in-flight-conflicts': { pauseBeforeCommitMs: () => 25, onKeyInFlight: () => 'conflict' },
      'a-key-in-flight-waits': { pauseBeforeCommitMs: () => 25 },
    },
  }),
  ...alternatives({
    'send.key-scope': {
      'keys-belong-to-an-agent': { idempotencyScope: ({ agentId }) => agentId },
      'keys-belong-to-a-channel': { idempotencyScope: ({ channelId }) => channelId },
      'keys-belong-to-the-workspace': { idempotencyScope: ({ workspaceId }) => workspaceId },
    },
  }),
  ...alternatives({
    'send.key-lifetime': {
      'keys-are-forgotten-after-10-minutes': {
        isKeyRecordAlive: ({ recordedMs }, nowMs) => nowMs - recordedMs < 10 * 60 * 1000,
      },
      'keys-are-forgotten-after-300-ms': but(
        // Two sends that are both under way for longer do not meet in it.
        { mayWarn: ['send.retry-stores-once', 'send.concurrent-conflict-stores-one'] },
        { isKeyRecordAlive: ({ recordedMs }, nowMs) => nowMs - recordedMs < 300 },
      ),
    },
  }),
  ...leavingOpen({
    'which sends leave an idempotency record is not shown': {
      'a-refused-send-uses-its-key-up': { remembersRefusedSend: () => true },
    },
    'send.conflict-status-409 is inferred: the status belongs to another call': {
      'a-key-conflict-is-422': but({ mayWarn: ['send.conflict-status-409'] }, ({ rules }) => ({
        statusOfRefusal: (kind, route) =>
          kind === 'conflict' && route === 'send' ? 422 : rules.statusOfRefusal(kind, route),
      })),
    },
  }),
  ...alternatives({
    'what makes two bodies conflict is not shown': {
      'the-default-content-type-is-no-difference': ({ rules }) => ({
        fingerprint: (body) => rules.fingerprint({ content_type: 'text/plain', ...body }),
      }),
      'the-order-of-fields-is-a-difference': { fingerprint: (body) => JSON.stringify(body) },
      'only-content-makes-a-difference': but(
        { mayWarn: ['send.conflict-in-other-parts'] },
        { fingerprint: ({ content }) => canonicalJson({ content }) },
      ),
    },
  }),
  ...leavingOpen({
    'send.missing-idempotency-key': { 'a-key-is-not-needed': { requiresIdempotencyKey: () => false } },
    'the form of a key is not shown': {
      'keys-are-uuids': { acceptsIdempotencyKey: (key) => /^[0-9a-f-]{36}$/i.test(key) },
    },
    'send.similar-keys-are-different is inferred: which keys are equal is not shown': {
      'keys-have-100-small-letters': but(
        { mayWarn: ['send.similar-keys-are-different'] },
        { comparedKey: (key) => key.toLowerCase().slice(0, 100) },
      ),
    },
    'send.unknown-fields': { 'unknown-fields-are-taken': { acceptsField: () => true } },
    'service.other-request-types': { 'any-media-type-is-taken': { acceptsMediaType: () => true } },
    'send.content-type.values': {
      'only-plain-text-is-taken': { acceptsContentType: (contentType) => contentType === 'text/plain' },
    },
    'what validates a target is not shown': { 'targets-need-not-exist': { acceptsTarget: () => true } },
    'send.timed-out': { 'answers-to-sends-get-lost': () => ({ answer: losing([15, 45]) }) },
  }),
];

function sendAnswering(what: string, make: () => Answer): Variant {
  return {
    id: `a-send-is-answered-with-${what}`,
    words: 'send.success-body; a success is any 2xx',
    options: () => ({
      answer: (answer, { route }) => {
        if (route !== 'send' || answer.status >= 300) return undefined;
        const made = make();
        // Where another variant shows late what a 202 takes, it stays a 202.
        return { ...made, status: answer.status === 202 ? 202 : made.status, headers: answer.headers };
      },
    }),
  };
}

/** Breaks the connection instead of answering the n-th accepted sends. */
function losing(places: readonly number[]): AnswerHook {
  let sends = 0;
  return (answer, { route }) => {
    if (route !== 'send' || answer.status >= 300) return undefined;
    sends += 1;
    return places.includes(sends) ? { ...answer, ending: 'reset' } : undefined;
  };
}
