import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, jsonAnswer } from '../../reference/model/answer.ts';
import type { Role, World } from '../../reference/model/world.ts';
import type { Memory } from '../mutants/base/overlay.ts';
import type { Answering } from '../mutants/base/spoil-answer.ts';
import {
  alternatives,
  type Company,
  leavingOpen,
  openBy,
  type Underlay,
  type Variant,
} from './base/variant.ts';
import { askAs } from './base/ask-as.ts';

/** Other people at work, slow answers, and trouble on the way. */
export const troubleVariants: readonly Variant[] = [
  ...leavingOpen({
    'others-post-all-the-time: a channel is shared: nobody has it alone': () => ({
      company: postingEvery(25),
    }),
    'an-author-is-at-work-elsewhere-too: an agent is whoever has its token, in as many programs as there are':
      () => ({
        company: postingEvery(60, ({ author }) => [author]),
      }),
    'others-report-receipts: service.retrieval-is-recorded: of whoever reports it': () => ({
      company: reportingEvery(40),
    }),
    'a-front-hangs-up-on-odd-headers: what stands in front of the service is not the service: it may close on headers and addresses that it does not take':
      {
        answer: (answer, { headers: { authorization }, query }) =>
          /[^\0-\x7f]|.{8000}/s.test(String(authorization)) ||
          Object.values(query).some((value) => value.length > 4_000)
            ? { ...answer, ending: 'reset' }
            : undefined,
      },
    'discovery-is-busy-for-a-moment: discovery.shapes: an error of the server that passes says nothing of who may ask':
      ({ isNew }) => ({
        answer: (_answer, { route, headers: { authorization } }) =>
          (route === 'health' || route === 'capabilities') && authorization === undefined && isNew(route)
            ? jsonAnswer(503, { error: { code: 'busy', message: 'try again' } })
            : undefined,
      }),
    ...openBy('nothing says how long an answer takes', {
      'answers-take-50-ms': (under) => ({ answer: () => pause(under, 50) }),
      'answers-overtake-each-other': (under) => ({ answer: () => pause(under, under.random() * 40) }),
    }),
  }),
  ...alternatives({
    'reads-are-reset-now-and-then: a connection may break at any time': (memory) =>
      nowAndThen(memory, (answer) => ({ ...answer, ending: 'reset' })),
    'a-gateway-is-busy-now-and-then: what stands in front of the service is not the service': (memory) =>
      nowAndThen(memory, () => ({
        status: 503,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<h1>503 Service Unavailable</h1>'),
      })),
    'a-gateway-with-json-is-busy-now-and-then: what stands in front of the service is not the service, whatever form its words have':
      (under) =>
        nowAndThen(under, () => gatewayWords[Math.floor(under.random() * gatewayWords.length)] as Answer),
    'reads-are-cut-short-now-and-then: a connection may break at any time': (memory) =>
      nowAndThen(memory, (answer) => ({ ...answer, ending: 'truncated' })),
  }),
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

/** One read in 25 is answered by something else. */
function nowAndThen({ nth }: Memory, spoil: (answer: Answer) => Answer): Answering {
  return {
    answer: (answer, { method }) => (method === 'GET' && nth(25) ? spoil(answer) : undefined),
  };
}

/** Agents of the same workspace who post into both channels, some of it for the reader. */
function postingEvery(
  ms: number,
  whoOf: (roles: World['roles']) => readonly Role[] = ({ apiKey, peer }) => [peer, apiKey],
): Company {
  return ({ baseUrl, world }) => {
    const mentions = [{ kind: 'agent', id: world.roles.reader.agentId }];
    const who = whoOf(world.roles);
    return repeating(ms, async (turn) => {
      const channelId = turn % 3 === 0 ? world.secondChannelId : world.channelId;
      const { token = '' } = who[turn % who.length] ?? {};
      const body = { content: `other people's message ${turn}`, ...(turn % 4 === 0 && { mentions }) };
      await askAs(baseUrl, token, `/v0/channels/${channelId}/messages`, { body });
    });
  };
}

/** Agents of the same workspace who report that they retrieved whatever is new. */
function reportingEvery(ms: number): Company {
  return ({ baseUrl, world: { channelId, roles } }) => {
    let after = 0;
    return repeating(ms, async (turn) => {
      const { token } = turn % 2 === 0 ? roles.apiKey : roles.peer;
      const path = `/v0/channels/${channelId}`;
      const answer = await askAs(baseUrl, token, `${path}/messages?after=${after}&limit=100`);
      const { messages } = (await answer.json()) as { messages?: { id: string; sequence: number }[] };
      if (!messages?.length) return;
      if (turn % 2 === 0) after = messages.at(-1)?.sequence ?? after;
      await askAs(baseUrl, token, `${path}/receipts`, {
        body: { message_ids: messages.map(({ id }) => id) },
      });
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
