import { describe, expect, it } from 'vitest';
import { judgeUnaltered } from '../../../../spec/oracles/messages/content.ts';

const altered: readonly [what: string, sent: string, read: string, expected: string, actual: string][] = [
  ['a character in the middle', 'aéb', 'aeb', 'U+00E9 at UTF-16 position 1', 'U+0065 there'],
  ['the first character', ' a', 'a', 'U+0020 at UTF-16 position 0', 'U+0061 there'],
  ['the last character gone', 'ab', 'a', 'U+0062 at UTF-16 position 1', 'the end there'],
  ['one character added at the end', 'a', 'ab', 'the end at UTF-16 position 1', 'U+0062 there'],
  ['a decomposed letter composed', 'e\u0301', '\u00e9', 'U+0065 at UTF-16 position 0', 'U+00E9 there'],
  ['everything gone', 'a', '', 'U+0061 at UTF-16 position 0', 'the end there'],
];

describe('a text read back', () => {
  it('passes when it is the text sent', () => {
    expect(judgeUnaltered('a😀\u2028', 'a😀\u2028')).toEqual({ judged: 1, problems: [] });
  });

  it('decides nothing when there is none', () => {
    expect(judgeUnaltered('a', undefined)).toEqual({ judged: 0, problems: [] });
  });

  it.each(altered)('is told apart by %s', (_what, sent, read, expected, actual) => {
    const { judged, problems } = judgeUnaltered(sent, read);
    expect(judged).toBe(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.expected).toContain(expected);
    expect(problems[0]?.actual).toContain(actual);
  });

  it('is shown around the place alone, however long it is', () => {
    const sent = 'x'.repeat(500_000);
    const [problem] = judgeUnaltered(sent, sent.slice(0, -1)).problems;
    expect(problem).toEqual({
      expected: 'U+0078 at UTF-16 position 499999 of 500000 units (500000 bytes): …xxxxxxxxxxxx⟦x⟧',
      actual: 'the end there, and 499999 units (499999 bytes): …xxxxxxxxxxxx⟦⟧',
    });
  });

  it.each([
    ['at twelve from either end, nothing left out', 12, 12, `${'a'.repeat(12)}⟦-⟧${'b'.repeat(12)}`],
    ['one further from its begin', 13, 12, `…${'a'.repeat(12)}⟦-⟧${'b'.repeat(12)}`],
    ['one further from its end', 12, 13, `${'a'.repeat(12)}⟦-⟧${'b'.repeat(12)}…`],
  ])('is shown %s', (_what, before, after, shown) => {
    const [head, tail] = ['a'.repeat(before), 'b'.repeat(after)];
    const [problem] = judgeUnaltered(`${head}-${tail}`, `${head}+${tail}`).problems;
    expect(problem?.expected.endsWith(`: ${shown}`)).toBe(true);
  });
});
