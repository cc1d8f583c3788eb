import { contractRules } from '../../reference/rules/rules.ts';
import { jsonText } from '../../reference/model/json-text.ts';
import type { Sources } from '../../reference/model/sources.ts';
import type { Answer } from '../../reference/model/answer.ts';
import type { RouteName } from '../../reference/model/routes.ts';
import { refusedWith, replacing } from './base/changed-rules.ts';
import { breaking, type ByClause, mutant, type Mutant, rowsOf } from './base/mutant.ts';
import {
  type Answering,
  documentedRoutes,
  inTurn,
  noting,
  isEmptyPage,
  listOf,
  itemsOf,
  objectOf,
  refusal,
  refusalAs,
  sequenceOf,
  spoilBody,
  spoilRefusals,
  spoilSuccess,
  successAs,
  withoutHeader,
} from './base/spoil-answer.ts';

function fail(): never {
  throw new Error('no such column');
}

/** Statuses and headers of refusals, and calls that do not answer. */
const statusMutants: readonly Mutant[] = breaking({
  'errors.refusals-are-4xx': {
    'bad-bodies-are-500': refusedWith(500, 'invalid', { on: ['send'] }),
    'bad-bodies-are-200': refusedWith(200, 'invalid', { on: ['send'] }),
    'bad-bodies-are-303': refusedWith(303, 'invalid', { on: ['send'] }),
  },
  'errors.invalid-parameter-is-400': {
    'bad-parameters-are-422': refusedWith(422, 'invalid', { on: ['mentions'] }),
    'bad-parameters-are-409': refusedWith(409, 'invalid', { on: ['mentions'] }),
    'bad-after-is-403: an invalid after is answered with 403': wrongly403('after'),
    'bad-limit-is-403: an invalid limit is answered with 403': wrongly403('limit'),
  },
  'errors.limits-reached-are-429': {
    'limits-are-503': refusedWith(503, 'rate-limited', { on: ['mentions'] }),
    'limits-are-403': refusedWith(403, 'rate-limited', { on: ['mentions'] }),
    'limits-are-400': refusedWith(400, 'rate-limited', { on: ['mentions'] }),
    'limits-of-keys-are-403: an API key that has used up its requests is forbidden to read mentions': {
      answer: ({ status }, { route, headers: { authorization } }) =>
        status === 429 && route === 'mentions' && /^bearer +key_/i.test(String(authorization))
          ? refusal(403)
          : undefined,
    },
  },
  'errors.limit-elsewhere-is-429': {
    'limits-elsewhere-are-503': refusedWith(503, 'rate-limited', { notOn: ['mentions'] }),
    'limits-elsewhere-are-403': refusedWith(403, 'rate-limited', { notOn: ['mentions'] }),
    'limits-on-sends-are-403': refusedWith(403, 'rate-limited', { on: ['send'] }),
    'no-retry-after-elsewhere: a 429 of a read comes without Retry-After': spoilRefusals(
      withoutHeader('retry-after'),
      documentedRoutes.filter((route) => route !== 'mentions'),
    ),
    'an-eleventh-wait-is-one-too-many: an eleventh long poll of an agent is refused with 429 and no Retry-After':
      {
        settings: { longPollSlots: 10 },
        ...spoilRefusals(
          (answer, { query }) =>
            query['wait'] === undefined ? answer : withoutHeader('retry-after')(answer),
          ['read'],
        ),
      },
    'no-retry-after-on-a-list: a 429 of the list of channels comes without Retry-After': spoilRefusals(
      withoutHeader('retry-after'),
      ['channels'],
    ),
    'no-retry-after-to-machines: a 429 of the overview comes without Retry-After': spoilRefusals(
      withoutHeader('retry-after'),
      ['overview'],
    ),
  },
  'send.refused-stores-nothing': {
    'limits-are-looked-at-afterwards: whether a send was one too many is looked at once it is stored': {
      countsAfterwards: (route) => route === 'send',
    },
  },
  'errors.retry-after-present': {
    'no-retry-after: a 429 comes without Retry-After': { retryAfter: () => null },
  },
  'errors.retry-after-is-a-count': replacing('retryAfter', {
    'retry-after-is-a-date: Retry-After is a date': (seconds) =>
      new Date(Date.now() + seconds * 1000).toUTCString(),
    'retry-after-is-half-a-second: Retry-After has a fraction where a turn takes less than a second': (
      seconds,
    ) => (seconds < 0.5 ? '0.5' : String(Math.ceil(seconds))),
    'retry-after-is-a-fraction': (seconds) => seconds.toFixed(3),
    'retry-after-is-negative: Retry-After is below 0': () => '-1',
    'retry-after-has-a-unit': (seconds) => `${Math.ceil(seconds)}s`,
  }),
  'service.paths-start-at-the-base': {
    'mentions-are-elsewhere': successAs(404, 'mentions'),
    'sends-are-elsewhere': successAs(404, 'send'),
    'channel-reads-are-elsewhere': successAs(404, 'read'),
  },
  'service.valid-requests-are-served': {
    'pages-with-some-messages-are-500': successAs(500, 'read', (_, { body }) =>
      itemsOf(objectOf(body), 'read').some((item) => sequenceOf(item) % 5n === 3n),
    ),
  },
  'mentions.error-statuses': {
    'raised-digits-are-500: a digit that is raised is taken for one, and cannot be read': {
      readLimit: (text, ...rest) => (/[²³¹]/.test(text) ? fail() : contractRules.readLimit(text, ...rest)),
    },
    'some-mentions-are-500: one listing in fifty is answered with 500': ({ nth }) =>
      successAs(500, 'mentions', () => nth(50)),
  },
  'service.sends-are-served-or-refused': {
    'sends-with-a-mention-are-500: a send that mentions anybody is answered with 500': {
      acceptsTargetKind: fail,
    },
    'errors-beyond-ascii-break-the-connection: an error that is not ASCII ends the connection in its place': {
      answer: (answer) => (isBeyondAscii(answer) ? { ...answer, ending: 'reset' } : undefined),
    },
    'sends-with-a-session-are-500: a send with a source session is answered with 500': {
      acceptsSurface: fail,
    },
  },
  'service.served-requests-stay-served': {
    'some-channel-reads-are-500: one read in fifty is answered with 500': ({ nth }) =>
      successAs(500, 'read', () => nth(50)),
    'some-sends-are-500: one send in fifty is answered with 500': ({ nth }) =>
      successAs(500, 'send', () => nth(50)),
    'waits-that-end-empty-are-500: a read that waited for nothing is answered with 500': successAs(
      500,
      'read',
      (request, answer) => request.query['wait'] !== undefined && isEmptyPage('read')(request, answer),
    ),
    // One in twenty of those that meet another one, as with a map that threads share.
    'some-reads-beside-others-are-500: some reads are answered with 500 while another one is under way': (
      given,
    ) => besideOtherReads(2, given, () => given.nth(20)),
  },
  'service.requests-at-once-are-served': {
    // As a database does that lets in one at a time.
    'reads-at-once-are-500': (given) => besideOtherReads(4, given, () => true),
  },
  'channels-list.lists-a-known-one': {
    'channels-with-a-conflict-are-not-listed': () => {
      const ids = new Set<string | undefined>();
      return inTurn(
        noting('send', ({ path }) => ids.add(path.split('/')[3]), 409),
        spoilBody('channels', (body) => ({
          channels: listOf(body['channels']).filter((each) => !ids.has(String(objectOf(each)['id']))),
        })),
      );
    },
    'channels-list-is-empty: the list of channels is empty': spoilBody('channels', () => ({ channels: [] })),
  },
  'channels-list.answers': {
    'channels-list-is-404: the list of channels is answered with 404': successAs(404, 'channels'),
    'channels-list-is-500: the list of channels is answered with 500': successAs(500, 'channels'),
    'channels-list-is-501: the list of channels is answered with 501': successAs(501, 'channels'),
  },
});

