import type { SentRequest } from '../../../spec/calls/index.ts';
import { describe, expect, it } from 'vitest';
import type { Exchange, FaultKind } from '../../../harness/client/exchange.ts';
import { faultComesEveryTime } from '../../../harness/run/fault-proof.ts';
import { exchangeOf, requestOf, unansweredOf } from '../../fixtures/exchange.ts';
import { askingAgain } from '../../fixtures/asking-again.ts';

const suspect = requestOf({ headers: { authorization: 'Bearer t' } });

function faulty(request: SentRequest, kind: FaultKind | undefined): Exchange {
  return kind === undefined ? exchangeOf(request) : unansweredOf(kind, request);
}

interface Script {
  /** What the suspect meets the so manieth time, and what the control request does. */
  readonly met: (count: number) => FaultKind | undefined;
  readonly control?: (count: number) => FaultKind | undefined;
  readonly faultShare?: number;
  readonly times?: number;
  readonly kind?: FaultKind;
}

/** Whether the fault is taken for the server's, and how often the request was sent for that. */
async function proof({ met, control, faultShare = 0.02, times = 3, kind = 'reset' }: Script) {
  const count = { suspect: 0, control: 0 };
  const again = askingAgain((request) => {
    const isSuspect = request.path === suspect.path;
    count[isSuspect ? 'suspect' : 'control'] += 1;
    return faulty(request, isSuspect ? met(count.suspect) : control?.(count.control));
  });
  const isProven = await faultComesEveryTime(faulty(suspect, kind), times, {
    ...again,
    faultShare: () => faultShare,
  });
  return { isProven, sent: count.suspect };
}

describe('a fault', () => {
  it("is the server's when it comes every time and others are answered meanwhile", async () => {
    expect(await proof({ met: () => 'reset' })).toEqual({ isProven: true, sent: 6 });
  });

  it.each<[string, Script]>([
    ['fails to come once', { met: (count) => (count === 6 ? undefined : 'reset') }],
    ['is another one once', { met: (count) => (count === 4 ? 'gateway' : 'reset') }],
    [
      'meets others as well',
      { met: () => 'reset', control: (count) => (count === 5 ? 'gateway' : undefined) },
    ],
    ['is no rarer than an answer', { met: () => 'reset', faultShare: 0.9 }],
    ['was waited for too few times', { met: () => 'timeout', kind: 'timeout', times: 3, faultShare: 0.1 }],
  ])('that %s is not', async (_, script) => {
    expect((await proof(script)).isProven).toBe(false);
  });

  it('has to come more often where more requests meet one', async () => {
    expect(await proof({ met: () => 'reset', faultShare: 0.3 })).toEqual({ isProven: true, sent: 12 });
  });

  it.each([
    [undefined, false],
    ['reset', false],
    ['timeout', true],
  ] as const)('that was waited for is waited for once more: %s', async (met, isProven) => {
    expect(await proof({ met: () => met, kind: 'timeout', times: 6 })).toEqual({ isProven, sent: 1 });
  });
});
