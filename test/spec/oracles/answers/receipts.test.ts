import { describe, expect, it } from 'vitest';
import {
  judgeEmpty,
  judgeListed,
  judgeMoreBeyond,
  judgeMoreOnlyBeyond,
  judgeReportersListed,
  previewIn,
  recordsOthers,
  recordsRetrieval,
  tellsApart,
  tiesRetrievals,
} from '../../../../spec/oracles/answers/receipts.ts';
import type { Preview } from '../../../../spec/oracles/answers/receipts.ts';

const preview = (agentIds: readonly string[], hasMore = false): Preview => ({ agentIds, hasMore });
const message = (
  reporters: readonly string[],
  shown: Preview,
  recorded?: readonly string[],
  early = preview(reporters.slice(0, 1)),
) => ({ messageId: 'm', reporters, preview: shown, recorded, early, hasOtherRecords: false });
const count = ({ problems }: { readonly problems: readonly unknown[] }): number => problems.length;

it('a preview is what receipts hold', () => {
  expect(previewIn({ retrieved: { agent_ids: ['A', 'b'] } })).toEqual(preview(['a', 'b']));
  expect(previewIn({ retrieved: { agent_ids: [], has_more: true } })).toEqual(preview([], true));
  expect(previewIn({ retrieved: { agent_ids: [], has_more: 'true' } })).toEqual(preview([]));
  expect(previewIn({ retrieved: {} })).toBeUndefined();
  expect(previewIn(null)).toBeUndefined();
});

describe('agents that reported', () => {
  it('are listed', () => {
    expect(judgeReportersListed([message(['a', 'b'], preview(['b', 'x', 'a']))])).toEqual({
      judged: 2,
      problems: [],
    });
    expect(count(judgeReportersListed([message(['a', 'b'], preview(['a']))]))).toBe(1);
    expect(judgeReportersListed([message(['a', 'b'], preview(['a'], true))]).judged).toBe(0);
    expect(count(judgeReportersListed([message(['a', 'b'], preview(['a']), ['a', 'b'])]))).toBe(1);
  });

  it('are missing from an empty preview, unless the full list has them: that is a clause of its own', () => {
    expect(count(judgeReportersListed([message(['a'], preview([]), [])]))).toBe(1);
    expect(count(judgeReportersListed([message(['a'], preview([]))]))).toBe(1);
    expect(judgeReportersListed([message(['a'], preview([]), ['a'])]).judged).toBe(0);
  });
});

describe('an empty preview', () => {
  it('stands for no recorded retrieval', () => {
    expect(count(judgeEmpty([message(['a'], preview([]), ['a'])]))).toBe(1);
    expect(judgeEmpty([message(['a'], preview([], true), ['a'])])).toEqual({ judged: 1, problems: [] });
    expect(judgeEmpty([message(['a'], preview([]), [])]).judged).toBe(0);
    expect(judgeEmpty([message(['a'], preview([]))]).judged).toBe(0);
  });

  it('does not stand before one that lists who reported already', () => {
    expect(count(judgeEmpty([message(['a', 'b'], preview(['a', 'b']), undefined, preview([]))]))).toBe(1);
    expect(count(judgeEmpty([message(['a', 'b'], preview(['a', 'b']), undefined, preview([], true))]))).toBe(
      0,
    );
    expect(judgeEmpty([message(['a', 'b'], preview(['b']), undefined, preview([]))]).judged).toBe(0);
  });
});

describe('has_more', () => {
  it('is not there when every recorded agent is listed', () => {
    expect(count(judgeMoreOnlyBeyond([message(['a'], preview(['a'], true), ['a'])]))).toBe(1);
    expect(judgeMoreOnlyBeyond([message(['a'], preview(['a']), ['a'])])).toEqual({ judged: 1, problems: [] });
  });

  it('says nothing when the list is unknown, wrong or longer', () => {
    expect(judgeMoreOnlyBeyond([message(['a'], preview(['a'], true))]).judged).toBe(0);
    expect(judgeMoreOnlyBeyond([message(['a'], preview(['a'], true), [])]).judged).toBe(0);
    expect(judgeMoreOnlyBeyond([message(['a'], preview(['a'], true), ['a', 'b'])]).judged).toBe(0);
  });

  it('says nothing where somebody else may be recorded, whom the preview does not list', () => {
    const shown = { ...message(['a'], preview(['a'], true), ['a']), hasOtherRecords: true };
    expect(judgeMoreOnlyBeyond([shown]).judged).toBe(0);
  });

  it('is there when an agent that reported is not listed', () => {
    expect(count(judgeMoreBeyond({ messageId: 'm', reporters: ['a', 'b'], preview: preview(['a']) }))).toBe(
      1,
    );
    expect(judgeMoreBeyond({ messageId: 'm', reporters: ['a', 'b'], preview: preview(['a'], true) })).toEqual(
      { judged: 1, problems: [] },
    );
    expect(
      judgeMoreBeyond({ messageId: 'm', reporters: ['a', 'b'], preview: preview(['a', 'b']) }).judged,
    ).toBe(0);
  });
});

