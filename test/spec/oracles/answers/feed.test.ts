import { describe, expect, it } from 'vitest';
import { isShorterWithoutLimit, judgeDefaultLimit } from '../../../../spec/oracles/answers/feed.ts';
import type { ReadPage } from '../../../../spec/oracles/pages/read-page.ts';
import { item, pageOf } from '../page-of.ts';

const nothing = { judged: 0, problems: [] };

function pageOfLength(length: number, first = 1): ReadPage {
  return pageOf({ after: 0, items: Array.from({ length }, (_, index) => first + index) });
}

describe('a listing without a limit', () => {
  const judge = (plain: number, fifty: number, sixty: number): ReturnType<typeof judgeDefaultLimit> =>
    judgeDefaultLimit(
      {
        withoutLimit: [pageOfLength(plain)],
        withDefault: [pageOfLength(fifty), pageOfLength(fifty)],
        withMore: [pageOfLength(sixty), pageOfLength(sixty)],
      },
      { isCapRuledOut: true },
    );

  const judgeBeside = (plain: number, ...withDefault: number[]): ReturnType<typeof judgeDefaultLimit> =>
    judgeDefaultLimit(
      {
        withoutLimit: [pageOfLength(plain)],
        withDefault: withDefault.map((length) => pageOfLength(length)),
        withMore: [pageOfLength(51)],
      },
      { isCapRuledOut: true },
    );

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

  it.each([
    { plain: 49, isShorter: true, expected: nothing },
    { plain: 50, isShorter: false, expected: { judged: 1, problems: [] } },
    { plain: 51, isShorter: false, expected: { judged: 1, problems: [{}] } },
  ])('may have a byte cap of its own, which makes it no longer: $plain', ({ plain, isShorter, expected }) => {
    const pages = {
      withoutLimit: [pageOfLength(plain)],
      withDefault: [pageOfLength(50)],
      withMore: [pageOfLength(51)],
    };
    expect(isShorterWithoutLimit(pages)).toBe(isShorter);
    expect(judgeDefaultLimit(pages, { isCapRuledOut: false })).toMatchObject(expected);
  });

  it('decides nothing where no page is longer than 50, or one with 50 is', () => {
    expect(judge(20, 50, 50)).toEqual(nothing);
    expect(judgeBeside(51, 50, 51)).toEqual(nothing);
  });

  it('decides nothing where messages are listed twice', () => {
    const twice = pageOf({ after: 0, items: [item(1, 'a'), item(2, 'a')] });
    const judgement = judgeDefaultLimit(
      { withoutLimit: [twice], withDefault: [pageOfLength(50)], withMore: [pageOfLength(51)] },
      { isCapRuledOut: true },
    );
    expect(judgement.judged).toBe(0);
  });
});
