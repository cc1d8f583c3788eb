import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../harness/output/printable.ts';
import { atMost, command, layOut, paint, prose, row, span, type Row } from '../../reporters/run/rows.ts';

function drawn(rows: readonly Row[], columns: number): string[] {
  return paint(layOut(rows, columns), false).split('\n').slice(0, -1);
}

const exact = (text: string): Row => ({ lead: ['> '], follow: '  ', text: [text], fit: 'exact' });

describe('rows', () => {
  it('breaks running text at blanks and keeps its margin', () => {
    expect(drawn([prose('  ', 'one two three four')], 11)).toEqual(['  one two', '  three', '  four']);
  });

  it('breaks a word that is wider than the line', () => {
    expect(drawn([prose('', 'abcdefgh ij')], 5)).toEqual(['abcde', 'fgh', 'ij']);
  });

  it('breaks evidence at the edge without losing a character', () => {
    expect(drawn([exact('ab cd ef')], 6)).toEqual(['> ab c', '  d ef']);
  });

  it('cuts what is one line with a mark', () => {
    expect(drawn([row('abcdef')], 6)).toEqual(['abcdef']);
    expect(drawn([row('abcdefg')], 6)).toEqual(['abcde…']);
  });

  it('never breaks a command', () => {
    const line = `curl ${'x'.repeat(300)}`;
    expect(drawn([command('  ', line)], 40)).toEqual([`  $ ${line}`]);
  });

  it('counts the two columns of wide characters', () => {
    expect(drawn([exact('東京東京')], 6)).toEqual(['> 東京', '  東京']);
  });

  it('breaks between escapes where it must, and a tone goes on in the next line', () => {
    const lines = layOut([{ lead: [], follow: '', text: [span('failed', 'ab\u001bcd')], fit: 'exact' }], 8);
    expect(paint(lines, false)).toBe('ab\\u001b\ncd\n');
    expect(lines).toEqual([[span('failed', 'ab\\u001b')], ['', span('failed', 'cd')]]);
  });

  it('leaves no blanks at the end of a line', () => {
    expect(paint([['text', span('faint', '  '), ' ']], false)).toBe('text\n');
  });

  it('keeps every line within the columns and every character of evidence', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 4, max: 40 }), (text, columns) => {
        const lines = layOut([exact(text)], columns);
        const unpainted = lines.map((line) =>
          line.map((each) => (typeof each === 'string' ? each : each.text)),
        );
        for (const line of unpainted) expect(widthOf(line.join(''))).toBeLessThanOrEqual(columns);
        const joined = unpainted.map((line) => line.slice(1).join('')).join('');
        expect(widthOf(joined)).toBe(widthOf(text));
      }),
    );
  });

  it('says how many lines it left out', () => {
    const lines = layOut([row('1'), row('2'), row('3'), row('4')], 40);
    expect(paint(atMost(4, lines, '  '), false)).toBe('1\n2\n3\n4\n');
    expect(paint(atMost(3, lines, '  '), false)).toBe('1\n2\n  … 2 more lines\n');
  });
});
