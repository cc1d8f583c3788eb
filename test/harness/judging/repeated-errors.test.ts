import { describe, expect, it } from 'vitest';
import { readChannel, sendMessage, type SentRequest } from '../../../spec/calls/index.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { goodCredentials } from '../../../harness/verdict/trouble.ts';
import { ServerErrors } from '../../../harness/judging/repeated-errors.ts';
import { requestFactsOf } from '../../../harness/config/request-facts.ts';
import { exchangeOf, requestOf, unansweredOf } from '../../fixtures/exchange.ts';
import { askingAgain } from '../../fixtures/asking-again.ts';
import { startReference } from '../../../reference/index.ts';

const error = { error: { code: 'busy', message: 'later' } };

function answered(request: SentRequest, status: number, retryAfter?: string): Exchange {
  const headers = retryAfter === undefined ? {} : { 'retry-after': [retryAfter] };
  return exchangeOf(request, { status, headers, json: status < 400 ? {} : error });
}

const baseline = '{"content":"cf-1. hello"}';

/** The same, whose answer never comes. */
function unanswered(request: SentRequest): Exchange {
  return unansweredOf('reset', request);
}

interface Repeated {
  readonly body: string;
  readonly status: number;
  /** What becomes of each `n`-th send, and of a read. */
  readonly wrong: (request: SentRequest, status: number) => Exchange;
  readonly beside: (request: SentRequest, status: number) => Exchange;
}

interface Down {
  /** Answers nothing, or nothing but reads, until so much was slept, in ms. */
  readonly forMs: number;
  readonly isReadAnswered?: boolean;
  /** The call of the send was accepted earlier. */
  readonly isSendKnown?: boolean;
  readonly retryAfter?: string;
}

/** A read and a send of a run, and both again at a server that is down. */
async function provenWhileDown({
  forMs,
  isReadAnswered = false,
  isSendKnown = false,
  retryAfter,
}: Down): Promise<readonly string[]> {
  const { errors, send, read } = await askedOfReference();
  errors.note('read.some', answered(read, 200));
  if (isSendKnown) errors.note('send.some', answered(send, 201));
  errors.note('send.some', answered(send, 503));
  expect(errors.suspected).toContain('service.valid-requests-are-served');
  let sleptMs = 0;
  const again = askingAgain((each) => {
    const isDown = sleptMs < forMs && !(isReadAnswered && each.method === 'GET');
    const status = isDown ? 503 : each.method === 'GET' ? 200 : 201;
    return answered(each, status, isDown ? retryAfter : undefined);
  });
  const sleep = (ms: number): Promise<void> => Promise.resolve(void (sleptMs += ms));
  const proven = await errors.repeat({ ...again, sleep });
  return proven.map(({ clause }) => clause);
}

/** A send and a read of the author of the reference, and who judges errors of it. */
async function askedOfReference(body = baseline) {
  await using reference = await startReference();
  const target = targetOfReference(reference);
  const [channel, other] = [target.channelId ?? '', target.secondChannelId ?? ''];
  const authorization = `Bearer ${target.roles.author?.token}`;
  const asked = (call: ReturnType<typeof readChannel>) =>
    requestOf({ ...call, headers: { ...call.headers, authorization } });
  const sendTo = (id: string) => asked(sendMessage(id, body, '0f8fad5b-d9cb-469f-a165-70867728950e'));
  return {
    errors: new ServerErrors(requestFactsOf(target, goodCredentials(target, ['author']))),
    channel,
    send: sendTo(channel),
    sendElsewhere: sendTo(other),
    read: asked(readChannel(channel, { after: 0, limit: 100 })),
  };
}

describe('a server that answers no call, or none of one kind', () => {
  const clause = 'service.valid-requests-are-served';
  const isReadAnswered = true;

  it.each<[string, Down, readonly string[]]>([
    ['is waited for until it does', { forMs: 4_000 }, []],
    ['is wrong where it never does', { forMs: Infinity }, [clause]],
    ['is not waited for where another call is answered', { forMs: 4_000, isReadAnswered }, [clause]],
    [
      'is waited for where that kind was accepted before',
      { forMs: 4_000, isReadAnswered, isSendKnown: true },
      [],
    ],
    [
      'is wrong where it never takes that kind again',
      { forMs: Infinity, isReadAnswered, isSendKnown: true },
      [clause],
    ],
    ['is asked once more when it said', { forMs: 4_000, isReadAnswered, retryAfter: '5' }, []],
    [
      'is not waited for longer than a while',
      { forMs: 60_000, isReadAnswered, retryAfter: '3600' },
      [clause],
    ],
    [
      'is not waited for where it names a time of day',
      { forMs: 4_000, isReadAnswered, retryAfter: 'Mon, 30 Nov 2026 10:00:00 GMT' },
      [clause],
    ],
  ])('%s', async (_what, down, expected) => {
    expect(await provenWhileDown(down)).toEqual(expected);
  });
});

