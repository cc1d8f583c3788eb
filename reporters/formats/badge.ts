import { makeBadge } from 'badge-maker';
import type { Verdict } from '../../harness/results/generated/events.ts';
import { brokenIds } from '../broken-ids.ts';
import { conclude, totalOf } from '../conclusion.ts';
import { brokenGates } from '../latency-gates.ts';
import { serverProfile } from '../profile.ts';
import { countOf, formatCount } from '../quantities.ts';
import { isNarrowed, isStrictRun, countedIn, type RunSoFar } from '../run-so-far.ts';
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

/** The worst of what several runs came to, in whatever order they are given. */
function badgeOf(runs: readonly RunSoFar[]): { readonly message: string; readonly color: string } {
  const all = runs.map((run) => ({ run, ...conclude(run, isStrictRun(run)) }));
  const worst = bySeverity.find((verdict) => all.some((each) => each.verdict === verdict));
  if (worst === undefined) return { message: 'no result', color: colors.inconclusive };
  const own = all.filter(({ verdict }) => verdict === worst).map(({ run }) => run);
  return { message: badgeMessage(own, worst), color: colors[worst] };
}

const bySeverity: readonly Verdict[] = ['failed', 'inconclusive', 'warned', 'passed'];

/** What runs of one verdict came to. */
function badgeMessage(runs: readonly RunSoFar[], verdict: Verdict): string {
  if (verdict === 'failed') {
    // What two of them found is broken once.
    const { length: broken } = brokenIds(runs.flatMap(countedIn), 'failed');
    if (broken > 0) return `${formatCount(broken)} broken`;
    const isSlow = ({ footer }: RunSoFar): boolean =>
      footer !== undefined && brokenGates(footer).slow.length > 0;
    if (runs.some(({ footer }) => footer === undefined)) return 'failed, incomplete run';
    return runs.every(isSlow) ? 'too slow' : 'failed';
  }
  if (verdict === 'inconclusive') return 'inconclusive';
  const shown = runs.map(shownBy);
  const most = Math.max(...shown.map(({ open }) => open));
  const [message = 'inconclusive'] = shown
    .filter(({ open }) => open === most)
    .map((each) => each.message)
    .toSorted();
  return message;
}

/** What a run showed, and how many must clauses it did not; of a campaign nobody counts those. */
function shownBy(run: RunSoFar): { readonly message: string; readonly open: number } {
  const { footer } = run;
  if (footer === undefined) return { message: 'inconclusive', open: Infinity };
  const { campaign, clauses: tallies } = footer;
  if (campaign !== undefined) return { message: countOf(campaign.judged, 'case'), open: -1 };
  const { must } = tallies;
  // What does not apply to a server is none of its clauses.
  const all = totalOf(must) - (must.notApplicable ?? 0);
  const open = all - must.passed;
  const shown = `${formatCount(must.passed)} of ${countOf(all, isNarrowed(run) ? 'selected clause' : 'clause')}`;
  const has = serverProfile(run)?.kept.join(', ') ?? '';
  if (has === '') return { message: shown, open };
  return { message: open === 0 ? has : `${has}: ${shown}`, open };
}
