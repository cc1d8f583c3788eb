import type { Answer, AnsweredRequest } from '../../../reference/model/answer.ts';
import { alternatives, leavingOpen, openBy, type Variant } from '../base/variant.ts';
import { inTurn, objectOf, refusal, refusalAs, successAs } from '../../mutants/base/spoil-answer.ts';

/** What a refusal may be outside of the mentions call, and who is refused how. */
export const refusalVariants: readonly Variant[] = [
  ...leavingOpen({
    'a-front-reads-queries-of-2-kb: how long a query may be is not shown, nor how it is refused by what stands in front of the service':
      ({ random }) => ({
        answer: (_answer, { query }) =>
          Object.values(query).join('').length > 2_048
            ? {
                status: [403, 404, 413, 414][Math.floor(random() * 4)] ?? 414,
                headers: { 'content-type': 'text/html' },
                body: Buffer.from('<h1>Too long</h1>'),
              }
            : undefined,
      }),
    'bad-requests-are-422: the table of statuses is headed by the mentions call; elsewhere a refusal is any 4xx':
      ({ rules }) => ({
        statusOfRefusal: (kind, route) =>
          kind === 'invalid' && route !== 'mentions' ? 422 : rules.statusOfRefusal(kind, route),
      }),
  }),
  ...alternatives({
    ...openBy('the status of a refused send is not shown', {
      'bad-content-is-413': refusalAs(413, isOfContent, 'send'),
      'bad-content-is-415': refusalAs(415, isOfContent, 'send'),
    }),
  }),
  ...leavingOpen({
    'a-front-refuses-what-only-it-may-say: errors.precedence: a header by which a front tells who asks may be what it refuses of nobody':
      {
        answer: ({ status }, { headers }) =>
          status === 401 && headers['x-service-agent-id'] !== undefined ? refusal(400) : undefined,
      },
    'a-wrong-method-is-404: what a call with another method is, and how it is refused, is not shown': {
      answer: ({ status }) => (status === 405 ? refusal(404) : undefined),
    },
    'an-unknown-channel-is-403: the statuses of calls other than mentions are not shown': ({ rules }) => ({
      statusOfRefusal: (kind, route) =>
        kind === 'not-found' && (route === 'send' || route === 'read')
          ? 403
          : rules.statusOfRefusal(kind, route),
    }),
    'a-foreign-channel-is-404: that a channel of another workspace exists need not be told': {
      kindOfForeignChannel: () => 'not-found',
    },
    'refused-overviews-are-404: overview.refusal-statuses': ({ rules }) => ({
      statusOfRefusal: (kind, route) =>
        route === 'overview' && (kind === 'forbidden' || kind === 'invalid')
          ? 404
          : rules.statusOfRefusal(kind, route),
    }),
  }),
  ...alternatives({
    'the-wrong-surface-is-403: auth.wrong-surface-status': {
      kindOfCredentialProblem: (problem) => (problem === 'wrong-surface' ? 'forbidden' : 'unauthenticated'),
    },
    'the-wrong-surface-is-404: auth.wrong-surface-status; on mentions 404 is not among the statuses': {
      kindOfCredentialProblem: (problem, route) =>
        problem === 'wrong-surface' && route !== 'mentions' ? 'not-found' : 'unauthenticated',
    },
  }),
  ...leavingOpen({
    'a-lost-membership-is-401: whether losing the membership takes the credential along is not shown': {
      kindOfNoAccess: ({ atFirstUse }) => (atFirstUse ? 'unauthenticated' : 'forbidden'),
    },
    'the-scheme-has-one-spelling: auth.scheme-letter-case': {
      bearerToken: (authorization) => /^Bearer ([A-Za-z0-9._~+/-]+=*)$/.exec(authorization)?.[1],
    },
  }),
  ...alternatives({
    ...openBy('auth.www-authenticate-value', {
      'a-challenge-says-nothing': { challenge: () => '' },
      'a-challenge-has-two-schemes': {
        challenge: () => 'Token realm="a, b", charset="UTF-8", Bearer scope="x y"',
      },
    }),
  }),
  ...alternatives({
    'errors-say-little: errors.codes; a message is a string without a least length': {
      errorBody: () => ({ error: { code: '', message: '' } }),
    },
    'errors-have-no-details: errors.codes; an error need not have details': {
      errorBody: (code, message) => ({ error: { code, message } }),
    },
    'errors-say-a-lot: errors.codes; api-error.details.members': ({ rules }) => ({
      codeOfRefusal: (kind) => `E-1000 ${kind}`,
      errorBody: (code, message) =>
        rules.errorBody(code, `${message}\n「${message}」`, {
          error: { code: 1, message: null },
          list: [1, [2, { three: 3 }]],
          '': '',
        }),
    }),
  }),
];

function isOfContent(_request: AnsweredRequest, { status, body }: Answer): boolean {
  const details = objectOf(objectOf(objectOf(body)['error'])['details']);
  return (status === 400 || status === 422) && details['field'] === 'content';
}

/** Successes of calls for which no status is named. */
export const successVariants: readonly Variant[] = [
  ...alternatives({
    ...openBy('channel-read.success-is-200', {
      'reads-succeed-with-203': successAs(203, 'read', is200),
      'reads-succeed-with-206': successAs(206, 'read', is200),
    }),
  }),
  ...leavingOpen({
    'overviews-succeed-with-203: overview.success-is-200': successAs(203, 'overview', is200),
    'lists-succeed-with-202: channels-list.shapes; receipts-list.shapes: nor is a status named': inTurn(
      successAs(202, 'channels', is200),
      successAs(202, 'receipts', is200),
    ),
  }),
];

function is200(_request: AnsweredRequest, { status }: Answer): boolean {
  return status === 200;
}
