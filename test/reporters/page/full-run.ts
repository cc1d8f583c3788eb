import { brokenClauses } from '../../../harness/results/broken-clauses.ts';
import type { CheckEvent, FindingEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { defaultBindings } from '../../../harness/config/target.ts';
import { InputMeter } from '../../../harness/totals/input-meter.ts';
import { declaredPairs } from '../../../history/situations/tally.ts';
import { tallyChecks, tallyClauses } from '../../../harness/verdict/tally.ts';
import { type ClauseId, clauseOf, contractPlace } from '../../../spec/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { check, finding, footer, header, observations, preflight, read, send } from '../events.ts';

/** Two findings for each of some clauses have this many. */
interface FullRun {
  /** A finding for each; a clause may be there several times. */
  readonly broken: readonly ClauseId[];
}

/** The stream of a run of every check of the suite, with findings of two exchanges each. */
export function fullRun({ broken }: FullRun): readonly ResultEvent[] {
  const findings = broken.map((id, index) => findingOf(id, index + 1));
  const verdicts = new Map<string, FindingEvent['verdict']>(
    findings.flatMap(brokenClauses).map(({ clause, verdict }) => [clause, verdict]),
  );
  const checks = allChecks.map(({ id, title, clauses }): CheckEvent =>
    check(
      id,
      title,
      clauses.map((clause) => ({
        clause,
        level: clauseOf(clause).level,
        verdict: verdicts.get(clause) ?? 'passed',
        judged: 12,
      })),
    ),
  );
  return [
    header({ checks: checks.length }),
    preflight(),
    ...checks,
    ...findings,
    ...observations,
    footer({
      exitCode: findings.length === 0 ? 0 : 1,
      checks: tallyChecks(checks),
      clauses: tallyClauses(checks),
      coverage: {
        situations: declaredPairs().map(({ clause, along, pairs, missing }) => ({
          clause,
          along,
          declared: pairs,
          seen: pairs - 3,
          missing: missing.slice(0, 2),
        })),
        bounds: [
          ...new InputMeter(defaultBindings).bounds.map((bound, index) => ({ ...bound, times: index % 3 })),
          {
            of: 'filename in an answer',
            at: '255 characters',
            side: 'shown',
            clause: 'file.filename.length',
            times: 0,
          },
        ],
      },
    }),
  ];
}

function findingOf(id: ClauseId, index: number): FindingEvent {
  const { level, text, source } = clauseOf(id);
  return finding({
    id: `F${index}`,
    clause: id,
    level,
    verdict: level === 'must' ? 'failed' : 'warned',
    text,
    source: contractPlace(source),
    exchanges: [
      { ...send, id: 2 * index },
      { ...read, id: 2 * index + 1 },
    ],
  });
}

/** Clauses of two areas that a server breaks. */
export const eight: readonly ClauseId[] = [
  'send.content-bytes',
  'send.content-not-empty',
  'file.visible-to-the-workspace',
  'human-user.display-name.null-when-unknown',
  'receipts.reported-agent-is-listed',
  'limits.byte-cap-loses-nothing',
  'errors.unsupported-parameter-is-400',
  'mentions.walk-is-complete',
];
