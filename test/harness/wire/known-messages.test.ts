import { describe, expect, it } from 'vitest';
import { KnownMessages } from '../../../harness/wire/known-messages.ts';
import { judgeWire, type WireJudgement } from '../../../harness/wire/wire-judgement.ts';
import { defaultNames } from '../../../harness/config/target.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { messageOf } from '../../fixtures/message.ts';

const nothing = { problems: [], exercised: new Set<never>() };

function counting() {
  const known = new KnownMessages();
  const judged: unknown[] = [];
  const judge = (message: Record<string, unknown>, judgement: WireJudgement = nothing) =>
    known.judge(message, () => {
      judged.push(message);
      return judgement;
    });
  return { judge, judged };
}

/** A channel read that shows these messages. */
function judgeRead(messages: readonly unknown[], facts: Parameters<typeof judgeWire>[1]) {
  const json = { messages, page: { next_after: 9, has_more: false, high_watermark: 9 } };
  const headers = { 'content-type': ['application/json'] };
  return judgeWire(exchangeOf({}, { headers, bytes: Buffer.from(JSON.stringify(json)), json }), facts);
}

const good = messageOf(1, { content: 'cf-1 a message' });
const wrong = { ...good, size_bytes: 'many' };

describe('messages that were judged before', () => {
  it('judges one message once, in whatever order its fields come', () => {
    const { judge, judged } = counting();
    judge({ id: 'a', sequence: 1, author: { id: 'b', human_user: null } });
    judge({ author: { human_user: null, id: 'b' }, sequence: 1, id: 'a' });
    expect(judged).toHaveLength(1);
  });

  it('judges whatever differs in any way again', () => {
    const { judge, judged } = counting();
    for (const message of [
      { id: 'a', sequence: 1 },
      { id: 'a', sequence: 2 },
      { id: 'a', sequence: '1' },
      { id: 'a', sequence: 1, more: null },
    ])
      judge(message);
    expect(judged).toHaveLength(4);
  });

  it('judges a message that broke something whenever it is read', () => {
    const { judge, judged } = counting();
    const problem = { clause: 'message.id.type', part: 'id', expected: '', actual: '', kind: 'id' } as const;
    judge({ id: 1 }, { ...nothing, problems: [problem] });
    judge({ id: 1 }, { ...nothing, problems: [problem] });
    expect(judged).toHaveLength(2);
  });

  it('tells integers beyond 2^53 apart', () => {
    const { judge, judged } = counting();
    judge({ id: 'a', sequence: 2n ** 60n });
    judge({ id: 'a', sequence: 2n ** 60n });
    judge({ id: 'a', sequence: 2n ** 60n + 1n });
    expect(judged).toHaveLength(2);
  });

  it('finds the same in a channel that is read again as at the first time', () => {
    const facts = { names: defaultNames, runId: 'cf-1' };
    const messages = [good, wrong];
    const first = judgeRead(messages, facts);
    const again = judgeRead(structuredClone(messages), facts);
    expect(first?.problems.map(({ clause }) => clause)).toContain('message.size-bytes.type');
    expect(again).toEqual(first);
  });

  it('counts a broken message each time it stands in a page', () => {
    const facts = { names: defaultNames, runId: 'cf-1' };
    const once = judgeRead([wrong], facts)?.problems.length ?? 0;
    expect(once).toBeGreaterThan(0);
    expect(judgeRead([wrong, wrong, wrong], facts)?.problems).toHaveLength(3 * once);
  });
});
