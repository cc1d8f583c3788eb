import { countOf, formatCount } from '../quantities.ts';
import type { Area, ClauseRow, SaidByCheck } from './clauses.ts';
import { situations } from './coverage-plot.ts';
import { findingLinks } from './findings.ts';
import { anchor, clauseLink, endOf, fragment, html, nothing, sentence, startOf } from './markup.ts';
import type { Markup, PageContext } from './markup.ts';
import { looks, sign, states } from './states.ts';

/** The clauses by area: a cell for each, which leads to it. */
export function matrix(areas: readonly Area[], context: PageContext): Markup {
  const used = states.filter((state) => areas.some(({ rows }) => rows.some((row) => row.state === state)));
  const legend = used.map((state) => html`<li>${sign(state)} ${looks[state].name}</li>`);
  return html`<section id="${anchor('matrix', context)}" class="matrix">
    <h2>Clauses by area</h2>
    <ul class="legend">
      ${legend}
    </ul>
    <div class="areas">${areas.map((area) => matrixRow(area, context))}</div>
  </section> `;
}

function matrixRow({ name, rows }: Area, context: PageContext): Markup {
  const cells = rows.map(({ id, state, level }) => {
    const { name: word, sign: character } = looks[state];
    return html`<li>
      <a
        class="cell ${state}"
        data-level="${level}"
        href="#${fragment(id, context)}"
        title="${id}: ${word}"
        aria-label="${id}: ${word}"
        >${character}</a
      >
    </li>`;
  });
  return html`<div class="row">
    <h3>
      <a href="#${fragment(areaId(name), context)}">${name}</a>
      <span class="count">${formatCount(rows.length)}</span>
    </h3>
    <ul class="cells">
      ${cells}
    </ul>
  </div> `;
}

/** Every clause with what was said of it. */
export function* clauseLists(areas: readonly Area[], context: PageContext): Iterable<Markup> {
  yield startOf(html`<section id="${anchor('clauses', context)}"><h2>Every clause</h2></section>`);
  for (const { name, rows } of areas) {
    const counts = states
      .map((state) => ({ state, count: rows.filter((row) => row.state === state).length }))
      .filter(({ count }) => count > 0)
      .map(
        ({ state, count }) =>
          html` <span class="some ${state}">${formatCount(count)} ${looks[state].name}</span>`,
      );
    yield startOf(
      html`<details class="area" id="${anchor(areaId(name), context)}">
        <summary>
          <h3>${name}</h3>
          ${counts}
        </summary>
      </details>`,
    );
    for (const row of rows) yield clause(row, context);
    yield endOf('details');
  }
  yield endOf('section');
}

function areaId(name: string): string {
  return `area-${name}`;
}

function clause(row: ClauseRow, context: PageContext): Markup {
  const { id, level, state, text, place, findings, said, observations, situations: seen } = row;
  return html`<details
    class="clause item"
    id="${anchor(id, context)}"
    data-state="${state}"
    data-level="${level}"
  >
    <summary>
      ${sign(state)} <code>${id}</code> <span class="level ${level}">${level}</span>
      <span class="sentence">${sentence(text)}</span>
    </summary>
    <div class="body">
      <p class="faint">contract: ${place}</p>
      ${whyNotDecided(row, context)}${findings.length === 0 ? nothing : findingLinks(findings, context)}${
        said.length === 0
          ? nothing
          : html`<ul class="said">
              ${said.map(saidBy)}
            </ul>`
      }${seen === undefined ? nothing : situations(seen)}${
        observations.length === 0
          ? nothing
          : html`<ul class="said">
              ${observations.map(({ name, value }) => html`<li>observed <code>${name}</code>: ${value}</li>`)}
            </ul>`
      }
    </div>
  </details> `;
}

function whyNotDecided(
  { restates, untestable, said, findings, state }: ClauseRow,
  context: PageContext,
): Markup {
  const shared =
    restates === undefined
      ? nothing
      : html`<p>says the same as ${clauseLink(restates, context)}, whose verdict it shares</p> `;
  if (untestable !== undefined)
    return html`${shared}
      <p>not testable by a client: ${untestable}</p> `;
  if (state === 'silent' || said.length > 0 || findings.length > 0) return shared;
  return html`${shared}
    <p>no check of this run that has ended is about it</p> `;
}

function saidBy({ check, verdict, column }: SaidByCheck): Markup {
  const { attempts } = check;
  const times = attempts > 1 ? `, ${formatCount(attempts)} attempts` : '';
  const why = verdict.known ?? verdict.inapplicable ?? verdict.enable ?? verdict.reason;
  const lead = verdict.enable === undefined || verdict.known !== undefined ? '' : 'testable with ';
  return html`<li>
    ${sign(column)} <code>${check.check}</code>
    <span class="faint">${countOf(verdict.judged, 'judgement')}${times}</span
    ><br />${check.title}${why === undefined ? nothing : html`<br /><em>${lead}${why}</em>`}
  </li> `;
}
