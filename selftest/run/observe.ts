import type { Check } from '../../harness/check/check.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type {
  CheckEvent,
  FindingEvent,
  FooterEvent,
  PreflightEvent,
} from '../../harness/results/generated/events.ts';
import { runChecks } from '../../harness/run/run-checks.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { isStated } from '../../history/anomalies/roots.ts';
import type { Judged as JudgedHistory } from '../../history/anomalies/judge.ts';
import { cellName } from '../../suites/arrange/auth/access-matrix.ts';
import type { FoundClause, Observation } from '../servers/observation.ts';
import type { Server } from '../servers/server.ts';

/** Runs checks against a server of its own. */
export type Observe = (server: Server, checks: readonly Check[]) => Promise<Observation>;

/** Starts the server in this process and runs the checks there. */
export const observeHere: Observe = async (server, checks) => {
  if (server.observe !== undefined) return server.observe();
  const { target, answered = [], carried = [], close } = await server.open();
  const events: CheckEvent[] = [];
  const findings: FindingEvent[] = [];
  const errors: string[] = [];
  const cells = new Set<string>();
  const histories: JudgedHistory[] = [];
  try {
    const footer = await runChecks(checks, target, {
      onEvent: (event) => {
        if (event.type === 'check') events.push(event);
        if (event.type === 'finding') findings.push(event);
        if (event.type === 'preflight') errors.push(...errorsIn(event));
      },
      onJudged: (judged) => histories.push(judged),
      onSituation: ({ clause, dimensions }) => {
        const { call = '', credential = '', form = '' } = dimensions;
        cells.add(cellName({ clause, call, credential, form }));
      },
    });
    return {
      ...observationOf(events, findings, footer),
      errors,
      hidden: histories.flatMap((judged) => hiddenIn(judged, events, footer)),
      answered: [...answered],
      carried: [...carried],
      cells: [...cells],
    };
  } finally {
    await close();
  }
};

function errorsIn({ lines }: PreflightEvent): string[] {
  return lines.filter(({ severity }) => severity === 'error').map(({ text }) => text);
}

/** No history is judged more severely by itself than the run that made it, and no clause is left out. */
function hiddenIn(judged: JudgedHistory, events: readonly CheckEvent[], { exitCode }: FooterEvent): string[] {
  const told = new Set(
    events
      .flatMap(({ clauses }) => clauses)
      .flatMap(({ clause, verdict }) => (verdict === 'failed' || verdict === 'warned' ? [clause] : [])),
  );
  const broken = [...new Set(judged.anomalies.map(({ clause }) => clause))];
  const isMilder = judged.anomalies.some(isStated) && exitCode !== exitCodes.broken;
  return [
    ...(isMilder ? [`exit code ${exitCode}, and ${exitCodes.broken} for its history alone`] : []),
    ...broken.filter((clause) => !told.has(clause)).map((clause) => `${clause}, by its history alone`),
  ];
}

function observationOf(
  events: readonly CheckEvent[],
  findings: readonly FindingEvent[],
  footer: FooterEvent,
): Omit<Observation, 'answered' | 'carried' | 'cells' | 'errors' | 'hidden'> {
  const all = events.flatMap(({ check, clauses }) => clauses.map((each) => ({ check, ...each })));
  const inconclusive = all.filter(({ verdict }) => verdict === 'inconclusive').toReversed();
  return {
    judged: all
      .filter(({ verdict }) => verdict !== 'inconclusive')
      .map(({ check, clause, verdict }) => ({ check, clause, verdict })),
    found: findings.flatMap(foundIn),
    inconclusive: Object.fromEntries(inconclusive.map(({ check, reason }) => [check, reason ?? ''])),
    end: footer.end,
    exitCode: footer.exitCode,
    reason: footer.reason,
    requests: footer.footprint.requests,
    durationMs: footer.durationMs,
    idleMs: Object.values(footer.idleMs ?? {}).reduce((sum, ms) => sum + ms, 0),
  };
}

/** Each clause of a finding is found. */
function foundIn(finding: FindingEvent): FoundClause[] {
  const { metIn, expected, actual, seen } = finding;
  return brokenClauses(finding).map(({ clause, verdict, check }) => {
    const where = metIn === undefined ? check : `${check} in ${metIn}`;
    const text = `${clause} ${verdict} ${seen.times}/${seen.of ?? '?'} by ${where}: expected ${expected}; got ${actual}`;
    return { clause, verdict, text };
  });
}

/** Checks that decided all that they are about, and found nothing broken; those that watch the wire included. */
export function passedIn({ judged, inconclusive }: Pick<Observation, 'judged' | 'inconclusive'>): string[] {
  const broken = new Set(judged.filter(({ verdict }) => verdict !== 'passed').map(({ check }) => check));
  const all = new Set(judged.map(({ check }) => check));
  return [...all].filter((check) => !broken.has(check) && inconclusive[check] === undefined);
}
