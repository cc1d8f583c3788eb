import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { alteredSend } from '../../fuzz/altered-send.ts';
import { front } from '../../fixtures/front.ts';
import { type Row, words } from '../frame/row.ts';

const failure = alteredSend('{"content":"{the-mark-of-it} x"}', 'message.content.unaltered');

/** A server that is broken as soon as anybody asks it anything. */
const untouched = front({
  instead: ({ request }) => {
    throw new Error(`it was asked for ${request.method} ${request.url}`);
  },
});

/** A failure file with another request than a campaign would keep: it is refused before anybody is asked anything; test/fuzz/campaign/kept-request has all of them. */
function refused(what: string, changed: object, place: string): Row {
  return {
    name: `a failure file with ${what} is refused`,
    server: untouched,
    given: ({ write }) =>
      write('failure.json', JSON.stringify({ ...failure, request: { ...failure.request, ...changed } })),
    args: words('replay failure.json --target conform.yaml'),
    expected: { exit: 2, says: place, budgetS: 5 },
  };
}

function unreadable(name: string, content: string | Buffer, says: string): Row {
  return {
    name: `a failure file that is ${name} is refused`,
    server: untouched,
    given: ({ write }) => write('failure.json', content),
    args: words('replay failure.json --target conform.yaml'),
    expected: { exit: 2, says, budgetS: 5 },
  };
}

/** A send is kept, and nothing may be written. */
const readOnlyRow: Row = {
  name: 'a kept send is refused by a read-only replay',
  server: untouched,
  given: ({ write }) => write('failure.json', JSON.stringify(failure)),
  args: words('replay failure.json --target conform.yaml --read-only'),
  expected: { exit: 2, says: 'failure.json holds a send, and --read-only', budgetS: 5 },
};

/** What is sent last reads; a step before it does not. */
const readLastRow: Row = {
  ...readOnlyRow,
  name: 'a kept read behind a send is refused by a read-only replay',
  given: ({ write }) => {
    const { body: _body, ...read } = failure.request;
    const request = { ...read, call: 'channel-read', method: 'GET', earlier: [failure.request] };
    write('failure.json', JSON.stringify({ ...failure, request }));
  },
};

/** Failure files, corpora and campaigns of strangers. */
export const failureFileRows: readonly Row[] = [
  readOnlyRow,
  readLastRow,
  refused('a DELETE', { method: 'DELETE' }, '`request.method`'),
  refused('a body of gigabytes', { body: { runs: [['x'.repeat(1_000), 8_000_000]] } }, '`request.body`'),
  unreadable('no JSON', '{"format":', 'it is not JSON'),
  unreadable('no text', Buffer.from([0xff, 0xfe, 0x00]), 'is not UTF-8 text'),
  unreadable('larger than any', Buffer.alloc(33 * 1024 * 1024, 0x20), 'is larger than'),
  {
    name: 'a corpus with a file of no campaign is refused',
    server: untouched,
    given: ({ write }) => write('corpus/a.json', '{"request":{"call":"x"}}'),
    args: words('fuzz --target conform.yaml --corpus corpus --cases 10'),
    expected: { exit: 2, says: 'corpus/a.json is not a failure file', budgetS: 5 },
  },
  {
    name: 'a corpus that is a file is refused',
    server: untouched,
    given: ({ write }) => write('corpus', '{}'),
    args: words('fuzz --target conform.yaml --corpus corpus --cases 10'),
    expected: {
      exit: 2,
      says: 'corpus is a file; name a folder of failure files',
      never: /ENOTDIR/,
      budgetS: 5,
    },
  },
  {
    name: 'a corpus that nobody may read is refused',
    server: untouched,
    onlyWith: 'not-root',
    given: ({ folder }) => mkdirSync(join(folder, 'corpus'), { mode: 0o300 }),
    args: words('fuzz --target conform.yaml --corpus corpus --cases 10'),
    expected: { exit: 2, says: 'corpus is not readable by this user', never: /EACCES/, budgetS: 5 },
  },
  {
    name: 'a plan of concurrent clients that is none is refused',
    server: untouched,
    given: ({ write }) => write('plan.json', '{"stress":1,"plan":{"rounds":null}}'),
    args: words('stress --target conform.yaml --replay plan.json'),
    expected: { exit: 2, says: 'is no failure that the command stress has kept', budgetS: 5 },
  },
];
