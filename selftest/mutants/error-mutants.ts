import { contractRules } from '../../reference/rules/rules.ts';
import { jsonText } from '../../reference/model/json-text.ts';
import type { Sources } from '../../reference/model/sources.ts';
import type { Answer, AnswerHook } from '../../reference/model/answer.ts';
import type { RouteName } from '../../reference/model/routes.ts';
import { refusedWith } from './base/changed-rules.ts';
import { breaking, mutant, rowsOf, what, type ByClause, type Mutant } from './base/mutant.ts';
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

function fail(): never {
  throw new Error('no such column');
}

/** Statuses and headers of refusals, and calls that do not answer. */
const statusMutants: readonly Mutant[] = [
  ...breaking({
    'errors.refusals-are-4xx': {
      'bad-bodies-are-500': refusedWith(500, 'invalid', { on: ['send'] }),
      'bad-bodies-are-200': refusedWith(200, 'invalid', { on: ['send'] }),
      'bad-bodies-are-303': refusedWith(303, 'invalid', { on: ['send'] }),
    },
    'errors.invalid-parameter-is-400': {
      'bad-parameters-are-422': refusedWith(422, 'invalid', { on: ['mentions'] }),
      'bad-parameters-are-409': refusedWith(409, 'invalid', { on: ['mentions'] }),
    },
    'errors.limits-reached-are-429': {
      'limits-are-503': refusedWith(503, 'rate-limited', { on: ['mentions'] }),
      'limits-are-403': refusedWith(403, 'rate-limited', { on: ['mentions'] }),
      'limits-are-400': refusedWith(400, 'rate-limited', { on: ['mentions'] }),
    },
    'errors.limit-elsewhere-is-429': {
      'limits-elsewhere-are-503': refusedWith(503, 'rate-limited', { notOn: ['mentions'] }),
      'limits-elsewhere-are-403': refusedWith(403, 'rate-limited', { notOn: ['mentions'] }),
      'limits-on-sends-are-403': refusedWith(403, 'rate-limited', { on: ['send'] }),
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
      'retry-after-is-half-a-second': what(
        'Retry-After has a fraction where a turn takes less than a second',
        {
          retryAfter: (seconds) => (seconds < 0.5 ? '0.5' : String(Math.ceil(seconds))),
        },
      ),
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
    'mentions.error-statuses': {
      'raised-digits-are-500': what('a digit that is raised is taken for one, and cannot be read', {
        rules: {
          readLimit: (text, min, max, route) =>
            /[²³¹]/.test(text) ? fail() : contractRules.readLimit(text, min, max, route),
        },
      }),
      'some-mentions-are-500': what('one listing in fifty is answered with 500', () => ({
        answer: spoilSuccess('mentions', everyFiftieth()),
      })),
    },
    'service.sends-are-served-or-refused': {
      'sends-with-a-mention-are-500': what('a send that mentions anybody is answered with 500', {
        rules: { acceptsTargetKind: fail },
      }),
      'sends-with-a-session-are-500': what('a send with a source session is answered with 500', {
        rules: { acceptsSurface: fail },
      }),
    },
    'service.served-requests-stay-served': {
      'some-channel-reads-are-500': what('one read in fifty is answered with 500', () => ({
        answer: spoilSuccess('read', everyFiftieth()),
      })),
      'some-sends-are-500': what('one send in fifty is answered with 500', () => ({
        answer: spoilSuccess('send', everyFiftieth()),
      })),
      'some-reads-beside-others-are-500': what(
        'some reads are answered with 500 while another one is under way',
        (sources) => ({ answer: sharedReads(sources) }),
      ),
    },
    'service.requests-at-once-are-served': {
      'reads-at-once-are-500': (sources) => ({ answer: lockedReads(sources) }),
    },
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

/** What fails now and then, whatever is asked. */
function everyFiftieth(): (answer: Answer) => Answer {
  let asked = 0;
  return (answer) => {
    asked += 1;
    return asked % 50 === 0 ? refusal(500) : answer;
  };
}

/** Answers a read in twenty of those that meet another one with 500, as a map does that threads share. */
function sharedReads({ after }: Sources): AnswerHook {
  let underWay = 0;
  let met = 0;
  return async (_answer, { route }) => {
    if (route !== 'read') return undefined;
    underWay += 1;
    if (underWay > 1) met += 1;
    const isBroken = underWay > 1 && met % 20 === 0;
    await new Promise<void>((resolve) => after(2, resolve));
    underWay -= 1;
    return isBroken ? refusal(500) : undefined;
  };
}

/** Answers reads with 500 while another one is under way, as a database does that lets in one at a time. */
function lockedReads({ after }: Sources): AnswerHook {
  let underWay = 0;
  return async (_answer, { route }) => {
    if (route !== 'read') return undefined;
    underWay += 1;
    const isLocked = underWay > 1;
    await new Promise<void>((resolve) => after(4, resolve));
    underWay -= 1;
    return isLocked ? refusal(500) : undefined;
  };
}

/** Bodies that are no JSON, and media types that are no JSON's: name of the mutant behind the call, and the answer. */
type Answers = ByClause<(answer: Answer) => Answer>;

const answers: Answers = {
  'service.bodies-are-json': {
    'answer-has-an-end': text((json) => `${json}\n--end`),
    'answer-is-guarded': text((json) => `)]}',\n${json}`),
    'answer-has-a-trailing-comma': text((json) => json.replace(/\}$/, ',}')),
    'answer-is-twice-json': text((json) => `${json}\n${json}`),
  },
  'service.content-type-is-json': {
    'answer-is-html': ofType('text/html; charset=utf-8'),
    'answer-has-an-empty-type': ofType(''),
  },
};

const refusals: Answers = {
  'service.content-type-is-json': { 'refusal-is-a-problem': ofType('application/problem+json') },
  'service.bodies-are-json': {
    'refusal-is-a-text': text(() => 'refused'),
    'refusal-is-empty': ({ body: _left, ...answer }) => answer,
  },
  'errors.body-is-api-error': { 'refusal-is-a-word': (answer) => ({ ...answer, body: 'refused' }) },
};

const bodyMutants: readonly Mutant[] = [
  ...(['mentions', 'read', 'overview'] as const).flatMap((route) =>
    ofCall(route, answers, (change) => spoilSuccess(route, change)),
  ),
  ...breaking({
    'service.content-type-is-json': {
      'send-answer-is-text': { answer: spoilSuccess('send', ofType('text/plain')) },
    },
  }),
  // The download of a deleted file is refused; where it is only the suite says.
  ...[...documentedRoutes, 'fileContent' as const].flatMap((route) =>
    ofCall(route, refusals, (change) => spoilRefusals(change, [route])),
  ),
];

/** The mutants of a table at one call. */
function ofCall(
  route: RouteName,
  table: Answers,
  spoil: (change: (answer: Answer) => Answer) => AnswerHook,
): Mutant[] {
  return rowsOf(table).map(({ id, clause, value }) =>
    mutant(`${route}-${id}`, clause, `${route}: ${id.replaceAll('-', ' ')}`, { answer: spoil(value) }),
  );
}

function text(change: (json: string) => string): (answer: Answer) => Answer {
  return ({ body, headers, ...answer }) => ({
    ...answer,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(change(jsonText(body))),
  });
}

function ofType(type: string): (answer: Answer) => Answer {
  return ({ headers, ...answer }) => ({ ...answer, headers: { ...headers, 'content-type': type } });
}

export const errorMutants: readonly Mutant[] = [...statusMutants, ...bodyMutants];
