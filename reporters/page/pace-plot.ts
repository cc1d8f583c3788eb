import type { AnswerGroup, FindingEvent, Pace } from '../../harness/results/generated/events.ts';
import { countOf, formatCount, formatDuration } from '../quantities.ts';
import { fragment, html, type Markup, nothing, type PageContext } from './markup.ts';

/** A stream may have any number. */
const mostPaceSlices = 400;
const mostFindings = 200;
const mostKindsNamed = 40;

const groups: Readonly<Record<AnswerGroup, { readonly words: string; readonly look: string }>> = {
  '2xx': { words: '2xx', look: 'passed' },
  '4xx': { words: '4xx', look: 'median' },
  '429': { words: '429', look: 'warned' },
  '5xx': { words: '5xx', look: 'failed' },
  other: { words: 'other', look: 'known' },
  none: { words: 'no answer', look: 'inconclusive' },
};

/** In the order in which they are drawn. */
const answerGroups: readonly AnswerGroup[] = ['2xx', '4xx', '429', '5xx', 'other', 'none'];

/** How the cases of a campaign went over its time, and when its findings came up. */
export function overTime(context: PageContext): Markup {
  const { findings, footer } = context.run;
  const pace = footer?.campaign?.pace;
  if (pace === undefined || pace.slices.length === 0) return nothing;
  const endMs = Math.max(footer?.durationMs ?? 0, pace.slices.length * pace.sliceMs);
  return html`<div class="plots">
    ${casesOverTime(pace, endMs)}${findingsOverTime(firstSeen(findings), endMs, context)}
  </div> `;
}

function casesOverTime({ sliceMs, slices }: Pace, endMs: number): Markup {
  const shown = slices.slice(0, mostPaceSlices);
  const counts = shown.map(({ answers }) => answerGroups.map((group) => answers[group] ?? 0));
  const sums = counts.map((each) => each.reduce((sum, count) => sum + count, 0));
  const most = Math.max(...sums, 1);
  const bars = counts.flatMap((each, slice) => {
    let top = 100;
    return each.flatMap((count, index) => {
      if (count === 0) return [];
      const height = (count / most) * 100;
      top -= height;
      const group = answerGroups[index] ?? 'other';
      return box([slice * sliceMs, (slice + 1) * sliceMs], endMs, [top, height], groups[group].look);
    });
  });
  const totals = answerGroups.map((_, index) => counts.reduce((sum, each) => sum + (each[index] ?? 0), 0));
  const legend = answerGroups.flatMap((group, index) =>
    (totals[index] ?? 0) === 0
      ? []
      : html`<li>
          <svg class="swatch" aria-hidden="true"><rect class="${groups[group].look}" /></svg>
          ${groups[group].words} ${formatCount(totals[index] ?? 0)}
        </li>`,
  );
  const perSecond = (count: number): string => formatCount(Math.round(count / (sliceMs / 1000)));
  const judged = shown.reduce((sum, slice) => sum + slice.judged, 0);
  return html`<figure class="overtime">
    <figcaption>
      Cases over the time: at most ${perSecond(most)} a second; ${formatCount(judged)} judged, in slices of
      ${formatDuration(sliceMs)}
    </figcaption>
    <svg class="slices" aria-hidden="true">${bars}</svg>
    ${axis(endMs)}
    <ul class="legend">
      ${legend}
    </ul>
  </figure> `;
}

interface FirstSeen {
  readonly id: string;
  readonly clause: string;
  readonly atMs: number;
}

function firstSeen(findings: readonly FindingEvent[]): readonly FirstSeen[] {
  return findings
    .flatMap(({ id, clause, case: shown }) =>
      shown?.firstMs === undefined ? [] : [{ id, clause, atMs: shown.firstMs }],
    )
    .toSorted((one, other) => one.atMs - other.atMs)
    .slice(0, mostFindings);
}

/** A step up for each finding. */
function findingsOverTime(found: readonly FirstSeen[], endMs: number, context: PageContext): Markup {
  const last = found.at(-1);
  if (last === undefined) return nothing;
  const steps = found.map(({ atMs }, index) => {
    const height = ((index + 1) / found.length) * 100;
    return box([atMs, found[index + 1]?.atMs ?? endMs], endMs, [100 - height, height], 'found');
  });
  const named = found
    .slice(0, mostKindsNamed)
    .map(
      ({ id, clause, atMs }) =>
        html`<li>
          <a href="#${fragment(id, context)}">${id}</a> after ${formatDuration(atMs)} <code>${clause}</code>
        </li> `,
    );
  const more = found.length - mostKindsNamed;
  return html`<figure class="overtime">
    <figcaption>
      Findings over the time: ${countOf(found.length, 'finding')}, the last new one after
      ${formatDuration(last.atMs)}
    </figcaption>
    <svg class="slices" aria-hidden="true">${steps}</svg>
    ${axis(endMs)}
    <ul class="links">
      ${named}${more > 0 ? html`<li class="faint">${formatCount(more)} more</li>` : nothing}
    </ul>
  </figure> `;
}

/** A box from one time to another, with its top and its height in percent. */
function box(
  [fromMs, toMs]: readonly [number, number],
  endMs: number,
  [top, height]: readonly [number, number],
  look: string,
): Markup {
  const x = Math.min((fromMs / endMs) * 100, 100);
  const width = Math.max(Math.min((toMs / endMs) * 100, 100) - x, 0.2);
  return html`<rect
    class="${look}"
    x="${x.toFixed(2)}%"
    width="${width.toFixed(2)}%"
    y="${top.toFixed(1)}%"
    height="${height.toFixed(1)}%"
  />`;
}

function axis(endMs: number): Markup {
  return html`<p class="axis"><span>0</span><span>${formatDuration(endMs)}</span></p> `;
}
