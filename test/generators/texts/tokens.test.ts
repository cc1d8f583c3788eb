import { describe, expect, it } from 'vitest';
import {
  shiftedToken,
  tokenCutShort,
  tokenEditedAtTheEnd,
  tokenEditedAtTheStart,
  tokenEditedInTheMiddle,
  tokenWithASignInside,
  tokenInOtherCase,
  tokenLike,
} from '../../../generators/texts/tokens.ts';

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

it('a shifted token is the same each time, and the token with no other shift', () => {
  const token = 'svc_live-0aZ9.bY8=';
  expect(shiftedToken(token, 7)).toBe('zcj_spcl-7hG6.iF5=');
  const shifted = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((by) => shiftedToken(token, by));
  expect(new Set([token, ...shifted]).size).toBe(10);
});

describe('a near miss of a token', () => {
  it.each([
    ['without its end', tokenCutShort, 'svc_live-0aZ9.bY'],
    ['edited in the middle', tokenEditedInTheMiddle, 'svc_live-1aZ9.bY8='],
    ['with a sign inside', tokenWithASignInside, 'svc_live-~0aZ9.bY8='],
    ['edited at the end', tokenEditedAtTheEnd, 'svc_live-0aZ9.bZ9='],
    ['edited at the start', tokenEditedAtTheStart, 'tvc_live-0aZ9.bY8='],
    ['in the other case', tokenInOtherCase, 'SVC_LIVE-0Az9.By8='],
  ])('%s differs in just that', (_, made, wanted) => {
    expect(made('svc_live-0aZ9.bY8=')).toBe(wanted);
  });

  it('is no other sequence of bytes by chance: a changed end is read as other bytes in each usual code', () => {
    const bytes = Buffer.from('0123456789abcdef');
    for (const code of ['base64', 'base64url', 'hex'] as const) {
      for (const made of [tokenCutShort, tokenEditedInTheMiddle, tokenEditedAtTheEnd])
        expect(Buffer.from(made(bytes.toString(code)), code)).not.toEqual(bytes);
    }
  });

  it('is the token itself where nothing can be changed', () => {
    expect(tokenInOtherCase('0123')).toBe('0123');
    expect(tokenEditedInTheMiddle('--__')).toBe('--__');
  });
});