describe('the full list', () => {
  it.each([
    ['pairs', { receipts: [{ message_id: 'm', agent_id: 'a' }], page: {} }],
    ['agents by message', [{ message: { id: 'M' }, retrieved: { agent_ids: ['x', 'A'] } }]],
    ['messages in a list of lists', { pages: [{ items: [{ id: 'm', agents: [{ id: 'a' }] }] }] }],
  ])('records a retrieval as %s', (_what, json) => {
    expect(recordsRetrieval(json, 'm', 'a')).toBe(true);
    expect(recordsRetrieval(json, 'm', 'b')).toBe(false);
    expect(recordsRetrieval(json, 'n', 'a')).toBe(false);
  });

  it('records a retrieval under the id of its message', () => {
    const [m, n] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
    const json = { receipts: { [m]: [{ agent: { id: 'a' } }], [n]: [{ agent: { id: 'b' } }] } };
    expect([m, n].map((message) => recordsRetrieval(json, message, 'a'))).toEqual([true, false]);
    expect([m, n].map((message) => recordsOthers(json, message, ['a']))).toEqual([false, true]);
  });

  it.each([
    ['pairs', [{ message_id: 'm', agent_id: 'a' }], [{ message_id: 'M', agent_id: 'x' }]],
    ['agents by message', [{ id: 'm', agents: ['A', 'b'] }], [{ id: 'm', agents: ['a', 'x'] }]],
    ['objects by message', [{ id: 'm', by: [{ id: 'a' }] }], [{ id: 'm', by: [{ id: 'a' }, { id: 'x' }] }]],
  ])('tells who is not known from who is, as %s', (_what, own, others) => {
    expect(recordsOthers([...own, { message_id: 'n', agent_id: 'x' }], 'm', ['a', 'b'])).toBe(false);
    expect(recordsOthers([...own, ...others], 'm', ['a', 'b'])).toBe(true);
  });

  it('takes a bare id in a list for no record', () => {
    expect(recordsOthers(['m', 'M', { message_id: 'm', agent_id: 'a' }], 'm', ['a'])).toBe(false);
  });

  it('keeps the pairs of two objects apart', () => {
    const json = [
      { message_id: 'm', agent_id: 'b' },
      { message_id: 'n', agent_id: 'a' },
    ];
    expect(recordsRetrieval(json, 'm', 'a')).toBe(false);
  });

  it('ties messages and agents by their ids unless nothing in it holds one of each', () => {
    const ties = (answer: unknown): boolean => tiesRetrievals(['l', 'm'], ['a', 'b'], [answer]);
    expect(ties({ receipts: [] })).toBe(true);
    expect(
      ties({
        receipts: [
          { message_id: 'n', agent_id: 'a' },
          { message_id: 'M', by: ['B'] },
        ],
      }),
    ).toBe(true);
    expect(ties({ receipts: [{ message: 7, agent_id: 'a' }] })).toBe(false);
    expect(ties({ messages: [{ id: 'm', receipt_ids: [7] }], receipts: [{ id: 7, agent_id: 'a' }] })).toBe(
      false,
    );
    expect(ties({ message_id: ['m', 'm'], agent_id: ['a', 'b'] })).toBe(false);
  });

  it.each(['agent:A', '/v0/agents/a', 'https://service.example/agents/a?full=1'])(
    'names agents and messages within a text, as %s',
    (agent) => {
      const json = [{ message: '/messages/m', agent }];
      expect(recordsRetrieval(json, 'm', 'a')).toBe(true);
      expect(recordsRetrieval(json, 'm', 'agent')).toBe(agent.startsWith('agent:'));
      expect(recordsRetrieval(json, 'm', 'gent')).toBe(false);
      expect(recordsOthers(json, 'm', ['a'])).toBe(false);
    },
  );

  it('holds what messages show', () => {
    const answers = [[{ message_id: 'm', agent_id: 'a' }], [{ message_id: 'm', agent_id: 'b' }]];
    expect(judgeListed([message(['a', 'b'], preview(['a', 'b']))], answers)).toEqual({
      judged: 2,
      problems: [],
    });
    expect(count(judgeListed([message(['a', 'b'], preview(['a', 'b']))], answers.slice(1)))).toBe(1);
    expect(judgeListed([message(['a'], preview([]))], answers).judged).toBe(0);
  });
});