it.each([
  ['is told of', undefined, ['service.requests-at-once-are-served']],
  ['is not where it says when to come again', '1', []],
])('a server that fails what comes beside others %s', async (_what, retryAfter, expected) => {
  const { errors, read } = await askedOfReference();
  for (let count = 0; count < 2; count += 1) errors.note('read.some', answered(read, 503));
  let underWay = 0;
  const again = askingAgain(async (each) => {
    underWay += 1;
    await sleep(1);
    const isBeside = underWay > 1;
    await sleep(1);
    underWay -= 1;
    return answered(each, isBeside ? 503 : 200, isBeside ? retryAfter : undefined);
  });
  const proven = await errors.repeat(again);
  expect(proven.map(({ clause }) => clause)).toEqual(expected);
});

interface Beside {
  readonly beside?: Repeated['beside'];
  readonly more?: string;
}

/** What is sent again of sends that drew server errors, at a server that answers each `n`-th with one. */
async function repeatsOf(
  n: number,
  { body = baseline, status = 503, wrong = answered, beside = answered }: Partial<Repeated> = {},
) {
  const { errors, send } = await askedOfReference(body);
  for (let count = 0; count < 2; count += 1) errors.note('send.some', wrong(send, status));
  const sent: SentRequest[] = [];
  const noted: Exchange[] = [];
  let markers = 1;
  const again = askingAgain((each) => {
    sent.push(each);
    if (each.method === 'GET') return beside(each, 200);
    return sent.length % n === 0 ? wrong(each, status) : answered(each, 201);
  });
  const proven = await errors.repeat({
    ...again,
    renewed: (text) => text.replace('cf-1.', `cf-${(markers += 1)}.`),
    note: (exchange) => void noted.push(exchange),
  });
  return { sent, noted, proven };
}

describe('a send that drew a server error', () => {
  it('is repeated a few times, each time as a message of its own that is noted', async () => {
    const { sent, noted, proven } = await repeatsOf(1_000);
    expect(proven).toEqual([]);
    expect(sent.length).toBeGreaterThan(8);
    expect(sent.length).toBeLessThan(20);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(sent.length);
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(sent.length);
    expect(noted.map(({ request }) => request)).toEqual(sent);
  });

  it('is repeated until it has failed every time', async () => {
    const { proven } = await repeatsOf(1);
    expect(proven.map(({ clause }) => clause)).toEqual(['service.valid-requests-are-served']);
  });

  it.each([
    ['that always fails, though nothing says that it is served', 1, 500, 1],
    ['that fails only now and then', 2, 500, 0],
    ['of a kind that the server says it does not have', 1, 501, 0],
  ])('is told with what it holds: %s', async (_what, n, status, times) => {
    const body = '{"content":"cf-1. hello","source_session":{"provider":"provider_a"}}';
    const { proven } = await repeatsOf(n, { body, status });
    const told = proven.map(({ clause, actual }) => [clause, actual.includes('source_session')]);
    expect(told).toEqual(Array.from({ length: times }, () => ['service.sends-are-served-or-refused', true]));
  });

  it.each([
    ['though its channel can be read', {}, 1],
    ['and neither does a read', { beside: unanswered }, 0],
    ['with a body that not every server has room for', { more: 'x'.repeat(20_000) }, 0],
  ])(
    'is told where its answer never comes, %s',
    async (_what, { beside = answered, more = '' }: Beside, times) => {
      const body = `{"content":"cf-1. hello${more}","größe":1}`;
      const { proven } = await repeatsOf(1, { body, wrong: unanswered, beside });
      const told = proven.map(({ clause, actual }) => [clause, actual.includes('größe')]);
      expect(told).toEqual(
        Array.from({ length: times }, () => ['service.sends-are-served-or-refused', true]),
      );
    },
  );

  it.each([
    ['though its channel can be read', answered, ['service.valid-requests-are-served']],
    ['and neither does a read', unanswered, []],
  ])(
    'is told where its answer never comes, a valid one of any length, %s',
    async (_what, beside, clauses) => {
      const body = `{"content":"cf-1. hello${'x'.repeat(40_000)}"}`;
      const { proven } = await repeatsOf(1, { body, wrong: unanswered, beside });
      expect(proven.map(({ clause }) => clause)).toEqual(clauses);
    },
  );

  it('is repeated while no other is that got no answer either', async () => {
    const { errors, channel, send, sendElsewhere } = await askedOfReference();
    for (const each of [send, sendElsewhere]) errors.note('send.some', unanswered(each));
    // Whatever is on its way beside the one that stops the server goes without an answer.
    let isStopped = false;
    let underway = 0;
    const again = askingAgain(async (each) => {
      underway += 1;
      if (each.method === 'POST' && each.path.includes(channel)) isStopped = true;
      await sleep(1);
      underway -= 1;
      const wasStopped = isStopped;
      isStopped = isStopped && underway > 0;
      return wasStopped ? unanswered(each) : answered(each, 200);
    });
    const proven = await errors.repeat(again);
    expect(proven.map(({ exchanges }) => exchanges[0]?.request.path.includes(channel))).toEqual([true]);
  });

  it('is not told where its answer comes at times', async () => {
    const { proven } = await repeatsOf(2, { body: '{"content":"cf-1. hello","größe":1}', wrong: unanswered });
    expect(proven).toEqual([]);
  });
});
