import type { CampaignTotals } from '../../harness/results/generated/events.ts';
import { countOf, formatCount } from '../quantities.ts';
import { boundariesLeftText, boundarySums } from '../story/boundaries.ts';
import { plot } from './bars.ts';
import { anchor, html, type Markup, nothing, type PageContext } from './markup.ts';
import { overTime } from './pace-plot.ts';

const mostAnswerKinds = 40;

/** What a campaign sent, and how it was answered. */
export function campaignSection(context: PageContext): Markup {
  const { header, footer } = context.run;
  if (header?.campaign === undefined) return nothing;
  const { seed, shards } = header.campaign;
  return html`<section id="${anchor('campaign', context)}">
    <h2>Campaign</h2>
    <p class="faint">seed <code>${seed}</code>, shard ${shards.join(', ')}</p>
    ${footer?.campaign === undefined ? nothing : totals(footer.campaign, footer.durationMs, overTime(context))}
  </section> `;
}

function totals(campaign: CampaignTotals, durationMs: number, plots: Markup): Markup {
  const { cases, judged, inconclusive, readBack, fixed, kept } = campaign;
  const lines = [
    `${countOf(cases, 'case')} in ${(durationMs / 1000).toFixed(1)} s, ${perSecond(cases, durationMs)}; ${formatCount(judged)} judged, ${formatCount(inconclusive)} inconclusive`,
    `${formatCount(kept.accepted)} accepted and ${formatCount(kept.refused)} refused as they had to be`,
    `${countOf(readBack.compared, 'message')} read back, ${formatCount(readBack.absent)} refused ones shown to be absent, ${formatCount(readBack.inconclusive)} inconclusive`,
    ...fixed.map((name) => `fixed: ${name}`),
  ];
  return html`<ul class="links">
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
    ${plots}
    <div class="plots">
      ${counts('Cases by family', 'family', campaign.byFamily)}${counts('Answers by kind', 'answer', campaign.answers)}${boundaries(campaign)}
    </div>
    ${notLookedFor(campaign)}`;
}

/** What this campaign left out, what it had not come to when it ended, and what no campaign puts to the test. */
function notLookedFor(campaign: CampaignTotals): Markup {
  const lines = [
    ...Object.entries(campaign.leftOut).map(([family, why]) => `skipped: ${family}: ${why}`),
    ...boundariesLeftText(campaign),
    'faults that take several clients at once, a restart or a lost connection, which the command stress brings about',
    'faults that take a change which the operator makes (a credential revoked, a name, a deleted file), which a run with hooks brings about',
  ];
  return html`<h3>Not looked for</h3>
    <ul class="links">
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul> `;
}

function perSecond(cases: number, durationMs: number): string {
  return `${formatCount(Math.round(cases / Math.max(durationMs / 1000, 0.001)))} a second`;
}

function counts(caption: string, head: string, by: Readonly<Record<string, number>>): Markup {
  const rows = Object.entries(by).toSorted(([, one], [, other]) => other - one);
  if (rows.length === 0) return nothing;
  const most = Math.max(...rows.map(([, count]) => count), 1);
  return plot(
    caption,
    [head, 'count'],
    rows.slice(0, mostAnswerKinds).map(([name, count]) => ({
      name: html`${name}`,
      words: formatCount(count),
      segments: [{ share: count / most, look: 'median' }],
    })),
  );
}

function boundaries(campaign: CampaignTotals): Markup {
  const rows = Object.entries(campaign.boundaries ?? {});
  if (rows.length === 0) return nothing;
  const { judged, declared } = boundarySums(campaign);
  return plot(
    `Boundary coverage: ${formatCount(judged)} of ${countOf(declared, 'boundary value')} judged`,
    ['input', 'judged'],
    rows.slice(0, mostAnswerKinds).map(([input, tried]) => ({
      name: html`${input}`,
      words: `${formatCount(tried.judged)} of ${formatCount(tried.declared)}`,
      segments: [{ share: tried.judged / Math.max(tried.declared, 1), look: 'median' }],
    })),
  );
}
