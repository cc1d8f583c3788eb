import { describe, expect, it } from 'vitest';
import {
  judgeDefaultLimit,
  judgeListingsKeep,
  judgeMentionIds,
  judgeMessagesWithinLimit,
  judgeNoneVanished,
  judgeReachesBackAsFar,
  judgeSameOrder,
} from '../../../oracles/answers/feed.ts';
import type { ReadItem, ReadPage } from '../../../oracles/pages/read-page.ts';
import { item, pageOf } from '../page-of.ts';

const nothing = { judged: 0, problems: [] };
/** Items whose sequence or id is unusable. */
const placeless = { sequence: undefined, id: 'x' };
const nameless = { sequence: 2n, id: undefined };

function pageOfLength(length: number, first = 1): ReadPage {
  return pageOf({ after: 0, items: Array.from({ length }, (_, index) => first + index) });
}

function items(...ids: string[]): ReadItem[] {
  return ids.map((id, index) => item(index + 1, id));
}

describe('the id of a mention', () => {
  it('is that of its message, in either letter case', () => {
    const mentions = [{ id: 'ab', record: { id: 'AB' } }];
    expect(judgeMentionIds(mentions)).toEqual({ judged: 1, problems: [] });
  });

  it('is found when it is another', () => {
    expect(judgeMentionIds([{ id: 'ab', record: { id: 'ac' } }]).problems).toEqual([
      { expected: 'the id of its message, ab', actual: 'ac as the id of the mention' },
    ]);
  });

  it('decides nothing where one of the two is missing', () => {
    expect(
      judgeMentionIds([
        { id: undefined, record: { id: 'ac' } },
        { id: 'ab', record: {} },
      ]).judged,
    ).toBe(0);
  });
});

describe('a listing from the oldest', () => {
  const from = (...sequences: number[]): { items: ReadItem[] } => ({
    items: sequences.map((each) => item(each)),
  });

  it('begins no later than one from behind it', () => {
    expect(judgeReachesBackAsFar([from(5), from(5)], [from(5), from(6)])).toEqual({
      judged: 1,
      problems: [],
    });
  });

  it('is found when all of them begin later than all others', () => {
    expect(judgeReachesBackAsFar([from(6), from(7)], [from(5), from(4)]).problems).toEqual([
      { expected: 'a first mention at 5 or 4 or before', actual: '6, 7' },
    ]);
  });

  it('is believed while one of them reaches as far as one of the others', () => {
    expect(judgeReachesBackAsFar([from(6), from(7)], [from(5), from(6)]).problems).toEqual([]);
  });

  it('decides nothing where one is empty', () => {
    expect(judgeReachesBackAsFar([from(6)], [from()])).toEqual(nothing);
    expect(judgeReachesBackAsFar([from()], [from(5)])).toEqual(nothing);
  });
});

describe('a listing without a limit', () => {
  const judge = (plain: number, fifty: number, sixty: number): ReturnType<typeof judgeDefaultLimit> =>
    judgeDefaultLimit({
      withoutLimit: [pageOfLength(plain)],
      withDefault: [pageOfLength(fifty), pageOfLength(fifty)],
      withMore: [pageOfLength(sixty), pageOfLength(sixty)],
    });

  const judgeBeside = (plain: number, ...withDefault: number[]): ReturnType<typeof judgeDefaultLimit> =>
    judgeDefaultLimit({
      withoutLimit: [pageOfLength(plain)],
      withDefault: withDefault.map((length) => pageOfLength(length)),
      withMore: [pageOfLength(51)],
    });

  it('is as long as one with 50', () => {
    expect(judge(50, 50, 51)).toEqual({ judged: 1, problems: [] });
  });

  it('is found one shorter or one longer', () => {
    expect(judge(49, 50, 51).problems).toEqual([
      { expected: '50 mentions without a limit, as with 50', actual: '49' },
    ]);
    expect(judge(51, 50, 51).problems).toHaveLength(1);
  });

  it('may be cut like the shortest with 50', () => {
    expect(judgeBeside(30, 31, 30).problems).toEqual([]);
    expect(judgeBeside(29, 31, 30).problems).toHaveLength(1);
  });

  it('decides nothing where no page is longer than 50, or one with 50 is', () => {
    expect(judge(20, 50, 50)).toEqual(nothing);
    expect(judgeBeside(51, 50, 51)).toEqual(nothing);
  });

  it('decides nothing where messages are listed twice', () => {
    const twice = pageOf({ after: 0, items: [item(1, 'a'), item(2, 'a')] });
    const judgement = judgeDefaultLimit({
      withoutLimit: [twice],
      withDefault: [pageOfLength(50)],
      withMore: [pageOfLength(51)],
    });
    expect(judgement.judged).toBe(0);
  });
});

