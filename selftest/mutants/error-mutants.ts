import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, AnswerHook } from '../../reference/model/answer.ts';
import type { RouteName } from '../../reference/model/routes.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { breaking, mutant, what, type Mutant } from './base/mutant.ts';
import {
  documentedRoutes,
  itemsOf,
  objectOf,
  refusal,
  sequenceOf,
  spoilRefusals,
  spoilSuccess,
  without,
} from './base/spoil-answer.ts';

/** Statuses and headers of refusals, and calls that do not answer. */
const statusMutants: readonly Mutant[] = [
  ...breaking({
    'errors.refusals-are-4xx': {
      'bad-bodies-are-500': { statusOfRefusal: invalidAs(500, 'send') },
      'bad-bodies-are-200': { statusOfRefusal: invalidAs(200, 'send') },
      'bad-bodies-are-303': { statusOfRefusal: invalidAs(303, 'send') },
    },
    'errors.invalid-parameter-is-400': {
      'bad-parameters-are-422': { statusOfRefusal: invalidAs(422, 'mentions') },
      'bad-parameters-are-409': { statusOfRefusal: invalidAs(409, 'mentions') },
    },
    'errors.limits-reached-are-429': {
      'limits-are-503': { statusOfRefusal: limitAs(503, 'mentions') },
      'limits-are-403': { statusOfRefusal: limitAs(403, 'mentions') },
      'limits-are-400': { statusOfRefusal: limitAs(400, 'mentions') },
    },
    'errors.limit-elsewhere-is-429': {
      'limits-elsewhere-are-503': what('a limit that was reached on a read is answered with 503', {
        statusOfRefusal: (kind, route) =>
          kind === 'rate-limited' && route !== 'mentions' ? 503 : contractRules.statusOfRefusal(kind, route),
      }),
      'limits-elsewhere-are-403': what('a limit that was reached on a read is answered with 403', {
        statusOfRefusal: (kind, route) =>
          kind === 'rate-limited' && route !== 'mentions' ? 403 : contractRules.statusOfRefusal(kind, route),
      }),
      'limits-on-sends-are-403': { statusOfRefusal: limitAs(403, 'send') },
      'no-retry-after-elsewhere': what('a 429 of a read comes without Retry-After', {
        answer: spoilRefusals(
          (answer) => ({ ...answer, headers: without(answer.headers, 'retry-after') as Answer['headers'] }),
          documentedRoutes.filter((route) => route !== 'mentions'),
        ),
      }),
    },
    'errors.retry-after-present': {
      'no-retry-after': what('a 429 comes without Retry-After', { retryAfter: () => null }),
    },
    'errors.retry-after-is-a-count': {
      'retry-after-is-a-date': what('Retry-After is a date', {
        retryAfter: (seconds) => new Date(Date.now() + seconds * 1000).toUTCString(),
      }),
      'retry-after-is-a-fraction': { retryAfter: (seconds) => seconds.toFixed(3) },
      'retry-after-is-negative': what('Retry-After is below 0', { retryAfter: () => '-1' }),
      'retry-after-has-a-unit': { retryAfter: (seconds) => `${Math.ceil(seconds)}s` },
    },
    'service.paths-start-at-the-base': {
      'mentions-are-elsewhere': { answer: spoilSuccess('mentions', () => refusal(404)) },
      'sends-are-elsewhere': { answer: spoilSuccess('send', () => refusal(404)) },
      'channel-reads-are-elsewhere': { answer: spoilSuccess('read', () => refusal(404)) },
    },
    'service.valid-requests-are-served': {
      'pages-with-some-messages-are-500': {
        answer: spoilSuccess('read', (answer) =>
          itemsOf(objectOf(answer.body), 'read').some((item) => sequenceOf(item) % 5n === 3n)
            ? refusal(500)
            : answer,
        ),
      },
    },
    'service.requests-at-once-are-served': { 'reads-at-once-are-500': () => ({ answer: lockedReads() }) },
    'channels-list.lists-a-known-one': {
      'channels-list-is-empty': what('the list of channels is empty', {
        answer: spoilSuccess('channels', (answer) => ({ ...answer, body: { channels: [] } })),
      }),
    },
  }),
  ...(['after', 'limit'] as const).map((name) =>
    mutant(
      `bad-${name}-is-403`,
      'errors.invalid-parameter-is-400',
      `an invalid ${name} is answered with 403`,
      {
        answer: spoilRefusals(
          (answer, { query }) =>
            answer.status === 400 && query[name] !== undefined ? { ...answer, status: 403 } : answer,
          ['mentions'],
        ),
      },
    ),
  ),
  ...[404, 500, 501].map((status) =>
    mutant(
      `channels-list-is-${status}`,
      'channels-list.answers',
      `the list of channels is answered with ${status}`,
      { answer: spoilSuccess('channels', () => refusal(status)) },
    ),
  ),
];

