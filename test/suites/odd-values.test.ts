import { expect, it } from 'vitest';
import type { AnswerHook } from '../../reference/model/answer.ts';
import {
  inTurn,
  type JsonObject,
  listOf,
  objectOf,
  spoilItems,
  spoilSuccess,
} from '../../selftest/mutants/base/spoil-answer.ts';
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

const human = inAuthor(({ human_user: person, ...author }) => ({
  ...author,
  human_user: { ...objectOf(person), id: odd },
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
  return inTurn(noted, spoiled).answer;
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
    inAuthor(({ source_session: session, ...author }) =>
      session === undefined
        ? author
        : { ...author, source_session: { ...objectOf(session), provider: odd, odd } },
    ),
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
  const run = await runAgainst(id, { answer });
  expect(run.checks.map(({ check }) => check)).toContain(id);
});
