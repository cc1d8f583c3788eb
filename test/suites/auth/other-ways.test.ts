import { expect, it } from 'vitest';
import type { Answer } from '../../../reference/index.ts';
import type { AnsweredRequest } from '../../../reference/model/answer.ts';
import { refusal } from '../../../selftest/mutants/base/spoil-answer.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';

const spellings = 'auth.other-spellings-of-a-path-need-a-credential';
const elsewhere = 'auth.credential-elsewhere-opens-nothing';

it.each<[string, string, (request: AnsweredRequest) => Answer | undefined]>([
  [
    'refuses another spelling of a path in its own way',
    spellings,
    ({ path }) => (path.startsWith('//') ? refusal(403) : undefined),
  ],
  [
    'sends whoever has no token to a page',
    elsewhere,
    ({ query }) => (query['token'] === undefined ? undefined : moved),
  ],
  [
    'ends the connection at a header for proxies',
    elsewhere,
    ({ headers }) => (headers['proxy-authorization'] === undefined ? undefined : cut),
  ],
])('a server that %s opens nothing', async (_what, id, answerTo) => {
  let asked = 0;
  const run = await runAgainst(id, {
    rules: { pathMeant: (path) => path.replace('//', '/') },
    answer: (_answer, request) => {
      const answer = request.headers['authorization'] === undefined ? answerTo(request) : undefined;
      if (answer !== undefined) asked += 1;
      return answer;
    },
  });
  expect([...findingsOf(run), ...notPassed(run)]).toEqual([]);
  expect(asked).toBeGreaterThan(0);
});

const moved: Answer = { status: 302, headers: { location: '/login' } };
const cut: Answer = { status: 200, headers: {}, ending: 'reset' };
