import { describe, expect, it } from 'vitest';
import { shiftedToken, tokenLike } from '../../../generators/texts/tokens.ts';

describe('a token like another', () => {
  it('keeps its length, its punctuation and the class of every character', () => {
    const token = 'svc_live-0aZ9.bY8=';
    const classes = (text: string): string =>
      text.replaceAll(/[0-9]/g, '0').replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A');
    expect(classes(tokenLike(token))).toBe(classes(token));
  });

  it('is another one, and another each time', () => {
    const token = 'aB3dE6gH9jK2mN5p';
    expect(new Set([token, ...Array.from({ length: 50 }, () => tokenLike(token))]).size).toBe(51);
  });
});

describe('a shifted token', () => {
  it('is the same each time, and the token with no other shift', () => {
    const token = 'svc_live-0aZ9.bY8=';
    expect(shiftedToken(token, 7)).toBe('zcj_spcl-7hG6.iF5=');
    const shifted = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((by) => shiftedToken(token, by));
    expect(new Set([token, ...shifted]).size).toBe(10);
  });
});
