import { brokenClauses } from '../harness/results/broken-clauses.ts';
import { columnOfCheck } from '../harness/results/column.ts';
import type { CheckEvent, FindingEvent } from '../harness/results/generated/events.ts';

/** What a test of a runner says of its check: passed, failed with a message for people, or skipped with the reason. */
export type TestOutcome =
  | { readonly is: 'passed' }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'skipped'; readonly reason: string };

/** The outcome of a check that has ended; inconclusive and known ones are skipped with their reason. */
export function outcomeOf(event: CheckEvent, findings: readonly FindingEvent[]): TestOutcome {
  switch (columnOfCheck(event)) {
    case 'failed':
      return { is: 'failed', message: describeFailures(event, findings) };
    case 'known':
      return skipped('known to fail: ', knownReasons(event));
    case 'notScored':
      return skipped('not scored: ', [event.verdict]);
    case 'notApplicable':
      return skipped('does not apply: ', inapplicableReasons(event));
    case 'inconclusive':
      return skipped('', inconclusiveReasons(event));
    default:
      return { is: 'passed' };
  }
}

function skipped(why: string, reasons: readonly string[]): TestOutcome {
  return { is: 'skipped', reason: `${why}${[...new Set(reasons)].join(' | ')}` };
}

function knownReasons({ clauses }: CheckEvent): string[] {
  return clauses.flatMap(({ known }) => known ?? []);
}

function inapplicableReasons({ clauses }: CheckEvent): string[] {
  return clauses.flatMap(({ inapplicable }) => inapplicable ?? []);
}

function inconclusiveReasons({ clauses }: CheckEvent): string[] {
  return clauses
    .filter(({ verdict, inapplicable }) => verdict === 'inconclusive' && inapplicable === undefined)
    .map(({ reason, enable }) => [reason, enable].filter(Boolean).join('; '));
}

function describeFailures({ check, clauses }: CheckEvent, findings: readonly FindingEvent[]): string {
  const broken = clauses.filter(({ verdict, known }) => verdict === 'failed' && known === undefined);
  const lines = broken.map(({ clause }) => {
    const finding = findings.find((each) => brokenClauses(each).some((other) => other.clause === clause));
    return finding === undefined ? clause : describeFinding(clause, finding);
  });
  return [`${check} failed`, ...lines].join('\n');
}

function describeFinding(clause: string, finding: FindingEvent): string {
  const { text, source, expected, actual, exchanges } = finding;
  return [
    `${clause}: ${text} (${source})`,
    `  expected ${expected}`,
    `  got ${actual}`,
    ...exchanges.map(({ curl }) => `  ${curl}`),
  ].join('\n');
}
