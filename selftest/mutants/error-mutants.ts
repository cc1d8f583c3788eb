import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, AnswerHook } from '../../reference/model/answer.ts';
import type { RouteName } from '../../reference/model/routes.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { mutant, ruleMutants, type Mutant } from './base/mutant.ts';
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
  ...ruleMutants([
    [
      'bad-bodies-are-500',
      'errors.refusals-are-4xx',
      'a send that is not JSON is answered with 500',
      { statusOfRefusal: invalidAs(500, 'send') },
    ],
    [
      'bad-bodies-are-200',
      'errors.refusals-are-4xx',
      'a send that is refused is answered with 200 and an error',
      { statusOfRefusal: invalidAs(200, 'send') },
    ],
    [
      'bad-bodies-are-303',
      'errors.refusals-are-4xx',
      'a send that is refused is answered with 303',
      { statusOfRefusal: invalidAs(303, 'send') },
    ],
    [
      'bad-parameters-are-422',
      'errors.invalid-parameter-is-400',
      'an invalid parameter of mentions is answered with 422',
      { statusOfRefusal: invalidAs(422, 'mentions') },
    ],
    [
      'bad-parameters-are-409',
      'errors.invalid-parameter-is-400',
      'an invalid parameter of mentions is answered with 409',
      { statusOfRefusal: invalidAs(409, 'mentions') },
    ],
    [
      'limits-are-503',
      'errors.limits-reached-are-429',
      'a limit that was reached is answered with 503',
      { statusOfRefusal: limitAs(503, 'mentions') },
    ],
    [
      'limits-are-403',
      'errors.limits-reached-are-429',
      'a limit that was reached is answered with 403',
      { statusOfRefusal: limitAs(403, 'mentions') },
    ],
    [
      'limits-are-400',
      'errors.limits-reached-are-429',
      'a limit that was reached is answered with 400',
      { statusOfRefusal: limitAs(400, 'mentions') },
    ],
    [
      'limits-elsewhere-are-503',
      'errors.limit-elsewhere-is-429',
      'a limit that was reached on a read is answered with 503',
      {
        statusOfRefusal: (kind, route) =>
          kind === 'rate-limited' && route !== 'mentions' ? 503 : contractRules.statusOfRefusal(kind, route),
      },
    ],
    [
      'limits-elsewhere-are-403',
      'errors.limit-elsewhere-is-429',
      'a limit that was reached on a read is answered with 403',
      {
        statusOfRefusal: (kind, route) =>
          kind === 'rate-limited' && route !== 'mentions' ? 403 : contractRules.statusOfRefusal(kind, route),
      },
    ],
    [
      'no-retry-after',
      'errors.retry-after-present',
      'a 429 comes without Retry-After',
      { retryAfter: () => null },
    ],
    [
      'retry-after-is-a-date',
      'errors.retry-after-is-a-count',
      'Retry-After is a date',
      { retryAfter: (seconds) => new Date(Date.now() + seconds * 1000).toUTCString() },
    ],
    [
      'retry-after-is-a-fraction',
      'errors.retry-after-is-a-count',
      'Retry-After is a fraction',
      { retryAfter: (seconds) => seconds.toFixed(3) },
    ],
    [
      'retry-after-is-negative',
      'errors.retry-after-is-a-count',
      'Retry-After is below 0',
      { retryAfter: () => '-1' },
    ],
    [
      'retry-after-has-a-unit',
      'errors.retry-after-is-a-count',
      'Retry-After has a unit',
      { retryAfter: (seconds) => `${Math.ceil(seconds)}s` },
    ],
  ]),
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
  mutant(
    'no-retry-after-elsewhere',
    'errors.limit-elsewhere-is-429',
    'a 429 of a read comes without Retry-After',
    {
      answer: spoilRefusals(
        (answer) => ({ ...answer, headers: without(answer.headers, 'retry-after') as Answer['headers'] }),
        documentedRoutes.filter((route) => route !== 'mentions'),
      ),
    },
  ),
  mutant(
    'mentions-are-elsewhere',
    'service.paths-start-at-the-base',
    'mentions are not found under the base address',
    { answer: spoilSuccess('mentions', () => refusal(404)) },
  ),
  mutant(
    'sends-are-elsewhere',
    'service.paths-start-at-the-base',
    'sends are not found under the base address',
    { answer: spoilSuccess('send', () => refusal(404)) },
  ),
  mutant(
    'channel-reads-are-elsewhere',
    'service.paths-start-at-the-base',
    'channels are not found under the base address',
    { answer: spoilSuccess('read', () => refusal(404)) },
  ),
  ...[404, 500, 501].map((status) =>
    mutant(
      `channels-list-is-${status}`,
      'channels-list.answers',
      `the list of channels is answered with ${status}`,
      { answer: spoilSuccess('channels', () => refusal(status)) },
    ),
  ),
  mutant(
    'pages-with-some-messages-are-500',
    'service.valid-requests-are-served',
    'a channel read is answered with 500 whenever its page has a certain message in it',
    {
      answer: spoilSuccess('read', (answer) =>
        itemsOf(objectOf(answer.body), 'read').some((item) => sequenceOf(item) % 5n === 3n)
          ? refusal(500)
          : answer,
      ),
    },
  ),
  mutant(
    'reads-at-once-are-500',
    'service.requests-at-once-are-served',
    'a channel read that meets another one is answered with 500',
    () => ({ answer: lockedReads() }),
  ),
  mutant('channels-list-is-empty', 'channels-list.lists-a-known-one', 'the list of channels is empty', {
    answer: spoilSuccess('channels', (answer) => ({ ...answer, body: { channels: [] } })),
  }),
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
  mutant('send-answer-is-text', 'service.content-type-is-json', 'an answer to a send is declared as text', {
    answer: spoilSuccess('send', ofType('text/plain')),
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
