import { type Answer, jsonAnswer } from '../../../reference/model/answer.ts';
import { canonicalJson } from '../../../reference/model/json-text.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import { isRecord } from '../../../spec/calls/index.ts';
import { type Answering, spoilBody, spoilSuccess } from '../../mutants/base/spoil-answer.ts';
import { alternatives, leavingOpen, openBy, type Underlay, type Variant } from '../base/variant.ts';

/** How a send is answered, and what its key does. */
export const sendVariants: readonly Variant[] = [
  ...alternatives({
    ...openBy('send.success-body; a success is any 2xx', {
      'a-send-is-answered-with-an-empty-204': sendAs({ status: 204, headers: {} }),
      'a-send-is-answered-with-an-empty-200': sendAs({ status: 200, headers: {} }),
      'a-send-is-answered-with-an-empty-object': sendAs(jsonAnswer(200, {})),
      'a-send-is-answered-with-a-ticket': sendAs(
        jsonAnswer(202, { ticket: 4711, state: 'queued', 'x-y': [null, {}] }),
      ),
      'a-send-is-answered-with-a-string': sendAs(jsonAnswer(200, 'ok')),
      'a-send-is-answered-with-a-list': sendAs(jsonAnswer(201, [1, 'two', { three: 3 }])),
      'a-send-is-answered-with-null': sendAs(jsonAnswer(200, null)),
      'a-send-is-answered-with-a-message-that-is-none': sendAs(
        jsonAnswer(200, { message: { id: 'pending', sequence: 0, content: null }, page: {}, error: null }),
      ),
      'a-send-is-answered-with-the-message-before-it': showingTheOneBefore,
    }),
  }),
  ...alternatives({
    ...openBy('send.equal-replay', {
      'a-replay-is-told-by-200': { statusOfSend: (isReplay) => (isReplay ? 200 : 201) },
      'a-replay-has-no-body': {
        rules: { statusOfSend: (isReplay) => (isReplay ? 208 : 201) },
        answer: (answer, { route }) =>
          route === 'send' && answer.status === 208 ? { status: 204, headers: answer.headers } : undefined,
      },
    }),
  }),
  ...alternatives({
    ...openBy('send.key-in-flight', {
      'a-key-in-flight-conflicts': { pauseBeforeCommitMs: () => 25, onKeyInFlight: () => 'conflict' },
      'a-key-in-flight-waits': { pauseBeforeCommitMs: () => 25 },
    }),
  }),
  ...alternatives({
    ...openBy('send.key-scope', {
      'keys-belong-to-an-agent': { idempotencyScope: ({ agentId }) => agentId },
      'keys-belong-to-a-channel': { idempotencyScope: ({ channelId }) => channelId },
      'keys-belong-to-the-workspace': { idempotencyScope: ({ workspaceId }) => workspaceId },
      'keys-belong-to-a-session': keyedBy('source_session'),
      'keys-belong-to-a-host': keyedBy('agent_host'),
    }),
  }),
  ...alternatives({
    ...openBy('send.key-lifetime', {
      'keys-are-forgotten-after-10-minutes': {
        isKeyRecordAlive: ({ recordedMs }, nowMs) => nowMs - recordedMs < 10 * 60 * 1000,
      },
      'keys-are-forgotten-after-300-ms': {
        isKeyRecordAlive: ({ recordedMs }, nowMs) => nowMs - recordedMs < 300,
      },
      'keys-are-forgotten-at-a-restart': { losesKeysAtRestart: () => true },
    }),
  }),
  ...leavingOpen({
    'a-refused-send-uses-its-key-up: which sends leave an idempotency record is not shown': {
      remembersRefusedSend: () => true,
    },
    'a-key-conflict-is-422: send.conflict-status-409 is inferred: the status belongs to another call': ({
      rules,
    }) => ({
      statusOfRefusal: (kind, route) =>
        kind === 'conflict' && route === 'send' ? 422 : rules.statusOfRefusal(kind, route),
    }),
  }),
  ...alternatives({
    ...openBy('what makes two bodies conflict is not shown', {
      'the-default-content-type-is-no-difference': ({ rules }) => ({
        fingerprint: (body) => rules.fingerprint({ content_type: 'text/plain', ...body }),
      }),
      'the-order-of-fields-is-a-difference': { fingerprint: (body) => JSON.stringify(body) },
      'only-content-makes-a-difference': { fingerprint: ({ content }) => canonicalJson({ content }) },
    }),
  }),
  ...leavingOpen({
    'a-key-is-not-needed: send.missing-idempotency-key': { requiresIdempotencyKey: () => false },
    'keys-are-uuids: the form of a key is not shown': {
      acceptsIdempotencyKey: (key) => /^[0-9a-f-]{36}$/i.test(key),
    },
    'keys-have-100-small-letters: send.similar-keys-are-different is inferred: which keys are equal is not shown':
      { comparedKey: (key) => key.toLowerCase().slice(0, 100) },
    'unknown-fields-are-taken: send.unknown-fields': { acceptsField: () => true },
    'any-media-type-is-taken: service.other-request-types': { acceptsMediaType: () => true },
    'only-plain-text-is-taken: send.content-type.values': {
      acceptsContentType: (contentType) => contentType === 'text/plain',
    },
    'targets-need-not-exist: what validates a target is not shown': { acceptsTarget: () => true },
    'answers-to-sends-get-lost: send.timed-out': () => losing([15, 45]),
  }),
];

/** A key counts for what a field of the body says. */
function keyedBy(field: string) {
  return ({ rules }: Underlay): Partial<Rules> => ({
    comparedKey: (key, body) => `${rules.comparedKey(key, body)} ${canonicalJson(body[field] ?? null)}`,
  });
}

/** A send is answered otherwise; where another variant shows late what a 202 takes, it stays a 202. */
function sendAs(made: Answer): Answering {
  return spoilSuccess('send', ({ status, headers }) => ({
    ...made,
    status: status === 202 ? 202 : made.status,
    headers,
  }));
}

/** Answers a send with the message that the channel had before it. */
function showingTheOneBefore(): Answering {
  const last = new Map<string, unknown>();
  return spoilBody('send', (body) => {
    const message = isRecord(body['message']) ? body['message'] : body;
    const channel = String(message['channel_id']);
    const previous = last.get(channel) ?? null;
    last.set(channel, message);
    return { accepted: true, previous };
  });
}

/** Breaks the connection instead of answering the n-th accepted sends. */
function losing(places: readonly number[]): Answering {
  let sends = 0;
  return spoilSuccess('send', (answer) => {
    sends += 1;
    return places.includes(sends) ? { ...answer, ending: 'reset' } : answer;
  });
}