function wrongly403(name: 'after' | 'limit'): Answering {
  return refusalAs(403, ({ query }, { status }) => status === 400 && query[name] !== undefined, 'mentions');
}

/** Some of the reads that meet another one are answered with 500; each takes so many ms. */
function besideOtherReads(ms: number, { after }: Sources, isBroken: () => boolean): Answering {
  let underWay = 0;
  return {
    answer: async (_answer, { route }) => {
      if (route !== 'read') return undefined;
      underWay += 1;
      const isRefused = underWay > 1 && isBroken();
      await new Promise<void>((resolve) => after(ms, resolve));
      underWay -= 1;
      return isRefused ? refusal(500) : undefined;
    },
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
    'service.bodies-are-json': {
      'errors-have-as-many-bytes-as-characters': {
        answer: (answer) => {
          if (!isBeyondAscii(answer)) return undefined;
          const json = JSON.stringify(answer.body);
          return { ...answer, body: Buffer.from(json).subarray(0, json.length) };
        },
      },
    },
    'service.content-type-is-json': {
      'send-answer-is-text': spoilSuccess('send', ofType('text/plain')),
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
  spoil: (change: (answer: Answer) => Answer) => Answering,
): Mutant[] {
  return rowsOf(table).map(({ id, clause, what, value }) =>
    mutant(`${route}-${id}`, clause, `${route}: ${what}`, spoil(value)),
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

/** Of an error that says again what was asked. */
function isBeyondAscii({ status, body }: Answer): boolean {
  return status >= 400 && /[^\0-\x7f]/.test(JSON.stringify(body ?? ''));
}
