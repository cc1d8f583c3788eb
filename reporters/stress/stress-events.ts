import { clauseOf, contractPlace } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Target } from '../../harness/config/target.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type {
  CheckEvent,
  FindingEvent,
  FooterEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';
import { streamHeader } from '../../harness/run/stream-header.ts';
import { tallyChecks, tallyClauses } from '../../harness/verdict/tally.ts';
import type { Finding } from '../../stress/run/judged.ts';
import type { StressResult } from '../../stress/run/run-stress.ts';
import { operationLine } from '../history/operation-line.ts';
import { timelineOf } from './timeline.ts';

/** Findings that have a timeline: each takes some kB. */
const mostTimelines = 20;

interface StressRun {
  readonly target: Target;
  readonly result: StressResult;
  readonly isStrict: boolean;
  readonly exitCode: number;
  readonly command?: readonly string[];
}

/** A stress run as the events of a result stream, so that every report can be made of it: a check for each clause that was put to the test. */
export function stressEvents({ command, ...run }: StressRun): readonly ResultEvent[] {
  const { target, result, isStrict } = run;
  const findings = result.findings.map(findingEvent);
  const broken = new Map(findings.flatMap(brokenClauses).map(({ clause, verdict }) => [clause, verdict]));
  const clauses = new Set<ClauseId>([
    ...result.opportunities.keys(),
    ...result.findings.flatMap(({ anomalies }) => anomalies.map(({ clause }) => clause)),
  ]);
  const checks = [...clauses]
    .filter((clause) => clauseOf(clause).level !== 'silent')
    .map((clause): CheckEvent => checkEvent(clause, broken.get(clause) ?? 'passed', result));
  const profile = { strict: isStrict, readOnly: false, selection: ['stress'] };
  return [
    {
      ...streamHeader(target, profile, { checks: checks.length, command }),
      startedAt: new Date(Date.now() - result.durationMs).toISOString(),
    },
    ...findings,
    ...checks,
    footerEvent(checks, run),
  ];
}

function checkEvent(
  clause: ClauseId,
  verdict: CheckEvent['verdict'],
  { opportunities, durationMs }: StressResult,
): CheckEvent {
  const { level, text } = clauseOf(clause);
  const judged = opportunities.get(clause) ?? 1;
  return {
    type: 'check',
    check: checkOf(clause),
    title: `under concurrent clients: ${text}`,
    area: 'stress',
    verdict,
    clauses: [{ clause, level, verdict, judged }],
    requests: 0,
    judged,
    attempts: 1,
    durationMs,
  };
}

function findingEvent(finding: Finding, index: number): FindingEvent {
  const { verdict, lead, anomalies, times } = finding;
  const { level, text, source } = clauseOf(lead.clause);
  const sinceMs = Math.min(...lead.witness.map(({ startedMs }) => startedMs));
  const operations = lead.witness.map((operation) => operationLine(operation, sinceMs)).join('; ');
  const clauses = [...new Set(anomalies.map(({ clause }) => clause))].map((clause) => {
    const own = clauseOf(clause).level;
    return {
      clause,
      level: own,
      verdict: own === 'must' ? 'failed' : 'warned',
      check: checkOf(clause),
    } as const;
  });
  return {
    type: 'finding',
    id: `F${index + 1}`,
    clause: lead.clause,
    level,
    verdict,
    text,
    source: contractPlace(source),
    check: checkOf(lead.clause),
    ...(clauses.length > 1 ? { clauses } : {}),
    expected: lead.expected,
    actual: `${lead.actual}; seen by ${operations}`,
    seen: { times },
    exchanges: [],
    ...(index < mostTimelines ? { timeline: timelineOf(finding) } : {}),
  };
}

function footerEvent(checks: readonly CheckEvent[], { result, exitCode }: StressRun): FooterEvent {
  const { sends, reads, messages, bytesWritten } = result.exercised;
  return {
    type: 'footer',
    end: 'complete',
    ...(result.trouble === undefined ? {} : { reason: result.trouble }),
    exitCode,
    checks: tallyChecks(checks),
    clauses: tallyClauses(checks),
    alsoSeenBy: {},
    footprint: { requests: sends + reads, messages, bytesWritten },
    durationMs: result.durationMs,
  };
}

function checkOf(clause: ClauseId): string {
  return `stress.${clause}`;
}
