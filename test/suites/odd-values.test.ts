import { expect, it } from 'vitest';
import type { AnswerHook } from '../../reference/model/answer.ts';
import {
  type JsonObject,
  listOf,
  objectOf,
  spoilItems,
  spoilSuccess,
} from '../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../suites/index.ts';
import { runAgainst } from './run-suite.ts';

/** Neither `String` nor `JSON.stringify` has a text for it. */
const odd = { toString: null, big: 9_007_199_254_740_993n };

const inAuthor = (change: (author: JsonObject) => object) =>
  spoilItems('read', (message) => ({ ...message, author: change(objectOf(message['author'])) })).answer;

const inFiles = (fields: object) =>
  spoilItems('read', ({ attachments, ...message }) => ({
    ...message,
    attachments: listOf(attachments).map((file) => ({ ...objectOf(file), ...fields })),
  })).answer;

const human = inAuthor((author) => ({
  ...author,
  human_user: { ...objectOf(author['human_user']), id: odd },
}));

/** An author without a text for its id, of what was sent as if by another. */
function inClaimedAuthor(): AnswerHook {
  const claimed = new Set<unknown>();
  const noted = spoilSuccess('send', (answer, { headers }) => {
    if (headers['x-user-id'] !== undefined) claimed.add(objectOf(objectOf(answer.body)['message'])['id']);
    return answer;
  });
  const spoiled = spoilItems('read', ({ author, ...message }) => ({
    ...message,
    author: claimed.has(message['id']) ? { ...objectOf(author), id: odd } : author,
  }));
  return async (answer, request) => {
    await noted.answer(answer, request);
    return spoiled.answer(answer, request);
  };
}

it.each<readonly [string, string, AnswerHook]>([
  [
    'the id of an author',
    'message.author-is-the-agent-of-the-token-whoever-a-header-names',
    inClaimedAuthor(),
  ],
  ['the id of a human', 'source-session.grants-nothing', human],
  [
    'a source session',
    'source-session.grants-nothing',
    spoilItems('read', (message) =>
      'source_session' in objectOf(message['author'])
        ? {
            ...message,
            author: {
              ...objectOf(message['author']),
              source_session: {
                ...objectOf(objectOf(message['author'])['source_session']),
                provider: odd,
                odd,
              },
            },
          }
        : message,
    ).answer,
  ],
  ['the type of a file', 'file.deleted-file-stays-on-its-messages', inFiles({ content_type: odd })],
  ['the size of a file', 'file.sha256-is-the-digest-of-its-bytes', inFiles({ size_bytes: odd })],
  ['the status of a file', 'mentions.changes-take-nothing-away', inFiles({ status: odd })],
  [
    'the id of a mentioned message',
    'mentions.other-channels-are-covered',
    spoilItems('mentions', (mention) => ({
      ...mention,
      message: { ...objectOf(mention['message']), id: odd },
    })).answer,
  ],
])('a run goes on where %s is nothing that has a text: %s', async (_, id, answer) => {
  const checks = allChecks.filter((check) => check.id === id);
  const run = await runAgainst(checks, { answer });
  expect(run.checks.map(({ check }) => check)).toContain(id);
});
