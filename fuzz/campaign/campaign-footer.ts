import { callOfFamily, familyNames } from '../cases/family.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type {
  BrokenVerdict,
  CampaignTotals,
  FindingEvent,
  FooterEvent,
  Footprint,
  StaleEntry,
} from '../../harness/results/generated/events.ts';
import { exitCodeOf, exitCodes } from '../../harness/verdict/exit-code.ts';
import { tallyChecks, tallyClauses } from '../../harness/verdict/tally.ts';

/** What the footer of a campaign is made of. */
interface CampaignSum {
  readonly totals: CampaignTotals;
  readonly findings: readonly FindingEvent[];
  readonly staleBaseline: readonly StaleEntry[];
  readonly footprint: Footprint;
  readonly durationMs: number;
  /** What ended it before it was whole, or keeps it from proving anything. */
  readonly reason: string | undefined;
}

interface Counting {
  readonly isStrict: boolean;
  /** Of several campaigns: one that was interrupted does not hide what another found. */
  readonly isMerged?: boolean;
}

/** Of the cases of a campaign that proves something, so many may stay without an answer. */
const unansweredShare = 0.1;

/** For each send of which it was read what came of it, of so many it may stay unknown. */
const mostUnread = 2;

/** The last event of a campaign. */
export function campaignFooter(sum: CampaignSum, how: Counting): FooterEvent {
  const { totals, findings, staleBaseline, footprint, durationMs } = sum;
  const reason = sum.reason ?? whyNothingIsProved(totals);
  return {
    type: 'footer',
    end: totals.end === 'complete' ? 'complete' : 'interrupted',
    ...(reason === undefined ? {} : { reason }),
    exitCode: campaignExitCode(sum, how),
    checks: tallyChecks([]),
    clauses: tallyClauses(findings.map((finding) => ({ clauses: clausesOf(finding, totals) }))),
    alsoSeenBy: {},
    footprint,
    durationMs,
    ...(staleBaseline.length === 0 ? {} : { staleBaseline }),
    campaign: totals,
  };
}

function campaignExitCode(
  { totals, findings, staleBaseline, reason = whyNothingIsProved(totals) }: CampaignSum,
  { isStrict, isMerged = false }: Counting,
): number {
  const { end } = totals;
  if (end === 'interrupted' && !isMerged) return exitCodes.interrupted;
  if (staleBaseline.length > 0) return exitCodes.broken;
  const counting = findings.flatMap((finding) =>
    clausesOf(finding, totals).filter(({ known }) => known === undefined),
  );
  const count = (wanted: BrokenVerdict): number =>
    counting.filter(({ verdict }) => verdict === wanted).length;
  const hasProved = end === 'complete' && reason === undefined;
  return exitCodeOf({ failed: count('failed'), warned: count('warned'), hasProved }, isStrict);
}

function whyNothingIsProved({
  end,
  cases,
  judged,
  kept,
  unanswered,
  byFamily,
  leftOut,
  readBack,
  untried = 0,
}: CampaignTotals): string | undefined {
  if (end !== 'complete') return undefined;
  if (unanswered > cases * unansweredShare)
    return `${unanswered} of ${cases} cases were not answered: too many to conclude anything`;
  if (untried > 0)
    return `what came up too late to be tried again may not come again (${untried}): give it more time (--time)`;
  if (judged === 0) return `none of ${cases} cases came to a judgement`;
  if (kept.accepted === 0)
    return `nothing that has to be accepted was accepted, in ${cases} cases: then a refusal proves nothing either`;
  const { compared, absent, inconclusive } = readBack;
  const whyUnread = leftOut['reading back'] ?? (compared === 0 ? whyNoneRead(readBack) : undefined);
  const hasSent = familyNames.some(
    (family) => callOfFamily[family] === 'send' && (byFamily[family] ?? 0) > 0,
  );
  if (whyUnread !== undefined && hasSent) return `nothing that was sent could be read back: ${whyUnread}`;
  const known = compared + absent;
  return inconclusive > known * mostUnread
    ? `of ${inconclusive} sends nobody knows what came of them, of ${known} it was read: ${noEnd}`
    : undefined;
}

const noEnd = 'no look at all of them came to an end; more time may help (--time)';

function whyNoneRead({ inconclusive }: CampaignTotals['readBack']): string {
  return inconclusive > 0 ? noEnd : 'no read shows any of it, as far as answers can be understood';
}

function clausesOf(
  finding: FindingEvent,
  { seen }: CampaignTotals,
): Parameters<typeof tallyClauses>[0][number]['clauses'] {
  const whole = (seen[finding.id] ?? finding).known;
  return brokenClauses(finding).map(({ clause, level, verdict, known = whole }) => ({
    clause,
    level,
    verdict,
    judged: 1,
    ...(known === undefined ? {} : { known }),
  }));
}
