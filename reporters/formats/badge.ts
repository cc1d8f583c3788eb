import { makeBadge } from 'badge-maker';
import type { Verdict } from '../../harness/results/generated/events.ts';
import { brokenIds } from '../broken-ids.ts';
import { conclude, totalOf } from '../conclusion.ts';
import { brokenGates } from '../latency-gates.ts';
import { serverProfile } from '../profile.ts';
import { countOf, formatCount } from '../quantities.ts';
import { isStrictRun, countedIn, type RunSoFar } from '../run-so-far.ts';
import type { ReportFormat } from './format.ts';

const label = 'contract';
const colors: Readonly<Record<Verdict, string>> = {
  passed: 'brightgreen',
  failed: 'red',
  warned: 'yellow',
  inconclusive: 'lightgrey',
};

/** A picture for a README. */
export const badge: ReportFormat = {
  name: 'badge',
  reader: 'a README (SVG)',
  *write(runs) {
    yield badgeSvg(runs);
  },
};

/** The same for a server of badges to draw. */
export const badgeJson: ReportFormat = {
  name: 'badge-json',
  reader: 'a badge that is drawn elsewhere (JSON endpoint)',
  *write(runs) {
    yield `${JSON.stringify({ schemaVersion: 1, label, ...badgeOf(runs) })}\n`;
  },
};

/** A badge as SVG. */
export function badgeSvg(runs: readonly RunSoFar[]): string {
  const { message, color } = badgeOf(runs);
  return `${makeBadge({ label, message, color })}\n`;
}

/** The worst of what several runs came to. */
function badgeOf(runs: readonly RunSoFar[]): { readonly message: string; readonly color: string } {
  const all = runs.map((run) => ({ run, ...conclude(run, isStrictRun(run)) }));
  const worst = bySeverity.flatMap((verdict) => all.filter((each) => each.verdict === verdict))[0];
  if (worst === undefined) return { message: 'no result', color: colors.inconclusive };
  return { message: badgeMessage(worst.run, worst.verdict), color: colors[worst.verdict] };
}

const bySeverity: readonly Verdict[] = ['failed', 'inconclusive', 'warned', 'passed'];

function badgeMessage(run: RunSoFar, verdict: Verdict): string {
  const { footer } = run;
  const { length: broken } = brokenIds(countedIn(run), 'failed');
  if (verdict === 'failed' && broken > 0) return `${formatCount(broken)} broken`;
  const isSlow = footer !== undefined && brokenGates(footer).slow.length > 0;
  if (verdict === 'failed' && isSlow) return 'too slow';
  if (verdict === 'failed') return footer === undefined ? 'failed, incomplete run' : 'failed';
  if (verdict === 'inconclusive' || footer === undefined) return 'inconclusive';
  const { campaign, clauses: tallies } = footer;
  if (campaign !== undefined) return countOf(campaign.judged, 'case');
  const { must } = tallies;
  // What does not apply to a server is none of its clauses.
  const all = totalOf(must) - (must.notApplicable ?? 0);
  const shown = `${formatCount(must.passed)} of ${countOf(all, 'clause')}`;
  const has = serverProfile(run)?.kept.join(', ') ?? '';
  if (has === '') return shown;
  return must.passed === all ? has : `${has}: ${shown}`;
}
