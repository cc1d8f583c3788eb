import { describe, expect, it } from 'vitest';
import {
  contentOfSize,
  contentOfSizeEndingWith,
  contentsWith,
} from '../../../../generators/spaces/content/content.ts';

const widths = ['x', 'é', '€', '😀', '\u0001'];

describe('a content of a size', () => {
  it.each(widths)('has exactly that size in characters like %j', (character) => {
    for (const sizeBytes of [20, 21, 22, 23, 500_000, 500_001]) {
      expect(Buffer.byteLength(contentOfSize('mark', sizeBytes, character).text)).toBe(sizeBytes);
      expect(Buffer.byteLength(contentOfSizeEndingWith('mark', sizeBytes, character).text)).toBe(sizeBytes);
    }
  });

  it.each(widths)('ends with the character %j where that is asked for', (character) => {
    const { text } = contentOfSizeEndingWith('mark', 500_001, character);
    expect(text.endsWith(character)).toBe(true);
    expect(text.startsWith('mark')).toBe(true);
  });

  it('has room for its marker, and for one character where it ends with it', () => {
    expect(contentOfSize('mark', 4).text).toBe('mark');
    expect(() => contentOfSize('mark', 3)).toThrow(RangeError);
    expect(contentOfSizeEndingWith('mark', 8, '😀').text).toBe('mark😀');
    expect(() => contentOfSizeEndingWith('mark', 7, '😀')).toThrow(RangeError);
  });
});

it('a piece of text stands at the start, inside and at the end of three contents with one marker', () => {
  const { atStart, inside, atEnd } = contentsWith('mark', '!');
  expect([atStart.text, inside.text, atEnd.text]).toEqual(['!mark', 'mark! and more', 'mark!']);
  expect([atStart, inside, atEnd].map(({ marker }) => marker)).toEqual(['mark', 'mark', 'mark']);
});