describe('the messages of a page', () => {
  it('are as many as its limit at most', () => {
    expect(judgeMessagesWithinLimit(pageOf({ after: 0, limit: 2, items: [1, 2] }))).toEqual({
      judged: 1,
      problems: [],
    });
    expect(judgeMessagesWithinLimit(pageOf({ after: 0, limit: 2, items: [1, 2, 3] })).problems).toEqual([
      { expected: 'at most 2 messages', actual: '3 messages' },
    ]);
  });

  it('count without a cursor and without a sequence', () => {
    expect(judgeMessagesWithinLimit(pageOf({ limit: 1, items: [1, 2] })).problems).toHaveLength(1);
    const page = pageOf({ after: 0, limit: 1, items: [item(1), placeless], next: 1 });
    expect(judgeMessagesWithinLimit(page).problems).toHaveLength(1);
  });

  it('count once each, and only above the cursor', () => {
    const twice = pageOf({ after: 0, limit: 1, items: [item(1, 'a'), item(2, 'a')] });
    const behind = pageOf({ after: 1, limit: 1, items: [1, 2] });
    expect(judgeMessagesWithinLimit(twice).problems).toEqual([]);
    expect(judgeMessagesWithinLimit(behind).problems).toEqual([]);
  });

  it('are not counted without a limit', () => {
    expect(judgeMessagesWithinLimit(pageOf({ after: 0, items: [1] }))).toEqual(nothing);
  });
});

describe('two feeds', () => {
  it('agree when what they share stands in one order', () => {
    expect(judgeSameOrder(items('a', 'x', 'b', 'c'), items('a', 'b', 'y', 'c'))).toEqual({
      judged: 2,
      problems: [],
    });
  });

  it('are found to differ when two messages stand the other way round', () => {
    expect(judgeSameOrder(items('a', 'b'), items('b', 'a')).problems).toEqual([
      { expected: 'message a before b, as in the other feed', actual: 'the other way round' },
    ]);
  });

  it('may list a message twice', () => {
    expect(judgeSameOrder(items('a', 'a'), items('a'))).toEqual({ judged: 1, problems: [] });
  });

  it('decide nothing when they share one message, or others that cannot be told apart', () => {
    expect(judgeSameOrder(items('a', 'b'), items('a', 'c')).judged).toBe(0);
    expect(judgeSameOrder([item(1, 'a'), nameless], [nameless, item(3, 'a')]).judged).toBe(0);
  });
});

describe('complete listings in a row', () => {
  it('keep what one of them showed', () => {
    expect(judgeListingsKeep([items(), items('a'), items('a'), items('a', 'b')], 'a')).toEqual({
      judged: 1,
      problems: [],
    });
  });

  it('are found when one in between lacks it', () => {
    expect(judgeListingsKeep([items('a'), items('b'), items('a')], 'a').problems).toEqual([
      { expected: 'message a, which was listed before', actual: 'a complete listing without it' },
    ]);
  });

  it('say nothing of what does not come back', () => {
    expect(judgeListingsKeep([items('a'), items(), items()], 'a')).toEqual({ judged: 0, problems: [] });
    expect(judgeListingsKeep([items(), items()], 'a')).toEqual(nothing);
  });
});

describe('mentions listed before', () => {
  it('stay while an older one does', () => {
    expect(judgeNoneVanished(['a', 'b', 'c'], ['c', 'b', 'a'])).toEqual({ judged: 2, problems: [] });
  });

  it('are found gone beside an older one', () => {
    expect(judgeNoneVanished(['a', 'b', 'c'], ['a', 'c']).problems).toEqual([
      { expected: 'b, which was listed, beside a, which is older', actual: 'it is gone' },
    ]);
  });

  it('may go from the oldest on', () => {
    expect(judgeNoneVanished(['a', 'b', 'c'], ['b', 'c'])).toEqual({ judged: 1, problems: [] });
    expect(judgeNoneVanished(['a', 'b'], [])).toEqual(nothing);
  });
});
