import { expect, it } from 'vitest';
import { investigate, type Trial } from '../../../fuzz/campaign/investigate.ts';
import type { Drawn } from '../../../fuzz/cases/injection-point.ts';
import type { CaseFailure } from '../../../fuzz/judge/failure.ts';
import type { CaseRunner, WholeOutcome } from '../../../fuzz/setup/case-runner.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const failure: CaseFailure = {
  clause: 'send.idempotency-key-accepted',
  part: 'stored twice',
  call: 'send',
  seenIn: 'readBack',
  expected: 'one message under key 1',
  actual: 'two',
};
const request = { call: 'send', method: 'POST', path: '/', headers: {} } as const;
const drawn: Drawn = { family: 'send', label: 'a key twice', request, shrinks: () => [] };

/** A server at which each try shows the failure under a key of its own. */
function trialOfKeys(): Trial {
  let key = 1;
  const show = async (): Promise<readonly WholeOutcome[]> => {
    key += 1;
    const seen = { ...failure, expected: `one message under key ${key}` };
    const exchange = exchangeOf({ headers: { 'idempotency-key': String(key) } });
    const verdict = { kind: 'judged', failures: [seen], answerKind: 'success' } as const;
    return [
      {
        outcome: {
          expected: 'accept',
          verdict,
          exchange,
          marker: undefined,
          read: undefined,
          isWhole: true,
          shownBy: new Map(),
        },
        failures: [seen],
        isDecided: true,
        shownBy: new Map([[seen, [exchange]]]),
      },
    ];
  };
  const runner = { runAllToEnd: show } as unknown as CaseRunner;
  return { runner, access: { isLost: async () => false }, isOver: () => false };
}

it('what a failure says is of the exchanges that are shown beside it', async () => {
  const { failure: told, exchanges } = await investigate(trialOfKeys(), drawn, failure);
  const keys = exchanges.map((each) => each.request.headers['idempotency-key']);
  expect(keys).toEqual(['4']);
  expect(told.expected).toBe('one message under key 4');
});

it.each([
  { status: 402, times: 0 },
  { status: 403, times: 0 },
  // Of several steps the last may be one of which nothing is expected.
  { status: 403, times: 0, expected: 'open' },
  { status: 400, times: 3 },
  { status: 201, times: 3 },
])('a plain send that is refused counts $times times beside a control that gets $status', async (each) => {
  const refused: CaseFailure = { ...failure, part: 'taken: refused', seenIn: 'answer', isOutcome: true };
  const outcome = { expected: each.expected ?? 'accept', exchange: exchangeOf({}, { status: 400 }) };
  const shown = { outcome, failures: [refused], isDecided: true, shownBy: new Map() };
  const runner = {
    runForAnswer: async () => shown,
    run: async () => ({ exchange: exchangeOf({ call: 'send' }, { status: each.status }) }),
  } as unknown as CaseRunner;
  const trial = { runner, access: { isLost: async () => false }, isOver: () => false };
  const { repeats, isUncontrolled } = await investigate(trial, drawn, refused);
  expect([repeats, isUncontrolled]).toEqual([{ times: each.times, of: each.times }, each.times === 0]);
});
