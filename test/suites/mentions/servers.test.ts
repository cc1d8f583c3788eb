import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AnsweredRequest } from '../../../reference/model/answer.ts';
import { contractRules, type Rules } from '../../../reference/index.ts';
import {
  listOf,
  objectOf,
  refusal,
  spoilBody,
  spoilItems,
  spoilList,
  successAs,
} from '../../../selftest/mutants/base/spoil-answer.ts';
import { judgeServers, type JudgedServer } from '../judged-servers.ts';
import { runAgainst } from '../run-suite.ts';

/** One where a limit is reached by each listing that is meant. */
function limited(isMeant: (request: AnsweredRequest) => boolean): Omit<JudgedServer, 'by'> {
  return {
    answer: (_answer, request) =>
      request.route === 'mentions' && isMeant(request)
        ? { ...refusal(429), headers: { 'retry-after': '0' } }
        : undefined,
    limitPatienceMs: 200,
    finds: [],
  };
}

const settling: Omit<JudgedServer, 'by'> = { target: (target) => ({ ...target, settleMs: 600 }) };

/** One whose newest pages begin with the last mention of the one before. */
function movingOn(): JudgedServer {
  const seen = new Map<unknown, number>();
  const moving = spoilList('mentions', (items, { query, actor }) => {
    if (query['after'] !== undefined) return items;
    const from = seen.get(actor?.agentId) ?? 0;
    const shown = items.filter(({ sequence }) => Number(sequence) >= from);
    const last = Number(shown.at(-1)?.['sequence']);
    if (last > 0) seen.set(actor?.agentId, last);
    return shown;
  });
  return {
    by: 'mentions.listing-acknowledges-nothing',
    ...moving,
    finds: ['mentions.acknowledges-nothing failed'],
  };
}

/** One whose newest pages are full of older mentions, and promise more. */
const older: Omit<JudgedServer, 'by'> = {
  ...settling,
  ...spoilBody('mentions', (body, { query }) => {
    const [first] = listOf(body['mentions']);
    if (query['after'] !== undefined || first === undefined) return body;
    const { message } = objectOf(first) as { readonly message: object };
    const mentions = [1, 2, 3].map((sequence) => {
      const other = randomUUID();
      return { id: other, sequence, message: { ...message, id: other, content: 'older' } };
    });
    return { mentions, page: { ...objectOf(body['page']), has_more: true } };
  }),
  verdicts: { 'mentions.newest-page': 'failed' },
};

/** One that closes odd queries. */
const closing: Omit<JudgedServer, 'by'> = {
  answer: (own, { query }) => {
    const text = JSON.stringify(query);
    return text.length > 4_000 || text.includes(String.raw`\u0000`) ? { ...own, ending: 'reset' } : undefined;
  },
  finds: [],
};

/** One where a word for everybody reaches every agent, and messages come as `shown` has them. */
function reachingAll(shown: (message: Readonly<Record<string, unknown>>) => object): JudgedServer {
  const mentionedBy: Rules['mentionedBy'] = (targets, content, agents) =>
    content.startsWith('@here')
      ? agents().map(({ id }) => ({ kind: 'agent', id }))
      : contractRules.mentionedBy(targets, content, agents);
  const by = 'mentions.names-in-the-text-are-not-listed';
  return { by, rules: { mentionedBy }, ...spoilItems('read', shown) };
}

judgeServers({
  'a listing that begins where the one before it ended has acknowledged what is gone': movingOn,
  'a success of its own from a cursor on is none of a listing': {
    by: 'mentions.success-is-200',
    ...successAs(203, 'mentions', ({ query: { after } }) => after !== undefined),
    finds: ['mentions.status-is-200 failed'],
  },
  'a success of its own without a cursor is none of a listing': {
    by: 'mentions.success-is-200',
    ...successAs(203, 'mentions', ({ query: { after } }) => after === undefined),
    finds: ['mentions.status-is-200 failed'],
  },
  'whether a cursor may be left out is decided behind what closes odd queries': {
    by: 'mentions.after-may-be-left-out',
    ...closing,
    passes: true,
  },
  'whether a limit may be left out is decided behind what closes odd queries': {
    by: 'mentions.limit-may-be-left-out',
    ...closing,
    passes: true,
  },
  'a limit says nothing of a parameter that would override the recipient': {
    by: 'mentions.parameter-agent-id-does-not-change-the-recipient',
    ...limited(({ query, actor }) => query['agent_id'] !== undefined && query['agent_id'] === actor?.agentId),
    verdicts: { 'mentions.override-is-400': 'passed' },
  },
  'a limit says nothing of how many mentions a page has at most': {
    by: 'mentions.default-limit-is-50',
    ...limited(({ query }) => query['limit'] === '1000'),
    verdicts: { 'mentions.limit.max': 'inconclusive' },
  },
  'each request over a limit is to be told so, not one of them': () => {
    let refused = 0;
    return {
      by: 'errors.mentions-over-a-limit-are-429',
      answer: ({ status }, { route }) =>
        route === 'mentions' && status === 429 && (refused += 1) % 2 === 0 ? refusal(403) : undefined,
      finds: ['errors.limits-reached-are-429 failed'],
    };
  },
  'a full page of older mentions that promises more is no newest page, whatever its targets': {
    by: 'mentions.newest-page-takes-every-target',
    ...older,
  },
  'a full page of older mentions that promises more is no newest page, however far back': {
    by: 'mentions.newest-page-reaches-far-back',
    ...older,
  },
  'the newest page is asked for once who lists has come to know what was sent': () => {
    let sentMs = 0;
    return {
      by: 'mentions.newest-page-reaches-far-back',
      ...settling,
      answer: ({ body, ...answer }, { route, query }) => {
        if (route === 'send') sentMs = Date.now();
        const isBehind = Date.now() - sentMs < 500;
        return route === 'mentions' && query['after'] === undefined && isBehind
          ? { ...answer, body: { ...objectOf(body), mentions: [] } }
          : undefined;
      },
      verdicts: { 'mentions.newest-page': 'passed' },
      finds: [],
    };
  },
  'a word for everybody names nobody where a message shows targets, and that with the word none': {
    ...reachingAll(({ mentions, ...message }) =>
      listOf(mentions).length === 0 ? message : { ...message, mentions },
    ),
    finds: ['mentions.only-explicit failed'],
  },
  'a word for everybody may have been resolved when it was sent where no message shows any targets': {
    ...reachingAll((message) => ({ ...message, mentions: undefined })),
    finds: ['mentions.at-in-the-text warned'],
    verdicts: { 'mentions.only-explicit': 'passed' },
  },
});

it('shows by which answers mentions of two channels have no common numbering', async () => {
  const { findings } = await runAgainst('mentions.channels-share-one-numbering', {
    rules: { presentMention: (mention) => ({ ...mention, sequence: mention.message.sequence }) },
  });
  const found = findings.find(({ clause }) => clause === 'mention.sequence.workspace-wide');
  expect(found?.exchanges).not.toEqual([]);
});
