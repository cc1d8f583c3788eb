import type { Answer, AnsweredRequest } from '../../../reference/model/answer.ts';
import { alternatives, leavingOpen, type Overlay, type Variant } from '../base/variant.ts';
import { isFields } from './answers.ts';

/** What a refusal may be outside of the mentions call, and who is refused how. */
export const refusalVariants: readonly Variant[] = [
  ...leavingOpen({
    'how long a query may be is not shown, nor how it is refused by what stands in front of the service': {
      'a-front-reads-queries-of-2-kb': ({ random }) => ({
        answer: (_answer, { query }) =>
          Object.values(query).join('').length > 2_048
            ? {
                status: [403, 404, 413, 414][Math.floor(random() * 4)] ?? 414,
                headers: { 'content-type': 'text/html' },
                body: Buffer.from('<h1>Too long</h1>'),
              }
            : undefined,
      }),
    },
    'the table of statuses is headed by the mentions call; elsewhere a refusal is any 4xx': {
      'bad-requests-are-422': ({ rules }) => ({
        statusOfRefusal: (kind, route) =>
          kind === 'invalid' && route !== 'mentions' ? 422 : rules.statusOfRefusal(kind, route),
      }),
    },
  }),
  ...alternatives({
    'the status of a refused send is not shown': {
      'bad-content-is-413': {
        answer: (answer, { route }) =>
          route === 'send' && isRefusalOf(answer, 'content') ? { ...answer, status: 413 } : undefined,
      },
      'bad-content-is-415': {
        answer: (answer, { route }) =>
          route === 'send' && isRefusalOf(answer, 'content') ? { ...answer, status: 415 } : undefined,
      },
    },
  }),
  ...leavingOpen({
    'the statuses of calls other than mentions are not shown': {
      'an-unknown-channel-is-403': ({ rules }) => ({
        statusOfRefusal: (kind, route) =>
          kind === 'not-found' && (route === 'send' || route === 'read')
            ? 403
            : rules.statusOfRefusal(kind, route),
      }),
    },
    'that a channel of another workspace exists need not be told': {
      'a-foreign-channel-is-404': { kindOfForeignChannel: () => 'not-found' },
    },
    'overview.refusal-statuses': {
      'refused-overviews-are-404': ({ rules }) => ({
        statusOfRefusal: (kind, route) =>
          route === 'overview' && (kind === 'forbidden' || kind === 'invalid')
            ? 404
            : rules.statusOfRefusal(kind, route),
      }),
    },
  }),
  ...alternatives({
    'auth.wrong-surface-status': {
      'the-wrong-surface-is-403': {
        kindOfCredentialProblem: (problem) => (problem === 'wrong-surface' ? 'forbidden' : 'unauthenticated'),
      },
    },
    'auth.wrong-surface-status; on mentions 404 is not among the statuses': {
      'the-wrong-surface-is-404': {
        kindOfCredentialProblem: (problem, route) =>
          problem === 'wrong-surface' && route !== 'mentions' ? 'not-found' : 'unauthenticated',
      },
    },
  }),
  ...leavingOpen({
    'whether losing the membership takes the credential along is not shown': {
      'a-lost-membership-is-401': {
        kindOfNoAccess: ({ atFirstUse }) => (atFirstUse ? 'unauthenticated' : 'forbidden'),
      },
    },
    'auth.scheme-letter-case': {
      'the-scheme-has-one-spelling': {
        bearerToken: (authorization) => /^Bearer ([A-Za-z0-9._~+/-]+=*)$/.exec(authorization)?.[1],
      },
    },
  }),
  ...alternatives({
    'auth.www-authenticate-value': {
      'a-challenge-says-nothing': { challenge: () => '' },
      'a-challenge-has-two-schemes': {
        challenge: () => 'Token realm="a, b", charset="UTF-8", Bearer scope="x y"',
      },
    },
  }),
  ...alternatives({
    'errors.codes; a message is a string without a least length': {
      'errors-say-little': { errorBody: () => ({ error: { code: '', message: '' } }) },
    },
    'errors.codes; an error need not have details': {
      'errors-have-no-details': {
        errorBody: (code, message) => ({ error: { code, message } }),
      },
    },
    'errors.codes; api-error.details.members': {
      'errors-say-a-lot': ({ rules }) => ({
        codeOfRefusal: (kind) => `E-1000 ${kind}`,
        errorBody: (code, message) =>
          rules.errorBody(code, `${message}\n「${message}」`, {
            error: { code: 1, message: null },
            list: [1, [2, { three: 3 }]],
            '': '',
          }),
      }),
    },
  }),
];

function isRefusalOf({ status, body }: Answer, field: string): boolean {
  if (status !== 400 && status !== 422) return false;
  const error = isFields(body) ? body['error'] : undefined;
  const details = isFields(error) ? error['details'] : undefined;
  return isFields(details) && details['field'] === field;
}

/** Successes of calls for which no status is named. */
export const successVariants: readonly Variant[] = [
  ...alternatives({
    'channel-read.success-is-200': {
      'reads-succeed-with-203': () => succeeding('read', 203),
      'reads-succeed-with-206': () => succeeding('read', 206),
    },
  }),
  ...leavingOpen({
    'overview.success-is-200': { 'overviews-succeed-with-203': () => succeeding('overview', 203) },
    'channels-list.shapes; receipts-list.shapes: nor is a status named': {
      'lists-succeed-with-202': {
        answer: (answer, { route }) =>
          (route === 'channels' || route === 'receipts') && answer.status === 200
            ? { ...answer, status: 202 }
            : undefined,
      },
    },
  }),
];

function succeeding(call: AnsweredRequest['route'], status: number): Overlay {
  return {
    answer: (answer, { route }) =>
      route === call && answer.status === 200 ? { ...answer, status } : undefined,
  };
}
