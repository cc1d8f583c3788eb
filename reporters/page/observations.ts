import { formatCount } from '../quantities.ts';
import { anchor, clauseLink, html, type Markup, nothing, type PageContext, tableParts } from './markup.ts';

/** A stream may have any number. */
const mostObservationsShown = 1_000;

/** What the server does where the contract is silent, and what of it changed against the snapshot. */
export function observationSection(context: PageContext): Markup {
  const { observations, footer } = context.run;
  if (observations.length === 0 && footer?.snapshot === undefined) return nothing;
  const rows = observations.slice(0, mostObservationsShown).map(
    ({ name, value, clause }) =>
      html`<tr class="item" data-state="silent" data-level="silent">
        <th scope="row">${name}</th>
        <td>${value}</td>
        <td class="of">${clauseLink(clause, context)}</td>
      </tr> `,
  );
  const left = observations.length - mostObservationsShown;
  const more = left > 0 ? html`<p class="faint">${formatCount(left)} more in the result stream</p>` : nothing;
  const all =
    rows.length === 0
      ? nothing
      : html`<details class="list">
          <summary>all ${formatCount(observations.length)}</summary>
          <table class="values">
            ${tableParts(['observed', 'value', ['clause', 'of']], rows)}
          </table>
          ${more}
        </details> `;
  return html`<section id="${anchor('observations', context)}">
    <h2>Observations <span class="count">${formatCount(observations.length)}</span></h2>
    <p class="faint">What the server does where the contract is silent. None of it is a verdict.</p>
    ${changes(context)}${all}
  </section> `;
}

function changes({ run: { footer } }: PageContext): Markup {
  const snapshot = footer?.snapshot;
  if (snapshot === undefined) return nothing;
  const { changes: all, file, kept } = snapshot;
  if (all.length === 0)
    return html`<p>${formatCount(kept)} as in <code>${file}</code>: nothing changed.</p> `;
  const rows = all.map(
    ({ check, name, was, is }) =>
      html`<tr>
        <th scope="row">${name}<br /><span class="faint">${check}</span></th>
        <td>${was ?? 'not observed'}</td>
        <td><strong>${is ?? 'not observed'}</strong></td>
      </tr> `,
  );
  return html`<h3>
      Changed since <code>${file}</code> <span class="count">${formatCount(all.length)}</span>
    </h3>
    <table class="values">
      ${tableParts(['observed', 'was', 'is'], rows)}
    </table> `;
}
