import { makeBadge } from 'badge-maker';
import type { Verdict } from '../../harness/results/events.ts';
import { conclude, totalOf } from '../conclusion.ts';
import { formatCount } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
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
  *write(run) {
    const { message, color } = badgeOf(run);
    yield `${makeBadge({ label, message, color })}\n`;
  },
};

/** The same for a server of badges to draw. */
export const badgeJson: ReportFormat = {
  name: 'badge-json',
  reader: 'a badge that is drawn elsewhere (JSON endpoint)',
  *write(run) {
    yield `${JSON.stringify({ schemaVersion: 1, label, ...badgeOf(run) })}\n`;
  },
};

function badgeOf(run: RunSoFar): { readonly message: string; readonly color: string } {
  const { verdict } = conclude(run, run.header?.profile.strict === true);
  return { message: messageOf(run, verdict), color: colors[verdict] };
}

function messageOf({ findings, footer }: RunSoFar, verdict: Verdict): string {
  if (verdict === 'failed')
    return `${formatCount(findings.filter((each) => each.verdict === 'failed').length)} broken`;
  if (verdict === 'inconclusive' || footer === undefined) return 'inconclusive';
  const { must } = footer.clauses;
  return footer.campaign === undefined
    ? `${must.passed} of ${totalOf(must)} clauses`
    : `${footer.campaign.judged} cases`;
}
