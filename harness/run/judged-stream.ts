import type { JudgedClauseId } from '../../spec/index.ts';
import type { Target } from '../config/target.ts';
import { withSame } from '../gate/asked.ts';
import type { Scoring } from '../gate/scoring.ts';
import { historyChecks } from '../judging/run-wide-checks.ts';
import type { JudgedChapters } from '../judging/judged-chapters.ts';
import type { KnownSecrets } from '../output/known-secrets.ts';
import type { FindingEvent, FooterEvent, HeaderEvent, ResultEvent } from '../results/generated/events.ts';
import { exitCodes } from '../verdict/exit-code.ts';
import { Findings } from '../verdict/findings.ts';
import { tallyChecks, tallyClauses } from '../verdict/tally.ts';
import { streamHeader } from './stream-header.ts';

/** What was judged by its history alone. */
type JudgedCommand = 'stress' | 'judge' | 'client';

/** How a stream begins that has no checks but those of the history. */
export function judgedHeader(
  name: JudgedCommand,
  tested: Target | string,
  {
    isStrict,
    command,
    checks = historyChecks.length,
  }: { readonly isStrict: boolean; readonly command: readonly string[]; readonly checks?: number },
): HeaderEvent {
  const profile = { strict: isStrict, readOnly: false, selection: [name] };
  return streamHeader(tested, profile, { checks, command });
}

/** What was judged: the checks that tell of it, and all that was seen broken. */
interface JudgedSource extends Pick<JudgedChapters, 'checks' | 'sighted'> {
  /** The clauses that count; those of the history if absent. */
  readonly clauses?: readonly JudgedClauseId[];
}

interface JudgedParts {
  readonly chapters: JudgedSource;
  readonly scoring: Scoring;
  readonly secrets: KnownSecrets;
  /** What was tested, where that is known. */
  readonly target?: Target;
  /** Why nothing can be concluded. */
  readonly trouble?: string | undefined;
  /** Why it ended before its end, and what it ends with where nothing is broken. */
  readonly cut?: { readonly reason: string; readonly exitCode: number };
}

/** How such a stream goes on and ends: as that of a run whose checks with a body are none. */
export function judgedEvents(
  { chapters, scoring, secrets, target, trouble, cut }: JudgedParts,
  about: Pick<FooterEvent, 'footprint' | 'durationMs'>,
): readonly ResultEvent[] {
  const checks = chapters
    .checks(target === undefined ? {} : { target })
    .map((each) => scoring.labelled(each));
  const found: FindingEvent[] = [];
  const findings = new Findings({ secrets, runId: '', baseUrl: '' }, (finding) => found.push(finding));
  for (const each of chapters.sighted)
    findings.add({ ...each, ...scoring.labelsOf(each.check, each.clause) });
  findings.close();
  // What was drawn, or recorded, is not all that a run would look at.
  const score = scoring.scoreOf(checks, { isNarrowed: true, hasBodies: false });
  const reason = cut?.reason ?? trouble;
  const open = cut?.exitCode ?? (trouble === undefined ? undefined : exitCodes.inconclusive);
  const isBroken = score.exitCode === exitCodes.broken && open !== exitCodes.interrupted;
  const footer: FooterEvent = {
    type: 'footer',
    end: cut === undefined ? 'complete' : 'interrupted',
    ...(reason === undefined ? {} : { reason }),
    ...score,
    ...(open === undefined || isBroken ? {} : { exitCode: open }),
    checks: tallyChecks(checks),
    clauses: tallyClauses(
      checks,
      withSame(chapters.clauses ?? historyChecks.flatMap(({ clauses }) => clauses)),
    ),
    alsoSeenBy: findings.alsoSeenBy,
    ...about,
  };
  return [...checks, ...found, footer];
}
