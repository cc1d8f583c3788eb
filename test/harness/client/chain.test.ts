import { describe, expect, it } from 'vitest';
import { longestChain } from '../../../harness/client/chain.ts';

const at = (startedMs: number, endedMs: number) => ({ startedMs, endedMs });

describe('the longest chain', () => {
  it.each([
    ['nothing', [], 0],
    ['requests side by side', [at(0, 10), at(1, 9), at(2, 11)], 1],
    ['requests one after another', [at(0, 1), at(1, 2), at(2, 3)], 3],
    ['a wait beside others', [at(0, 100), at(0, 10), at(10, 20), at(20, 30)], 3],
    ['exchanges that were noted out of order', [at(20, 30), at(0, 10), at(10, 20)], 3],
    ['two that overlap by a moment', [at(0, 10), at(9.9, 20)], 1],
  ])('of %s is right', (_, exchanges, length) => {
    expect(longestChain(exchanges)).toBe(length);
  });
});
