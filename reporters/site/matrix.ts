import { columnNames, columns } from '../../harness/results/column.ts';
import { html, type Markup, nothing, sentence, tableParts } from '../page/markup.ts';
import { looks, sign, signAs, type State, states } from '../page/states.ts';
import { formatCount } from '../quantities.ts';
import { byArea, type SiteClause } from './clauses.ts';
import { clauseFile, serverAnchor } from './places.ts';
import { type Server, stateIn, tallyOfStates } from './servers.ts';

/** Of more broken clauses of an area only so many are named. */
const mostNamed = 3;

/** Servers beside each other, areas below each other, and in each area its clauses. */
export function matrix(servers: readonly Server[], clauses: readonly SiteClause[]): Markup {
  const used = states.filter((state) =>
    servers.some(({ newest }) => clauses.some(({ id }) => stateIn(newest, id) === state)),
  );
  return html`<section class="clauses">
    <h2>Clauses by area</h2>
    <ul class="legend">
      ${used.map((state) => html`<li>${sign(state)} ${looks[state].name}</li>`)}
      <li class="faint">a number: so many clauses of the area</li>
    </ul>
    <div class="heads across">
      <span></span>
      ${servers.map((server) => html`<a href="#${serverAnchor(server)}" title="${server.name}">${server.name}</a>`)}
    </div>
    ${byArea(clauses).map(({ area, clauses: own }) => areaOf(area, own, servers))}
  </section> `;
}

function areaOf(area: string, clauses: readonly SiteClause[], servers: readonly Server[]): Markup {
  const rows = clauses.map((clause) => clauseLine(clause, servers));
  return html`<details class="area">
    <summary class="across">
      <span
        ><h3>${area}</h3>
        <span class="count">${formatCount(clauses.length)}</span>${brokenIn(clauses, servers)}</span
      >
      ${servers.map((server) => areaCell(server, clauses))}
    </summary>
    <table>
      ${tableParts(['clause', ...servers.map(({ name }) => name)], rows)}
    </table>
  </details> `;
}

/** Which clauses of an area any server breaks. */
function brokenIn(clauses: readonly SiteClause[], servers: readonly Server[]): Markup {
  const broken = clauses.filter(({ id }) => servers.some(({ newest }) => stateIn(newest, id) === 'failed'));
  if (broken.length === 0) return nothing;
  const names = broken.slice(0, mostNamed).map(({ id }) => id);
  const left = broken.length - names.length;
  return html` <span class="some failed"
    >${names.join(', ')}${left > 0 ? `, and ${formatCount(left)} more` : ''}</span
  >`;
}

/** How a server stands to an area: how many clauses it breaks, or whether most of them were shown. */
function areaCell({ name, newest }: Server, clauses: readonly SiteClause[]): Markup {
  const all = clauses.map(({ id }) => stateIn(newest, id));
  const tally = tallyOfStates(all);
  const words = columns
    .filter((column) => (tally[column] ?? 0) > 0)
    .map((column) => `${formatCount(tally[column] ?? 0)} ${columnNames[column]}`);
  const broken = (['failed', 'warned', 'known'] as const).find((column) => (tally[column] ?? 0) > 0);
  const label = `${name}: ${words.length === 0 ? 'nothing to decide' : words.join(', ')}`;
  if (broken !== undefined) return signAs(broken, formatCount(tally[broken] ?? 0), label);
  const state = mostOf(all);
  return signAs(state, looks[state].sign, label);
}

/** The state of most clauses. */
function mostOf(all: readonly State[]): State {
  const count = (state: State): number => all.filter((each) => each === state).length;
  const decided = all.filter((state) => state !== 'silent' && state !== 'untestable');
  const among = decided.length === 0 ? all : decided;
  return among.toSorted((one, other) => count(other) - count(one))[0] ?? 'inconclusive';
}

function clauseLine(clause: SiteClause, servers: readonly Server[]): Markup {
  const { id, safeName, level, text } = clause;
  const own = servers.map(({ newest }) => stateIn(newest, id));
  return html`<tr
    class="item across"
    id="${safeName}"
    data-state="${[...new Set(own)].join(' ')}"
    data-level="${level}"
  >
    <th scope="row">
      <a href="${clauseFile(clause)}"><code>${id}</code></a> <span class="level">${level}</span>
      <span class="faint">${sentence(text)}</span>
    </th>
    ${own.map((state) => html`<td>${sign(state)}</td>`)}
  </tr> `;
}
