import type { FooterEvent, TrafficSummary } from '../../harness/results/generated/events.ts';
import { countOf, formatCount, formatDuration } from '../quantities.ts';
import { waitedFor } from '../run/tally-rows.ts';
import { limitText, serverErrorText } from '../run/traffic-rows.ts';
import { plot } from './bars.ts';
import { boundaryBars } from './coverage-plot.ts';
import { anchor, html, type Markup, nothing, type PageContext } from './markup.ts';

/** How the server answered, what took long, and what held the run up. */
export function trafficSection(context: PageContext): Markup {
  const { footer } = context.run;
  if (footer?.traffic === undefined) return nothing;
  const { traffic, hooks = [] } = footer;
  const plots = [latencies(traffic), boundaryBars(context), slowest(traffic), costs(hooks)];
  return html`<section id="${anchor('traffic', context)}">
    <h2>Latency and boundaries</h2>
    ${limits(traffic)}${idle(footer)}
    <div class="plots">${plots}</div>
  </section> `;
}

function latencies({ latencies: all }: TrafficSummary): Markup {
  if (all.length === 0) return nothing;
  const most = Math.max(...all.map(({ p95Ms }) => p95Ms), 0.001);
  return plot(
    `Latency by call: median (strong), and what 95 of 100 answers did not exceed (pale); the whole width is ${formatDuration(most)}`,
    ['call', 'p50, p95'],
    all.map(({ call, requests, p50Ms, p95Ms }) => ({
      name: html`${call} <span class="faint">${formatCount(requests)}</span>`,
      words: `${formatDuration(p50Ms)}, ${formatDuration(p95Ms)}`,
      segments: [
        { share: p50Ms / most, look: 'median' },
        { share: Math.max(0, p95Ms - p50Ms) / most, look: 'tail' },
      ],
    })),
  );
}

function slowest({ slowest: all }: TrafficSummary): Markup {
  if (all.length === 0) return nothing;
  const most = Math.max(...all.map(({ durationMs }) => durationMs), 0.001);
  return plot(
    `Slowest checks: at work (strong), and held up by hooks, limits or what another check made (pale); the whole width is ${formatDuration(most)}`,
    ['check', 'took'],
    all.map(({ check, durationMs, heldMs }) => ({
      name: html`<code>${check}</code>`,
      words:
        heldMs < 1
          ? formatDuration(durationMs)
          : `${formatDuration(durationMs)}, held ${formatDuration(heldMs)}`,
      segments: [
        { share: Math.max(0, durationMs - heldMs) / most, look: 'median' },
        { share: heldMs / most, look: 'tail' },
      ],
    })),
  );
}

function costs(hooks: NonNullable<FooterEvent['hooks']>): Markup {
  if (hooks.length === 0) return nothing;
  const most = Math.max(...hooks.map(({ durationMs }) => durationMs), 0.001);
  return plot(
    `Hooks: time of all calls together; the whole width is ${formatDuration(most)}`,
    ['hook', 'took'],
    hooks.map(({ hook, calls, durationMs }) => ({
      name: html`${hook} <span class="faint">${formatCount(calls)}</span>`,
      words: formatDuration(durationMs),
      segments: [{ share: durationMs / most, look: 'median' }],
    })),
  );
}

function limits({ limits: all, limited, serverErrors, retries, ...more }: TrafficSummary): Markup {
  const trouble = [
    ...(limited === 0
      ? []
      : [countOf(limited, 'answer with an unexpected 429', 'answers with an unexpected 429')]),
    ...(serverErrors === 0 ? [] : [serverErrorText(countOf(serverErrors, 'server error'), more)]),
    ...(retries === 0 ? [] : [countOf(retries, 'request sent again', 'requests sent again')]),
  ];
  const lines = [...(trouble.length === 0 ? [] : [trouble.join(', ')]), ...all.map(limitText)];
  return lines.length === 0
    ? nothing
    : html`<ul class="links">
        ${lines.map((line) => html`<li>${line}</li>`)}
      </ul> `;
}

function idle({ idleMs = {}, durationMs }: FooterEvent): Markup {
  const parts = Object.entries(waitedFor).flatMap(([kind, words]) => {
    const ms = idleMs[kind as keyof typeof waitedFor] ?? 0;
    return ms < 1 ? [] : [`${formatDuration(ms)} ${words}`];
  });
  if (parts.length === 0) return nothing;
  return html`<p class="faint">
    Of ${formatDuration(durationMs)}, nothing was on its way for ${parts.join(', ')}.
  </p> `;
}
