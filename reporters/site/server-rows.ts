import { verdictOf } from '../conclusion.ts';
import { html, type Markup, nothing } from '../page/markup.ts';
import { looks, signAs } from '../page/states.ts';
import { profileLine, tallyBar } from '../page/summary.ts';
import { countOf, formatCount } from '../quantities.ts';
import { brokenIds } from '../broken-ids.ts';
import { countedIn } from '../run-so-far.ts';
import type { SiteClause } from './clauses.ts';
import { historyStrip } from './history-strip.ts';
import { badgeFile, clauseFile, serverAnchor } from './places.ts';
import { changesOf, type RunOfServer, type Server, startInWords, stateIn, tallyOfStates } from './servers.ts';

/** Of more changed clauses only so many are named. */
const mostNamed = 5;

/** The servers with their counts, one below the other. */
export function serverRows(servers: readonly Server[], clauses: readonly SiteClause[]): Markup {
  return html`<section aria-label="servers">
    <ul class="servers">
      ${servers.map((server) => serverRow(server, clauses))}
    </ul>
  </section> `;
}

function serverRow(server: Server, clauses: readonly SiteClause[]): Markup {
  const { name, runs, newest } = server;
  const { look, title } = verdictOf(newest.run);
  const tally = tallyOfStates(clauses.map(({ id }) => stateIn(newest, id)));
  return html`<li id="${serverAnchor(server)}" class="${look}">
    <div class="who">
      <h2>${name}</h2>
      <p class="faint">
        ${newest.run.header?.baseUrl} <a href="${badgeFile(server)}" aria-label="badge of ${name}">badge</a>
      </p>
    </div>
    <div class="how">
      <p>
        <span class="chip ${look}"><span aria-hidden="true">${looks[look].sign}</span> ${title}</span>
        <span class="faint">${startInWords(newest.run)}</span>
      </p>
      ${profileLine(newest.run)}${runs.length > 1 ? historyStrip(server, runSign) : nothing}
    </div>
    <div class="much">${tallyBar(tally)}</div>
    ${changesIn(server, clauses)}
  </li> `;
}

function runSign({ run }: RunOfServer): Markup {
  const { look, title } = verdictOf(run);
  const broken = brokenIds(countedIn(run), 'failed').length;
  const words = broken === 0 ? title : `${title}, ${countOf(broken, 'clause')} broken`;
  return signAs(look, looks[look].sign, `${startInWords(run)}: ${words}`);
}

/** What changed since the run before. */
function changesIn(server: Server, clauses: readonly SiteClause[]): Markup {
  const { broke, fixed } = changesOf(server);
  if (broke.length + fixed.length === 0) return nothing;
  return html`<p class="changes">
    since the run before:
    ${changed('broke', broke, clauses)}${broke.length * fixed.length > 0 ? '; ' : ''}${changed(
      'fixed',
      fixed,
      clauses,
    )}
  </p>`;
}

function changed(how: string, ids: readonly string[], clauses: readonly SiteClause[]): Markup {
  if (ids.length === 0) return nothing;
  const links = clauses
    .filter(({ id }) => ids.includes(id))
    .slice(0, mostNamed)
    .map((clause) => html` <a href="${clauseFile(clause)}"><code>${clause.id}</code></a>`);
  const left = ids.length - links.length;
  return html`${formatCount(ids.length)} ${how}${links}${left > 0 ? `, and ${formatCount(left)} more` : ''}`;
}
