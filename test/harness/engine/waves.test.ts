import { describe, expect, it } from 'vitest';
import { check } from '../../../harness/engine/check.ts';
import type { Check } from '../../../harness/engine/check.ts';
import { wavesOf } from '../../../harness/engine/waves.ts';

function checkOf(id: string, facts: Partial<Pick<Check, 'isExclusive' | 'bodyBytes' | 'waitMs'>>): Check {
  return check(
    id,
    { title: id, clauses: ['send.content-bytes'], needs: [], ...facts },
    async () => undefined,
  );
}

describe('the waves of a run', () => {
  const waves = wavesOf([
    checkOf('a.plain', {}),
    checkOf('a.large', { bodyBytes: 500_000 }),
    checkOf('a.alone', { isExclusive: true }),
    checkOf('a.waiting', { waitMs: 1000 }),
    checkOf('a.small', { bodyBytes: 80_000 }),
  ]).map(({ checks, concurrency }) => ({ ids: checks.map(({ id }) => id), concurrency }));

  it('begin with the ordinary checks, and of these with those that wait', () => {
    expect(waves[0]).toEqual({ ids: ['a.waiting', 'a.plain', 'a.small'], concurrency: undefined });
  });

  it('go on with the exclusive ones, one at a time', () => {
    expect(waves[1]).toEqual({ ids: ['a.alone'], concurrency: 1 });
  });

  it('end with large bodies, few at once', () => {
    expect(waves[2]).toEqual({ ids: ['a.large'], concurrency: 4 });
  });
});