/** Answers reads with 500 while another one is under way, as a database does that lets in one at a time. */
function lockedReads(): AnswerHook {
  let underWay = 0;
  return async (_answer, { route }) => {
    if (route !== 'read') return undefined;
    underWay += 1;
    const isLocked = underWay > 1;
    await sleep(4);
    underWay -= 1;
    return isLocked ? refusal(500) : undefined;
  };
}

function invalidAs(status: number, of: RouteName): Rules['statusOfRefusal'] {
  return (kind, route) =>
    kind === 'invalid' && route === of ? status : contractRules.statusOfRefusal(kind, route);
}

function limitAs(status: number, of: RouteName): Rules['statusOfRefusal'] {
  return (kind, route) =>
    kind === 'rate-limited' && route === of ? status : contractRules.statusOfRefusal(kind, route);
}

/** Bodies that are no JSON, and media types that are no JSON's. */
const bodyMutants: readonly Mutant[] = [
  ...(['mentions', 'read', 'overview'] as const).flatMap((route) => [
    mutant(
      `${route}-answer-has-an-end`,
      'service.bodies-are-json',
      `an answer of ${route} has something behind its JSON`,
      {
        answer: spoilSuccess(
          route,
          text((json) => `${json}\n--end`),
        ),
      },
    ),
    mutant(
      `${route}-answer-is-guarded`,
      'service.bodies-are-json',
      `an answer of ${route} has a guard before its JSON`,
      {
        answer: spoilSuccess(
          route,
          text((json) => `)]}',\n${json}`),
        ),
      },
    ),
    mutant(
      `${route}-answer-has-a-trailing-comma`,
      'service.bodies-are-json',
      `an answer of ${route} has a comma before its last brace`,
      {
        answer: spoilSuccess(
          route,
          text((json) => json.replace(/\}$/, ',}')),
        ),
      },
    ),
    mutant(
      `${route}-answer-is-twice-json`,
      'service.bodies-are-json',
      `an answer of ${route} is two JSON texts`,
      {
        answer: spoilSuccess(
          route,
          text((json) => `${json}\n${json}`),
        ),
      },
    ),
    mutant(
      `${route}-answer-is-html`,
      'service.content-type-is-json',
      `an answer of ${route} is declared as HTML`,
      { answer: spoilSuccess(route, ofType('text/html; charset=utf-8')) },
    ),
    mutant(
      `${route}-answer-has-an-empty-type`,
      'service.content-type-is-json',
      `an answer of ${route} is declared as nothing`,
      { answer: spoilSuccess(route, ofType('')) },
    ),
  ]),
  ...breaking({
    'service.content-type-is-json': {
      'send-answer-is-text': { answer: spoilSuccess('send', ofType('text/plain')) },
    },
  }),
  ...documentedRoutes.map((route) =>
    mutant(
      `${route}-refusal-is-a-problem`,
      'service.content-type-is-json',
      `a refusal of ${route} is declared as a problem document`,
      { answer: spoilRefusals(ofType('application/problem+json'), [route]) },
    ),
  ),
  ...documentedRoutes.flatMap((route) => [
    mutant(`${route}-refusal-is-a-text`, 'service.bodies-are-json', `a refusal of ${route} is a plain text`, {
      answer: spoilRefusals(
        text(() => 'refused'),
        [route],
      ),
    }),
    mutant(`${route}-refusal-is-empty`, 'service.bodies-are-json', `a refusal of ${route} has no body`, {
      answer: spoilRefusals(({ body: _left, ...answer }) => answer, [route]),
    }),
    mutant(
      `${route}-refusal-is-a-word`,
      'errors.body-is-api-error',
      `a refusal of ${route} is a JSON text alone`,
      { answer: spoilRefusals((answer) => ({ ...answer, body: 'refused' }), [route]) },
    ),
  ]),
];

function text(change: (json: string) => string): (answer: Answer) => Answer {
  return ({ body, headers, ...answer }) => ({
    ...answer,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(change(JSON.stringify(body))),
  });
}

function ofType(type: string): (answer: Answer) => Answer {
  return ({ headers, ...answer }) => ({ ...answer, headers: { ...headers, 'content-type': type } });
}

export const errorMutants: readonly Mutant[] = [...statusMutants, ...bodyMutants];
