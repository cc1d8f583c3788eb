import { describe, expect, it } from 'vitest';
import { FindingBook } from '../../../fuzz/campaign/finding-book.ts';
import type { Drawn } from '../../../fuzz/cases/injection-point.ts';
import type { CaseFailure } from '../../../fuzz/judge/failure.ts';
import type { CaseRunner } from '../../../fuzz/setup/case-runner.ts';

const request = { call: 'send', method: 'POST', path: '/', headers: {} } as const;
const drawn: Drawn = { family: 'send', label: 'one case', request, shrinks: () => [] };
const at = { index: 1, phase: 'random', startedMs: 0 } as const;

const readBack: CaseFailure = {
  clause: 'service.sent-is-readable',
  part: 'lost-write',
  call: 'send',
  seenIn: 'readBack',
  expected: 'it is there',
  actual: 'it is not',
};
const refused: CaseFailure = {
  clause: 'send.other-text-accepted',
  part: 'taken: refused',
  call: 'send',
  seenIn: 'answer',
  expected: 'status 2xx',
  actual: 'status 400',
  isOutcome: true,
};

/** A book whose tries come to no end, or find the time over. */
function book(isOver: boolean): FindingBook {
  const never = new Promise<never>(() => {});
  return new FindingBook({
    runner: { runAllToEnd: () => never, runForAnswer: () => never } as unknown as CaseRunner,
    access: { isLost: async () => false },
    isOver: () => isOver,
    fillFeed: async () => {},
    evidenceOf: () =>
      ({ exchanges: [] }) as unknown as ReturnType<
        ConstructorParameters<typeof FindingBook>[0]['evidenceOf']
      >,
    sendAgain: async () => ({ kind: 'unsent' }) as never,
    elapsedMs: () => 0,
    onFailure: () => {},
    onFinding: () => {},
    onBug: (error) => {
      throw error;
    },
  });
}

describe('what came up too late to be tried again', () => {
  it.each([
    { what: 'the time is over before the first try', isOver: true },
    { what: 'a try comes to no end', isOver: false },
  ])(
    'is a finding, or said to be left where a try would have had to tell, when $what',
    async ({ isOver }) => {
      const late = book(isOver);
      late.found([readBack], drawn, at);
      late.found([refused], drawn, at);
      if (isOver) await late.settled();
      const { findings, untried, roots } = late.close();
      expect(findings.map(({ failure, repeats }) => [failure.clause, repeats])).toEqual([
        ['service.sent-is-readable', { times: 0, of: 0 }],
      ]);
      expect(roots.map(({ state }) => state)).toEqual(['fails']);
      expect(untried).toBe(1);
    },
  );
});
