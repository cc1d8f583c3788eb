import { whatNow } from '../conclusion.ts';
import {
  type InapplicableGroup,
  inapplicableGroups,
  type InconclusiveGroup,
  inconclusiveGroups,
  untriedClauses,
} from '../inconclusive.ts';
import { gateInWords } from '../latency-gates.ts';
import { countOf, formatCount } from '../quantities.ts';
import { anchor, clauseLink, html, type Markup, nothing, type PageContext, sentence } from './markup.ts';
import type { State } from './states.ts';

/** Groups, clauses and checks that are named; the rest is counted. */
const mostGroups = 100;
const mostClausesNamed = 60;

/** What stayed inconclusive: what would enable it, and why this run could not tell. */
export function inconclusiveSection(context: PageContext): Markup {
  const { run } = context;
  const groups = inconclusiveGroups(run.checks);
  const untried = run.checks.length === 0 ? 0 : untriedClauses(run);
  if (groups.length === 0 && untried === 0) return nothing;
  const note =
    untried === 0 ? nothing : html`<p>${countOf(untried, 'clause')} not touched by any check that ran</p> `;
  return html`<section id="${anchor('inconclusive', context)}">
    <h2>Inconclusive</h2>
    ${groupsTable(
      'Testable with',
      groups.filter(({ kind }) => kind === 'enable'),
      context,
    )}${groupsTable(
      'Inconclusive because',
      groups.filter(({ kind }) => kind === 'reason'),
      context,
    )}${note}
  </section> `;
}

/** What this server does not have, once, with the clauses that then ask nothing of it. */
export function inapplicableSection(context: PageContext): Markup {
  const groups = inapplicableGroups(context.run.checks);
  if (groups.length === 0) return nothing;
  return html`<section id="${anchor('inapplicable', context)}">
    <h2>Does not apply</h2>
    ${groups.map((group) => details(group, 'notApplicable', context))}
  </section> `;
}

function groupsTable(title: string, groups: readonly InconclusiveGroup[], context: PageContext): Markup {
  if (groups.length === 0) return nothing;
  const left = groups.length - mostGroups;
  const more =
    left > 0 ? html`<p class="faint">${formatCount(left)} more reasons in the result stream</p> ` : nothing;
  return html`<h3>${title}</h3>
    ${groups.slice(0, mostGroups).map((group) => details(group, 'inconclusive', context))}${more}`;
}

function details({ text, clauses, checks }: InapplicableGroup, state: State, context: PageContext): Markup {
  const named = clauses
    .slice(0, mostClausesNamed)
    .map((clause) => html`<li>${clauseLink(clause, context)}</li>`);
  const of = checks.slice(0, mostClausesNamed).map((check) => html`<li><code>${check}</code></li>`);
  return html`<details class="group item" data-state="${state}">
    <summary>
      <b>${clauses.length > 0 ? countOf(clauses.length, 'clause') : countOf(checks.length, 'check')}</b>
      <span class="why">${sentence(text)}</span>
    </summary>
    <div class="body">
      ${
        named.length === 0
          ? nothing
          : html`<p>clauses that nothing else decided</p>
              <ul class="names">
                ${named}${rest(clauses)}
              </ul>`
      }
      <p>checks</p>
      <ul class="names">
        ${of}${rest(checks)}
      </ul>
    </div>
  </details> `;
}

function rest(names: readonly string[]): Markup {
  const left = names.length - mostClausesNamed;
  return left > 0 ? html`<li class="faint">${formatCount(left)} more</li>` : nothing;
}

/**
 * What counts beside findings: entries of the baseline that no longer hold, required clauses that stayed inconclusive, calls that are to
 * be fast enough.
 */
export function decidingSections(context: PageContext): Markup {
  const {
    staleBaseline = [],
    requiredInconclusive = [],
    latencyGates = [],
    trouble,
  } = context.run.footer ?? {};
  const stale = staleBaseline.map(
    (entry) =>
      html`<li>
        <code>${entry.clause ?? entry.check ?? ''}</code> ${whatNow(entry)}
        <span class="faint">${entry.place}</span>
      </li> `,
  );
  const required = requiredInconclusive.map(
    ({ clause, reason, enable }) => html`<li>${clauseLink(clause, context)} ${enable ?? reason}</li> `,
  );
  const missed = latencyGates.filter(({ verdict }) => verdict !== 'passed');
  const latencies = missed.map((gate) => html`<li><code>${gate.call}</code> ${gateInWords(gate)}</li> `);
  return html`${listSection('baseline', 'Baseline out of date', stale, context)}${listSection('required', 'Required, and inconclusive', required, context)}${listSection('latency', 'Too slow, or not measured', latencies, context)}${
    trouble?.text === undefined
      ? nothing
      : html`<section id="${anchor('trouble', context)}">
          <h2>Trouble</h2>
          <p>${trouble.text}</p>
        </section> `
  }`;
}

function listSection(id: string, title: string, items: readonly Markup[], context: PageContext): Markup {
  if (items.length === 0) return nothing;
  return html`<section id="${anchor(id, context)}">
    <h2>${title} <span class="count">${formatCount(items.length)}</span></h2>
    <ul class="links">
      ${items}
    </ul>
  </section> `;
}
