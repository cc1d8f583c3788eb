import { describe, expect, it } from 'vitest';
import type { ClauseId } from '../../../spec/index.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { defaultNames } from '../../../harness/config/target.ts';
import { reportWire } from '../../../harness/judging/wire-report.ts';
import { WireLedger } from '../../../harness/wire/wire-ledger.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

/** A refusal that ended at this time, with the header of a 401 or without. */
function refusal(endedMs: number, isWhole = false): Exchange {
  const json = { error: { code: 'unauthorized', message: 'who are you' } };
  const headers = {
    'content-type': ['application/json'],
    ...(isWhole ? { 'www-authenticate': ['Bearer'] } : {}),
  };
  const bytes = Buffer.from(JSON.stringify(json));
  return exchangeOf({}, { status: 401, headers, bytes, json }, { endedMs });
}

const clause = 'auth.www-authenticate';

interface Cut {
  readonly sureUntilMs?: number;
  readonly suspected?: ReadonlySet<ClauseId>;
}

function verdictOf(cut: Cut, ...exchanges: readonly Exchange[]) {
  const wire = new WireLedger({ names: defaultNames, runId: 'cf-0123456789abcdef' });
  for (const exchange of exchanges) wire.add('auth.some', exchange);
  const { checks, causes } = reportWire({
    isNarrowed: false,
    wire,
    provenErrors: new Map(),
    passed: ['auth.some'],
    ...cut,
  });
  const verdicts = checks.flatMap(({ clauses }) => clauses);
  const told = verdicts.find((each) => each.clause === clause);
  const isKept = verdicts.some(
    (each) => each.clause === 'service.bodies-are-json' && each.verdict === 'passed',
  );
  return { verdict: told?.verdict, reason: told?.reason, causes: causes.length, isKept };
}

describe('what a run shows of the form of answers that was cut short', () => {
  it.each<[string, Cut, readonly Exchange[]]>([
    ['broken in every answer, none of which counts', { sureUntilMs: 0 }, [refusal(5), refusal(6)]],
    ['kept at first, and broken after the loss', { sureUntilMs: 5 }, [refusal(4, true), refusal(6)]],
    ['suspected of errors that nobody repeated', { suspected: new Set([clause]) }, [refusal(5, true)]],
  ])('neither breaks nor keeps what is %s', (_what, cut, exchanges) => {
    expect(verdictOf(cut, ...exchanges)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('leaves open'),
      causes: 0,
      isKept: true,
    });
  });

  it('breaks what was broken before the loss, whichever answer is shown', () => {
    expect(verdictOf({ sureUntilMs: 5 }, refusal(4), refusal(6))).toMatchObject({
      verdict: 'failed',
      causes: 1,
    });
  });
});
