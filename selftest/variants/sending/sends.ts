import { jsonAnswer, type Answer, type AnswerHook } from '../../../reference/model/answer.ts';
import { canonicalJson } from '../../../reference/model/canonical-json.ts';
import { alternatives, type Variant } from '../base/variant.ts';

/** Freedoms 20, 24 to 30 and 40: how a send is answered, and what its key does. */
export const sendVariants: readonly Variant[] = [
  ...alternatives(
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
  ),
  ...alternatives(
    {
      id: 'a-replay-is-told-by-200',
      freedom: 24,
      words: 'send.equal-replay',
      options: () => ({ rules: { statusOfSend: (isReplay) => (isReplay ? 200 : 201) } }),
    },
    {
      id: 'a-replay-has-no-body',
      freedom: 24,
      words: 'send.equal-replay',
      options: () => ({
        rules: { statusOfSend: (isReplay) => (isReplay ? 208 : 201) },
        answer: (answer, { route }) =>
          route === 'send' && answer.status === 208 ? { status: 204, headers: answer.headers } : undefined,
      }),
    },
  ),
  ...alternatives(
    {
      id: 'a-key-in-flight-conflicts',
      freedom: 25,
      words: 'send.key-in-flight',
      options: () => ({ rules: { pauseBeforeCommitMs: () => 25, onKeyInFlight: () => 'conflict' } }),
    },
    {
      id: 'a-key-in-flight-waits',
      freedom: 25,
      words: 'send.key-in-flight',
      options: () => ({ rules: { pauseBeforeCommitMs: () => 25 } }),
    },
  ),
  ...alternatives(
    {
      id: 'keys-belong-to-an-agent',
      freedom: 26,
      words: 'send.key-scope',
      options: () => ({ rules: { idempotencyScope: ({ agentId }) => agentId } }),
    },
    {
      id: 'keys-belong-to-a-channel',
      freedom: 26,
      words: 'send.key-scope',
      options: () => ({ rules: { idempotencyScope: ({ channelId }) => channelId } }),
    },
    {
      id: 'keys-belong-to-the-workspace',
      freedom: 26,
      words: 'send.key-scope',
      options: () => ({ rules: { idempotencyScope: ({ workspaceId }) => workspaceId } }),
    },
  ),
  {
    id: 'keys-are-forgotten-after-10-minutes',
    freedom: 27,
    words: 'send.key-lifetime',
    options: () => ({
      rules: { isKeyRecordAlive: ({ recordedMs }, nowMs) => nowMs - recordedMs < 10 * 60 * 1000 },
    }),
  },
  {
    id: 'a-refused-send-uses-its-key-up',
    freedom: 27,
    words: 'which sends leave an idempotency record is not shown',
    options: () => ({ rules: { remembersRefusedSend: () => true } }),
  },
  {
    id: 'a-key-conflict-is-422',
    freedom: 28,
    words: 'send.conflict-status-409 is inferred: the status belongs to another call',
    mayWarn: ['send.conflict-status-409'],
    options: ({ rules }) => ({
      rules: {
        statusOfRefusal: (kind, route) =>
          kind === 'conflict' && route === 'send' ? 422 : rules.statusOfRefusal(kind, route),
      },
    }),
  },
  ...alternatives(
    {
      id: 'the-default-content-type-is-no-difference',
      freedom: 29,
      words: 'what makes two bodies conflict is not shown',
      options: ({ rules }) => ({
        rules: { fingerprint: (body) => rules.fingerprint({ content_type: 'text/plain', ...body }) },
      }),
    },
    {
      id: 'the-order-of-fields-is-a-difference',
      freedom: 29,
      words: 'what makes two bodies conflict is not shown',
      options: () => ({ rules: { fingerprint: (body) => JSON.stringify(body) } }),
    },
    {
      id: 'only-content-makes-a-difference',
      freedom: 29,
      words: 'what makes two bodies conflict is not shown',
      options: () => ({ rules: { fingerprint: ({ content }) => canonicalJson({ content }) } }),
    },
  ),
  {
    id: 'a-key-is-not-needed',
    freedom: 30,
    words: 'send.missing-idempotency-key',
    options: () => ({ rules: { requiresIdempotencyKey: () => false } }),
  },
  {
    id: 'keys-are-uuids',
    words: 'the form of a key is not shown',
    options: () => ({ rules: { acceptsIdempotencyKey: (key) => /^[0-9a-f-]{36}$/i.test(key) } }),
  },
  {
    id: 'unknown-fields-are-taken',
    words: 'send.unknown-fields',
    options: () => ({ rules: { acceptsField: () => true } }),
  },
  {
    id: 'any-media-type-is-taken',
    words: 'service.other-request-types',
    options: () => ({ rules: { acceptsMediaType: () => true } }),
  },
  {
    id: 'only-plain-text-is-taken',
    words: 'send.content-type.values',
    options: () => ({ rules: { acceptsContentType: (contentType) => contentType === 'text/plain' } }),
  },
  {
    id: 'targets-need-not-exist',
    words: 'what validates a target is not shown',
    options: () => ({ rules: { acceptsTarget: () => true } }),
  },
  {
    id: 'answers-to-sends-get-lost',
    freedom: 40,
    words: 'send.timed-out',
    options: () => ({ answer: losing([15, 45]) }),
  },
];

function sendAnswering(what: string, make: () => Answer): Variant {
  return {
    id: `a-send-is-answered-with-${what}`,
    freedom: 20,
    words: 'send.success-body; a success is any 2xx',
    options: () => ({
      answer: (answer, { route }) =>
        route === 'send' && answer.status < 300 ? { ...make(), headers: answer.headers } : undefined,
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
