import type { Timeline, TimelineOperation } from '../../harness/results/generated/events.ts';
import { countOf, formatDuration } from '../quantities.ts';
import { type ColumnHead, html, type Markup, nothing, tableParts } from './markup.ts';

/** A stream may have any number. */
const mostOperations = 400;
const mostClients = 60;
/** What shows a finding is drawn larger where it takes less of the whole than this. */
const largestZoomed = 0.5;
/** Around what shows a finding, as a share of it, and at least in ms. */
const marginShare = 0.2;
const leastMarginMs = 1;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * What clients did around a finding: a row for each, restarts as bands, what shows the finding with its letter and in words.
 * The picture is of the time in which that was; the whole and all operations as a table are folded below it.
 */
export function timeline({ operations }: Timeline): Markup {
  const shown = operations.slice(0, mostOperations);
  if (shown.length === 0) return nothing;
  const whole = { fromMs: 0, toMs: Math.max(...shown.map((each) => each.endMs), 0.001) };
  const near = spanOfLettered(shown, whole);
  const letters = shown
    .filter(({ letter }) => letter !== undefined)
    .toSorted((one, other) => ((one.letter ?? '') < (other.letter ?? '') ? -1 : 1))
    .map(({ letter, client, text }) => html`<li><b>${letter}</b> ${client}: ${text}</li> `);
  return html`<figure class="timeline">
    <figcaption>
      What clients did around it, ${inWords(near ?? whole, whole)}; with a border and a letter: what shows it
    </figcaption>
    ${picture(shown, near ?? whole)}
    <ul class="links">
      ${letters}
    </ul>
    ${near === undefined ? nothing : folded(`the whole ${formatDuration(whole.toMs)}`, picture(shown, whole))}${folded(
      `${countOf(shown.length, 'operation')} as a table${shown.length < operations.length ? ` (the first of ${operations.length})` : ''}`,
      tableOf(shown),
    )}
  </figure> `;
}

/** When what shows a finding was, with a margin; nothing where that is most of the whole anyway. */
function spanOfLettered(shown: readonly TimelineOperation[], { toMs }: Span): Span | undefined {
  const lettered = shown.filter(({ letter }) => letter !== undefined);
  if (lettered.length === 0) return undefined;
  const [first, last] = [
    Math.min(...lettered.map((each) => each.startMs)),
    Math.max(...lettered.map((each) => each.endMs)),
  ];
  const margin = Math.max((last - first) * marginShare, leastMarginMs);
  const span = { fromMs: Math.max(0, first - margin), toMs: Math.min(toMs, last + margin) };
  return span.toMs - span.fromMs < largestZoomed * toMs ? span : undefined;
}

function inWords({ fromMs, toMs }: Span, whole: Span): string {
  const long = formatDuration(toMs - fromMs);
  return toMs - fromMs === whole.toMs
    ? `${long} in all`
    : `${long} of ${formatDuration(whole.toMs)}, from ${formatDuration(fromMs)}`;
}

function folded(title: string, content: Markup): Markup {
  return html`<details class="folded">
    <summary>${title}</summary>
    ${content}
  </details> `;
}

/** A row for each client that did something in that time. */
function picture(shown: readonly TimelineOperation[], span: Span): Markup {
  const drawn = shown.filter(({ startMs, endMs }) => endMs >= span.fromMs && startMs <= span.toMs);
  const bands = drawn
    .filter(({ outcome }) => outcome === 'change')
    .map((each) => timelineBar(each, span, 'band'));
  const rows = clientsOf(drawn).map((client) => {
    const own = drawn.filter((each) => each.outcome !== 'change' && each.client === client);
    return html`<tr>
      <th scope="row">${client}</th>
      <td>
        <svg aria-hidden="true">${bands}${own.map((each) => timelineBar(each, span, each.outcome))}</svg>
      </td>
    </tr> `;
  });
  return html`<table class="drawn">
    <tbody>
      ${rows}
    </tbody>
  </table> `;
}

/** In the order of their numbers. */
function clientsOf(operations: readonly TimelineOperation[]): readonly string[] {
  const names = operations.flatMap(({ client, outcome }) => (outcome === 'change' ? [] : [client]));
  return [...new Set(names)]
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .slice(0, mostClients);
}

function timelineBar(
  { startMs, endMs, text, letter }: TimelineOperation,
  { fromMs, toMs }: Span,
  look: string,
): Markup {
  const share = (ms: number): number =>
    ((Math.min(Math.max(ms, fromMs), toMs) - fromMs) / (toMs - fromMs)) * 100;
  const x = share(startMs);
  const width = Math.max(share(endMs) - x, 0.4);
  const place = look === 'band' ? { y: 0, height: '100%' } : { y: 9, height: 14 };
  const box = html`<rect
    class="${look}${letter === undefined ? '' : ' shown'}"
    x="${x.toFixed(2)}%"
    width="${width.toFixed(2)}%"
    y="${place.y}"
    height="${place.height}"
  >
    <title>${text}</title>
  </rect>`;
  return letter === undefined ? box : html`${box}<text x="${x.toFixed(2)}%" y="8">${letter}</text>`;
}

/** Every operation, by the time of its start. */
function tableOf(shown: readonly TimelineOperation[]): Markup {
  const rows = shown
    .toSorted((one, other) => one.startMs - other.startMs)
    .map(
      ({ letter, client, startMs, endMs, outcome, text }) =>
        html`<tr${letter === undefined ? nothing : html` class="shown"`}>
          <td>${letter ?? ''}</td>
          <th scope="row">${client}</th>
          <td class="number">${formatDuration(startMs)}</td>
          <td class="number">${formatDuration(endMs - startMs)}</td>
          <td>${outcome}</td>
          <td>${text}</td>
        </tr> `,
    );
  const heads: readonly ColumnHead[] = [
    '',
    'client',
    ['start', 'number'],
    ['took', 'number'],
    'outcome',
    'what',
  ];
  return html`<div class="wide">
    <table class="operations">
      ${tableParts(heads, rows)}
    </table>
  </div> `;
}
