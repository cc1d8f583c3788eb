import type { BoundReached, ClauseSituations } from '../../harness/results/generated/events.ts';
import { countOf, formatCount } from '../quantities.ts';
import { bar } from './bars.ts';
import { fragment, html, type Markup, nothing, type PageContext, tableParts } from './markup.ts';
import { grouped } from '../../spec/groups.ts';

/** A stream may have any number. */
const mostInputs = 100;
const mostBounds = 20;

/** In how many of the situations that a clause declares a run put it to the test. */
export function situations({ along, declared, seen, missing }: ClauseSituations): Markup {
  const more = declared - seen - missing.length;
  const never = [...missing, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join('; ');
  return html`<div class="situations">
    <p>${formatCount(seen)} of ${countOf(declared, 'situation')} arose</p>
    ${bar([{ share: seen / Math.max(declared, 1), look: 'median' }])}
    <p class="faint">along ${along.join(', ')}${never === '' ? nothing : html`<br />never: ${never}`}</p>
  </div> `;
}

/** Every bound of the contract that a run knows of, by input, and whether it was reached. */
export function boundaryBars(context: PageContext): Markup {
  const bounds = context.run.footer?.coverage?.bounds ?? [];
  if (bounds.length === 0) return nothing;
  const inputs = grouped(bounds, (bound) => bound.of);
  const reached = bounds.filter(({ times }) => times > 0).length;
  const rows = [...inputs].slice(0, mostInputs).map(
    ([of, all]) =>
      html`<tr>
        <th scope="row">${of}</th>
        <td>
          <ul class="bounds">
            ${all.slice(0, mostBounds).map((each) => bound(each, context))}
          </ul>
        </td>
      </tr> `,
  );
  const caption = `Boundary coverage: ${formatCount(reached)} of ${countOf(bounds.length, 'bound')} reached. Requests with the last value that is allowed and the first one that is not (in brackets), answers with the longest and the shortest; dashed: never`;
  return html`<table class="plot">
    ${tableParts(['input', 'value, and how often'], rows, caption)}
  </table> `;
}

function bound({ at, side, clause, times }: BoundReached, context: PageContext): Markup {
  const value = side === 'forbidden' ? `(${at})` : at;
  const words = html`<b>${value}</b> ${times === 0 ? 'never' : `×${formatCount(times)}`}`;
  const shown = context.shown.has(clause)
    ? html`<a href="#${fragment(clause, context)}" title="${clause}">${words}</a>`
    : words;
  return html`<li class="${times === 0 ? 'missed' : 'reached'}">${shown}</li> `;
}
