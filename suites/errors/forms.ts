import { randomUUID } from 'node:crypto';
import { isRecord, listMentions, pathOf, readChannel, type CallRequest } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { mentionsStatuses } from '../../spec/oracles/answers/server-errors.ts';
import type { Problem } from '../../spec/oracles/values/judgement.ts';
import { validate } from '../../spec/index.ts';

/** What clients accept that are no programs for this service; each of them accepts JSON too, as a whole or by a star. */
const accepting = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/plain, */*;q=0.1',
  'application/xml, */*;q=0.1',
  'application/problem+json, application/json;q=0.9',
  undefined,
] as const;

/** What a script in a page says of itself: a service may keep a browser from asking for a password then. */
const ofAScript = { 'x-requested-with': 'XMLHttpRequest', 'sec-fetch-mode': 'cors' } as const;

/** What clients accept that read no JSON, as they say. */
const acceptingNoJson = ['text/html', 'application/xml', 'text/csv, text/plain;q=0.5'] as const;

/** A page of somewhere else asks whether it may call. */
const ofAnotherOrigin = {
  origin: 'https://conform.example.org',
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization, content-type',
};

/** The form of refusals that no check of a call brings about. */
export const errorFormChecks: readonly Check[] = [
  // errors.body-is-api-error: Every refusal carries an ApiError object.
  check(
    'errors.refusals-keep-their-form-whatever-is-accepted',
    {
      title: 'a refusal is an ApiError for a browser too, and for whoever accepts other things before JSON',
      clauses: ['errors.body-is-api-error'],
      // Of a 401 the header is judged as that of every answer.
      arranges: ['auth.www-authenticate'],
      needs: ['author', 'channel'],
      isReadOnly: true,
      needsMemory: true,
    },
    async ({ author, anonymous, expect }) => {
      const [browser] = accepting;
      const listing = await author.request({ ...listMentions('limit=1'), headers: { accept: browser } });
      if (!isAccepted(listing)) unmet('a listing is not shown to a browser', listing);
      const refusable = [
        { who: author, request: listMentions('limit=0'), accepts: accepting },
        { who: author, request: listMentions('after=x&limit=0'), accepts: [browser] },
        { who: anonymous, request: listMentions('limit=1'), accepts: [browser], beside: ofAScript },
        { who: author, request: readChannel(randomUUID(), 'after=0&limit=1'), accepts: [browser] },
      ];
      const tried = await Promise.all(
        refusable.map(async ({ who, request, accepts, beside }) => {
          const asking = accepts.map((accept) => who.request({ ...request, headers: { ...beside, accept } }));
          return { control: await who.request(request), answers: await Promise.all(asking) };
        }),
      );
      const refused = tried.filter(({ control }) => isSoundError(control));
      given(refused.length > 0, 'no refusal is an ApiError for a client of JSON either', tried[0]?.control);
      for (const { control, answers } of refused) {
        for (const answer of answers.filter(({ fault }) => fault === undefined))
          expect.holds('errors.body-is-api-error', isSoundError(answer), noApiError(answer), control, answer);
      }
    },
  ),
  // errors.body-is-api-error: Every refusal carries an ApiError object.
  check(
    'errors.whoever-accepts-no-json-is-refused-in-json',
    {
      title:
        'who accepts HTML, XML or text alone is served, or refused with an ApiError, and on the listing with a status of that call',
      clauses: ['errors.body-is-api-error', 'mentions.error-statuses'],
      // What is served is judged as every answer: all bodies are JSON.
      arranges: ['service.bodies-are-json', 'service.content-type-is-json'],
      needs: ['author', 'channel'],
      isReadOnly: true,
      needsMemory: true,
    },
    async ({ author, channel, expect }) => {
      const [html] = acceptingNoJson;
      const accepting = (request: CallRequest, accept: string) =>
        author.request({ ...request, headers: { accept } });
      const [listing, wrong] = [listMentions('limit=1'), listMentions('limit=0')];
      const [listed, control] = [await author.request(listing), await author.request(wrong)];
      given(isAccepted(listed), 'a listing is not accepted', listed);
      given(isSoundError(control), 'a refusal is no ApiError for a client of JSON either', control);
      const ofListing = await Promise.all([
        ...acceptingNoJson.map((accept) => accepting(listing, accept)),
        accepting(wrong, html),
      ]);
      const read = await accepting(readChannel(channel.id, 'after=0&limit=1'), html);
      const answers = [...ofListing, read].filter(({ fault }) => fault === undefined);
      for (const answer of answers.filter((each) => (statusOf(each) ?? 0) >= 400))
        expect.holds('errors.body-is-api-error', isApiError(answer), noApiError(answer), control, answer);
      for (const answer of answers.filter((each) => each !== read)) {
        const asked = `of a client that accepts ${answer.request.headers['accept']}`;
        expect('mentions.error-statuses', answer, asked).toHaveStatus(...mentionsStatuses);
      }
    },
  ),
  // errors.other-methods-get-an-api-error: A method that the path of a call does not have, or a path of no call,
  //   is refused with an ApiError, and so is a request of a browser for leave to use it.
  check(
    'errors.other-methods-get-an-api-error',
    {
      title:
        'what refuses PUT, PATCH and POST on the listing, PUT elsewhere, a path of no call, an ill-formed one, or a preflight of a browser, is an ApiError',
      clauses: ['errors.other-methods-get-an-api-error'],
      needs: ['author', 'channel'],
      needsMemory: true,
    },
    async ({ author, anonymous, expect }) => {
      const path = pathOf('mentions');
      const control = await author.mentions('limit=0');
      given(
        !isAccepted(control),
        'the listing takes limit=0, so that no refusal of its own is there',
        control,
      );
      given(isApiError(control), 'a refusal of the call itself is no ApiError', control);
      const answers = await Promise.all([
        ...['PUT', 'PATCH', 'POST'].map((method) => author.request({ method, path })),
        author.request({ method: 'PUT', path: pathOf('send', randomUUID()) }),
        author.request({ method: 'PUT', path: pathOf('overview', randomUUID()) }),
        anonymous.request({ method: 'OPTIONS', path, headers: ofAnotherOrigin }),
      ]);
      // What knows no path at all may stand in front of the service, unless it answers as the service does.
      const elsewhere = await author.request({ method: 'GET', path: `/v0/${randomUUID()}` });
      const { json } = elsewhere.response ?? {};
      const own = isRecord(json) && isRecord(json['error']) ? [elsewhere] : [];
      const illFormed = await Promise.all(
        illFormedIds.map((id) => author.request({ method: 'GET', path: pathOf('channel-read', id) })),
      );
      // A router may refuse these by itself: where it speaks JSON, it speaks for the service.
      const inJson = illFormed.filter(({ response }) => isRecord(response?.json));
      for (const answer of [...answers, ...own, ...inJson].filter((each) => (statusOf(each) ?? 0) >= 400))
        expect.holds('errors.other-methods-get-an-api-error', isApiError(answer), noApiError(answer), answer);
    },
  ),
];

/** Ids in a path that stand for no text: what decodes them fails before any call is found. */
const illFormedIds = ['%zz', '%FF'] as const;

/** True of an error status with an ApiError. */
function isSoundError(exchange: Exchange): boolean {
  return (statusOf(exchange) ?? 0) >= 400 && isApiError(exchange);
}

function isApiError({ response }: Exchange): boolean {
  return response !== undefined && validate('api-error', response.json).length === 0;
}

function noApiError(exchange: Exchange): Problem {
  const { method, path, headers } = exchange.request;
  const accept = headers['accept'] === undefined ? '' : `, which accepts ${headers['accept']}`;
  return {
    expected: `an ApiError in the refusal of ${method} ${path}${accept}`,
    actual: `${describeAnswer(exchange)} without an ApiError`,
  };
}
