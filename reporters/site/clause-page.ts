import { cut } from '../../harness/output/printable.ts';
import type { ClauseRow } from '../page/clauses.ts';
import { headOf } from '../page/frame.ts';
import { html, type Markup, nothing, sentence } from '../page/markup.ts';
import { chip, looks, signAs, type State, states } from '../page/states.ts';
import { tallyBar } from '../page/summary.ts';
import { countOf } from '../quantities.ts';
import type { SiteClause } from './clauses.ts';
import { historyStrip } from './history-strip.ts';
import { clauseFile, serverAnchor, styleFile } from './places.ts';
import { type Server, sinceInWords, startInWords, stateIn, tallyOfStates } from './servers.ts';

/** Characters that a page shows of what a server did at most: the report on its run has all of it. */
const mostShown = 240;

/** The page of a clause: what it says, and how each server stands to it. */
export function clausePage(
  clause: SiteClause,
  servers: readonly Server[],
  clauses: readonly SiteClause[],
): string {
  const { id, level, text, place, safeName } = clause;
  const page = html`<html lang="en">
    ${headOf({ title: id, style: { file: `../${styleFile}` } })}
    <body>
      <nav aria-label="site"><a href="../index.html#${safeName}">← every clause</a></nav>
      <main>
        <h1><code>${id}</code></h1>
        <p class="says">${sentence(text)}</p>
        <p class="about"><span class="level">${level}</span> <span>contract: ${place}</span></p>
        ${asideOf(clause, clauses)}${tallyBox(clause, servers)}
        <h2>${level === 'silent' ? 'What each does' : 'Who keeps it'}</h2>
        ${states.map((state) => groupOf(state, clause, servers))}
      </main>
    </body>
  </html> `;
  return `<!doctype html>\n${page.text}`;
}

function asideOf({ restates, untestable }: SiteClause, clauses: readonly SiteClause[]): Markup {
  const original = clauses.find(({ id }) => id === restates);
  const shared =
    original === undefined
      ? nothing
      : html`<p>
          says the same as <a href="../${clauseFile(original)}"><code>${original.id}</code></a
          >, whose verdict it shares
        </p> `;
  return untestable === undefined
    ? shared
    : html`${shared}
        <p>not testable by a client: ${untestable}</p> `;
}

function tallyBox({ id }: SiteClause, servers: readonly Server[]): Markup {
  const tally = tallyOfStates(servers.map(({ newest }) => stateIn(newest, id)));
  const total = Object.values(tally).reduce((sum, count) => sum + count, 0);
  if (total === 0) return nothing;
  return html`<div class="tally">
    <h2>${tally.passed} of ${countOf(servers.length, 'server')} shown to keep it</h2>
    ${tallyBar(tally)}
  </div> `;
}

/** The servers that stand alike to a clause. */
function groupOf(state: State, clause: SiteClause, servers: readonly Server[]): Markup {
  const own = servers.filter(({ newest }) => stateIn(newest, clause.id) === state);
  if (own.length === 0) return nothing;
  return html`<section class="stand">
    <h3>${chip(state)} <span class="count">${own.length}</span></h3>
    <ul>
      ${own.map((server) => standing(server, clause.id))}
    </ul>
  </section> `;
}

function standing(server: Server, clause: string): Markup {
  const { name, runs, newest } = server;
  const told = newest.rows.get(clause);
  const hasChanged = runs.some((each) => stateIn(each, clause) !== stateIn(newest, clause));
  const strip = historyStrip(server, (each) => {
    const state = stateIn(each, clause);
    return signAs(state, looks[state].sign, `${startInWords(each.run)}: ${looks[state].name}`);
  });
  return html`<li>
    <a href="../index.html#${serverAnchor(server)}">${name}</a>
    <small>${sinceInWords(server, clause)}</small>${hasChanged ? strip : nothing}${
      told === undefined ? nothing : reasonOf(told)
    }
  </li> `;
}

/** What a server did, or why nobody knows. */
function reasonOf({ findings, said, observations }: ClauseRow): Markup {
  const [finding] = findings;
  if (finding !== undefined)
    return html`<p class="got">
      expected ${cut(finding.expected, mostShown)}<br />got <strong>${cut(finding.actual, mostShown)}</strong>
    </p>`;
  const why = said.flatMap(({ verdict }) => verdict.inapplicable ?? verdict.reason ?? [])[0];
  const values = [...new Set(observations.map(({ value }) => value))].join(' or ');
  if (why !== undefined) return html`<p class="faint">${cut(why, mostShown)}</p>`;
  return values === '' ? nothing : html` <small>observed: ${cut(values, mostShown)}</small>`;
}
