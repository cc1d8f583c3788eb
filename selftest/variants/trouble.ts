import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, jsonAnswer } from '../../reference/model/answer.ts';
import type { Role, World } from '../../reference/model/world.ts';
import type { Reference } from '../../reference/start.ts';
import { alternatives, but, type Company, leavingOpen, type Underlay, type Variant } from './base/variant.ts';

/** Other people at work, slow answers, and trouble on the way. */
export const troubleVariants: readonly Variant[] = [
  ...leavingOpen({
    'a channel is shared: nobody has it alone': {
      'others-post-all-the-time': but({ isSlow: true }, () => ({ company: postingEvery(25) })),
    },
    'an agent is whoever has its token, in as many programs as there are': {
      'an-author-is-at-work-elsewhere-too': but({ isSlow: true }, () => ({
        company: postingEvery(60, ({ author }) => [author]),
      })),
    },
    'service.retrieval-is-recorded: of whoever reports it': {
      'others-report-receipts': but(
        { excludes: ['receipts-cannot-be-reported', 'undocumented-calls-do-not-exist'] },
        () => ({ company: reportingEvery(40) }),
      ),
    },
    'what stands in front of the service is not the service: it may close on headers and addresses that it does not take':
      {
        'a-front-hangs-up-on-odd-headers': {
          answer: (answer, { headers: { authorization }, query }) =>
            /[^\0-\x7f]|.{8000}/s.test(String(authorization)) ||
            Object.values(query).some((value) => value.length > 4_000)
              ? { ...answer, ending: 'reset' }
              : undefined,
        },
      },
    'discovery.shapes: an error of the server that passes says nothing of who may ask': {
      'discovery-is-busy-for-a-moment': () => {
        const asked = new Set<unknown>();
        return {
          answer: (_answer, { route, headers: { authorization } }) => {
            if ((route !== 'health' && route !== 'capabilities') || authorization !== undefined)
              return undefined;
            if (asked.has(route)) return undefined;
            asked.add(route);
            return jsonAnswer(503, { error: { code: 'busy', message: 'try again' } });
          },
        };
      },
    },
    'nothing says how long an answer takes': {
      'answers-take-50-ms': but({ isSlow: true }, (under) => ({ answer: () => pause(under, 50) })),
      'answers-overtake-each-other': (under) => ({ answer: () => pause(under, under.random() * 40) }),
    },
  }),
  ...alternatives([
    ...leavingOpen({
      'a connection may break at any time': {
        'reads-are-reset-now-and-then': () => ({
          answer: everyNthRead(25, (answer) => ({ ...answer, ending: 'reset' })),
        }),
      },
      'what stands in front of the service is not the service': {
        'a-gateway-is-busy-now-and-then': () => ({
          answer: everyNthRead(25, () => ({
            status: 503,
            headers: { 'content-type': 'text/html' },
            body: Buffer.from('<h1>503 Service Unavailable</h1>'),
          })),
        }),
      },
      'what stands in front of the service is not the service, whatever form its words have': {
        'a-gateway-with-json-is-busy-now-and-then': ({ random }) => ({
          answer: everyNthRead(25, () => gatewayWords[Math.floor(random() * gatewayWords.length)] as Answer),
        }),
      },
    }),
    ...leavingOpen({
      'a connection may break at any time': {
        'reads-are-cut-short-now-and-then': () => ({
          answer: everyNthRead(25, (answer) => ({ ...answer, ending: 'truncated' })),
        }),
      },
    }),
  ]),
];

function pause({ sources }: Underlay, ms: number): Promise<undefined> {
  return new Promise((resolve) => sources.after(ms, () => resolve(undefined)));
}

/** What gateways say in JSON, none of it an ApiError. */
const gatewayWords: readonly Answer[] = [
  { status: 502, headers: {}, body: { error: 'Bad gateway' } },
  { status: 503, headers: { 'retry-after': '0' }, body: { error: { status: 503 } } },
  { status: 504, headers: {}, body: { code: 504, message: 'upstream request timeout', error: null } },
];

function everyNthRead(n: number, spoil: (answer: Answer) => Answer) {
  let reads = 0;
  return (answer: Answer, { method }: { readonly method: string }): Answer | undefined => {
    if (method !== 'GET') return undefined;
    reads += 1;
    return reads % n === 0 ? spoil(answer) : undefined;
  };
}

/** Agents of the same workspace who post into both channels, some of it for the reader. */
function postingEvery(
  ms: number,
  whoOf: (roles: World['roles']) => readonly Role[] = ({ apiKey, peer }) => [peer, apiKey],
): Company {
  return (reference) => {
    const { world } = reference;
    const mentions = [{ kind: 'agent', id: world.roles.reader.agentId }];
    const who = whoOf(world.roles);
    return repeating(ms, async (turn) => {
      const channelId = turn % 3 === 0 ? world.secondChannelId : world.channelId;
      const { token = '' } = who[turn % who.length] ?? {};
      const body = { content: `other people's message ${turn}`, ...(turn % 4 === 0 && { mentions }) };
      await call(reference, `/v0/channels/${channelId}/messages`, token, body);
    });
  };
}

/** Agents of the same workspace who report that they retrieved whatever is new. */
function reportingEvery(ms: number): Company {
  return (reference) => {
    const { channelId, roles } = reference.world;
    let after = 0;
    return repeating(ms, async (turn) => {
      const { token } = turn % 2 === 0 ? roles.apiKey : roles.peer;
      const answer = await call(
        reference,
        `/v0/channels/${channelId}/messages?after=${after}&limit=100`,
        token,
      );
      const { messages } = (await answer.json()) as { messages?: { id: string; sequence: number }[] };
      if (!messages?.length) return;
      if (turn % 2 === 0) after = messages.at(-1)?.sequence ?? after;
      const message_ids = messages.map(({ id }) => id);
      await call(reference, `/v0/channels/${channelId}/receipts`, token, { message_ids });
    });
  };
}

/** Takes turn after turn, `ms` apart, until it is told to stop; a turn that fails is left behind. */
function repeating(ms: number, turn: (count: number) => Promise<void>): () => Promise<void> {
  let isOver = false;
  const work = async (): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      await turn(count).catch(() => undefined);
      await sleep(ms);
    }
  };
  const working = work();
  return () => {
    isOver = true;
    return working;
  };
}

async function call({ baseUrl }: Reference, path: string, token: string, body?: object): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}