describe('what is said of receipts', () => {
  const [none, one, both] = [preview([]), preview(['a']), preview(['a', 'b'])];

  it('names the agents', () => {
    expect(judgeReportersListed([message(['c'], both)]).problems).toEqual([
      { expected: 'message m: c, which reported its retrieval, among the agents listed', actual: 'a, b' },
    ]);
    expect(judgeReportersListed([message(['c'], none)]).problems[0]?.actual).toBe('nobody');
    expect(judgeEmpty([message(['a'], one, undefined, none)]).problems).toEqual([
      {
        expected: 'message m: a preview that is not empty, or has_more: a retrieval is recorded',
        actual: 'nobody',
      },
    ]);
    expect(judgeMoreOnlyBeyond([message(['a'], preview(['a', 'b'], true), ['a', 'b'])]).problems).toEqual([
      {
        expected: 'message m: no has_more: every recorded agent is listed',
        actual: 'has_more beside a list of all 2',
      },
    ]);
    expect(judgeMoreBeyond({ messageId: 'm', reporters: ['a', 'b', 'c'], preview: both }).problems).toEqual([
      { expected: 'message m: has_more: 3 agents reported', actual: '2 listed, and no more announced' },
    ]);
    expect(judgeListed([message(['a'], one)], []).problems).toEqual([
      { expected: 'the retrieval of message m by agent a', actual: 'it is not in the list' },
    ]);
  });

  it('is nothing where nothing is compared', () => {
    const nothing = { judged: 0, problems: [] };
    expect(judgeMoreBeyond({ messageId: 'm', reporters: ['a'], preview: both })).toEqual(nothing);
    expect(judgeMoreOnlyBeyond([message(['a', 'c'], preview(['a'], true), ['a'])])).toEqual(nothing);
  });

  it('counts only texts as agents, and only objects of a list as retrievals', () => {
    expect(previewIn({ retrieved: { agent_ids: ['A', 7, null] } })).toEqual(one);
    expect(recordsRetrieval([null, 'a', 7, { message_id: 'm', agent_id: null, of: 'A' }], 'M', 'a')).toBe(
      true,
    );
    expect(recordsRetrieval(['m a', ['m']], 'm', 'a')).toBe(false);
    expect(recordsRetrieval(null, 'm', 'a')).toBe(false);
    expect(recordsRetrieval('m', 'm', 'm')).toBe(false);
    expect(recordsRetrieval(['m'], 'm', 'm')).toBe(false);
    expect(recordsRetrieval({ message_id: 'm', agent_id: 'a' }, 'm', 'a')).toBe(false);
  });
});

describe('the answer to a report', () => {
  const ids = [
    '00000000-0000-4000-8000-00000000000a',
    '00000000-0000-4000-8000-00000000000b',
    '00000000-0000-4000-8000-00000000000c',
  ];
  const [first, second, third] = ids;

  it.each([
    [{ recorded: [first, second] }, 'names some'],
    [{ recorded: [first, second], skipped: [third] }, 'names them in two lists'],
    [{ recorded: 2 }, 'counts some'],
    [
      { results: ids.map((id, at) => ({ id, status: at < 2 ? 'recorded' : 'skipped' })) },
      'has words beside each',
    ],
    [{ results: ids.map((id, at) => ({ id, ok: at < 2 })) }, 'has a truth beside each'],
  ])('tells messages apart: %j %s', (json: unknown, _how) => {
    expect(tellsApart(json, ids)).toBe(true);
  });

  it.each([
    [undefined],
    [{}],
    [{ recorded: ids }],
    [{ recorded: 3, failed: 0 }],
    [{ results: ids.map((id) => ({ id, status: 'recorded', at: '2024-01-01T00:00:00Z' })) }],
    [{ channel_id: second, status: 'recorded' }],
  ])('does not: %j', (json) => {
    expect(tellsApart(json, ids)).toBe(false);
  });
});
