import type { Answer } from '../../../reference/model/answer.ts';
import { isFields } from './answers.ts';
import { alternatives, type Variant } from '../base/variant.ts';

/** What a refusal may be outside of the mentions call, and who is refused how. */
export const refusalVariants: readonly Variant[] = [
  {
    id: 'bad-requests-are-422',
    words: 'the table of statuses is headed by the mentions call; elsewhere a refusal is any 4xx',
    options: ({ rules }) => ({
      rules: {
        statusOfRefusal: (kind, route) =>
          kind === 'invalid' && route !== 'mentions' ? 422 : rules.statusOfRefusal(kind, route),
      },
    }),
  },
  ...alternatives(
    {
      id: 'bad-content-is-413',
      words: 'the status of a refused send is not shown',
      options: () => ({
        answer: (answer, { route }) =>
          route === 'send' && isAbout(answer, 'content') ? { ...answer, status: 413 } : undefined,
      }),
    },
    {
      id: 'bad-content-is-415',
      words: 'the status of a refused send is not shown',
      options: () => ({
        answer: (answer, { route }) =>
          route === 'send' && isAbout(answer, 'content') ? { ...answer, status: 415 } : undefined,
      }),
    },
  ),
  {
    id: 'an-unknown-channel-is-403',
    words: 'the statuses of calls other than mentions are not shown',
    options: ({ rules }) => ({
      rules: {
        statusOfRefusal: (kind, route) =>
          kind === 'not-found' && (route === 'send' || route === 'read')
            ? 403
            : rules.statusOfRefusal(kind, route),
      },
    }),
  },
  {
    id: 'a-foreign-channel-is-404',
    words: 'that a channel of another workspace exists need not be told',
    options: () => ({ rules: { kindOfForeignChannel: () => 'not-found' } }),
  },
  {
    id: 'refused-overviews-are-404',
    words: 'overview.refusal-statuses',
    options: ({ rules }) => ({
      rules: {
        statusOfRefusal: (kind, route) =>
          route === 'overview' && (kind === 'forbidden' || kind === 'invalid')
            ? 404
            : rules.statusOfRefusal(kind, route),
      },
    }),
  },
  ...alternatives(
    {
      id: 'the-wrong-surface-is-403',
      words: 'auth.wrong-surface-status',
      options: () => ({
        rules: {
          kindOfCredentialProblem: (problem) =>
            problem === 'wrong-surface' ? 'forbidden' : 'unauthenticated',
        },
      }),
    },
    {
      id: 'the-wrong-surface-is-404',
      words: 'auth.wrong-surface-status; on mentions 404 is not among the statuses',
      options: () => ({
        rules: {
          kindOfCredentialProblem: (problem, route) =>
            problem === 'wrong-surface' && route !== 'mentions' ? 'not-found' : 'unauthenticated',
        },
      }),
    },
  ),
  {
    id: 'a-lost-membership-is-401',
    words: 'whether losing the membership takes the credential along is not shown',
    options: () => ({
      rules: { kindOfNoAccess: ({ atFirstUse }) => (atFirstUse ? 'unauthenticated' : 'forbidden') },
    }),
  },
  {
    id: 'the-scheme-has-one-spelling',
    words: 'auth.scheme-letter-case',
    options: () => ({
      rules: { bearerToken: (authorization) => /^Bearer ([A-Za-z0-9._~+/-]+=*)$/.exec(authorization)?.[1] },
    }),
  },
  ...alternatives(
    {
      id: 'a-challenge-says-nothing',
      words: 'auth.www-authenticate-value',
      options: () => ({ rules: { challenge: () => '' } }),
    },
    {
      id: 'a-challenge-has-two-schemes',
      words: 'auth.www-authenticate-value',
      options: () => ({
        rules: { challenge: () => 'Token realm="a, b", charset="UTF-8", Bearer scope="x y"' },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'errors-say-little',
      words: 'errors.codes; a message is a string without a least length',
      options: () => ({ rules: { errorBody: () => ({ error: { code: '', message: '' } }) } }),
    },
    {
      id: 'errors-say-a-lot',
      words: 'errors.codes; api-error.details.members',
      options: ({ rules }) => ({
        rules: {
          codeOfRefusal: (kind) => `E-1000 ${kind}`,
          errorBody: (code, message) =>
            rules.errorBody(code, `${message}\n「${message}」`, {
              error: { code: 1, message: null },
              list: [1, [2, { three: 3 }]],
              '': '',
            }),
        },
      }),
    },
  ),
];

function isAbout({ status, body }: Answer, field: string): boolean {
  if (status !== 400 && status !== 422) return false;
  const error = isFields(body) ? body['error'] : undefined;
  const details = isFields(error) ? error['details'] : undefined;
  return isFields(details) && details['field'] === field;
}
