import type { Timeline, TimelineOperation } from '../../harness/results/generated/events.ts';
import { formatDuration } from '../quantities.ts';
import { html, type Markup, nothing } from './markup.ts';

/** A stream may have any number. */
const mostOperations = 400;
const mostClients = 60;

/** What clients did around a finding: a row for each, restarts as bands, what shows the finding with its letter and in words. */
export function timeline({ operations }: Timeline): Markup {
  const shown = operations.slice(0, mostOperations);
  if (shown.length === 0) return nothing;
  const endMs = Math.max(...shown.map((each) => each.endMs), 0.001);
  const changes = shown.filter(({ outcome }) => outcome === 'change');
  const bands = changes.map((each) => timelineBar(each, endMs, 'band'));
  const rows = clientsOf(shown).map((client) => {
    const own = shown.filter((each) => each.outcome !== 'change' && each.client === client);
    return html`<tr>
      <th scope="row">${client}</th>
      <td>
        <svg aria-hidden="true">${bands}${own.map((each) => timelineBar(each, endMs, each.outcome))}</svg>
      </td>
    </tr> `;
  });
  const letters = shown
    .filter(({ letter }) => letter !== undefined)
    .toSorted((one, other) => ((one.letter ?? '') < (other.letter ?? '') ? -1 : 1))
    .map(({ letter, client, text }) => html`<li><b>${letter}</b> ${client}: ${text}</li> `);
  return html`<figure class="timeline">
    <figcaption>
      What clients did around it, ${formatDuration(endMs)} in all; with a border and a letter: what shows it
    </figcaption>
    <table>
      <tbody>
        ${rows}
      </tbody>
    </table>
    <ul class="links">
      ${letters}
    </ul>
  </figure> `;
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
  wholeMs: number,
  look: string,
): Markup {
  const x = (startMs / wholeMs) * 100;
  const width = Math.max(((endMs - startMs) / wholeMs) * 100, 0.4);
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
