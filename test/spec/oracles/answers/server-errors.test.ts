import { describe, expect, it } from 'vitest';
import {
  clauseOfPassingError,
  insteadOfPassingError,
} from '../../../../spec/oracles/answers/server-errors.ts';

describe('a server error that does not come every time', () => {
  it.each([
    ['mentions', 500, 'mentions.error-statuses'],
    ['mentions', 502, 'mentions.error-statuses'],
    ['mentions', 503, 'service.served-requests-stay-served'],
    ['channel-read', 500, 'service.served-requests-stay-served'],
    ['send', 500, 'service.served-requests-stay-served'],
    ['send', 503, 'service.served-requests-stay-served'],
    ['overview', 500, undefined],
    ['receipts-list', 503, undefined],
    ['mentions', 501, undefined],
    ['send', 501, undefined],
    ['mentions', 499, undefined],
    ['send', 429, undefined],
    ['mentions', undefined, undefined],
  ])('to %s with status %s breaks %s', (call, status, clause) => {
    expect(clauseOfPassingError(call, status)).toBe(clause);
  });

  it.each([
    ['mentions.error-statuses', 'one of 200, 400, 401, 403, 409, 429'],
    [
      'service.served-requests-stay-served',
      'an answer of the service, as such requests get before and after',
    ],
  ])('is in the place of what %s requires', (clause, words) => {
    expect(insteadOfPassingError(clause)).toBe(words);
  });
});
