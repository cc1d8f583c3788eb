import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../spec/index.ts';
import type { AgainCommands } from '../again.ts';
import { verdictOf } from '../conclusion.ts';
import { countOf, formatCount } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { campaignSection } from './campaign.ts';
import { clauseLists, matrix } from './clause-sections.ts';
import { clausesByArea } from './clauses.ts';
import { findingGroups, FindingRoom, findingSection } from './findings.ts';
import { decidingSections, inapplicableSection, inconclusiveSection } from './inconclusive.ts';
import { anchor, endOf, fragment, html, nothing, ownText, startOf } from './markup.ts';
import type { Markup, PageContext } from './markup.ts';
import { observationSection } from './observations.ts';
import { looks, states } from './states.ts';
import { summary } from './summary.ts';
import { trafficSection } from './traffic.ts';

/** One page on runs, in pieces. It needs nothing but itself, and without its script it only lacks search, filter and copying. */
export function* pageOn(
  runs: readonly RunSoFar[],
  { rerunCommand, replayCommand }: AgainCommands,
): Iterable<string> {
  const { policy, style, script } = assets();
  const [first] = runs;
  const title = first === undefined ? 'no run' : titleOf(first);
  yield '<!doctype html>\n<html lang="en">\n';
  yield html`<head>
    <meta charset="utf-8" />
    ${policy}
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${runs.length > 1 ? countOf(runs.length, 'run') : title}</title>
    <link rel="icon" href="data:," />
    ${style}
  </head> `.text;
  yield '<body>\n';
  yield html`<a class="skip" href="#results">to the results</a>
    ${runs.length > 1 ? html`${overview(runs)}${toolbar()}` : nothing}`.text;
  yield startOf(html`<main id="results"></main>`).text;
  const room = new FindingRoom();
  for (const [index, run] of runs.entries()) {
    const context = { run, prefix: prefixOf(index), rerunCommand, replayCommand };
    yield* article(context, room, runs.length === 1);
  }
  yield endOf('main').text;
  yield `${script.text}</body></html>\n`;
}

function titleOf(run: RunSoFar): string {
  return `${verdictOf(run).title}: ${run.header?.baseUrl ?? 'a run without a header'}`;
}

function prefixOf(index: number): string {
  return index === 0 ? '' : `run-${index + 1}:`;
}

function* article(about: Omit<PageContext, 'shown'>, room: FindingRoom, isAlone: boolean): Iterable<string> {
  const { run, prefix } = about;
  const areas = clausesByArea(run);
  const shown = new Set(areas.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const context: PageContext = { ...about, shown };
  const groups = findingGroups(context);
  const sections = [
    decidingSections(context),
    ...(areas.length === 0 ? [] : [matrix(areas, context)]),
    inapplicableSection(context),
    inconclusiveSection(context),
    campaignSection(context),
    observationSection(context),
    trafficSection(context),
  ];
  yield startOf(
    html`<article id="${anchor('run', context)}">
      ${summary(run)}
      <nav aria-label="sections${prefix === '' ? '' : ` of run ${prefix.slice(4, -1)}`}">
        <ul>
          ${groups.map(({ id, title, findings }) => html`<li><a href="#${fragment(id, context)}">${title} ${formatCount(findings.length)}</a></li>`)}${links(sections, context)}${areas.length === 0 ? nothing : html`<li><a href="#${fragment('clauses', context)}">Every clause</a></li>`}
        </ul>
      </nav>
    </article>`,
  ).text;
  // What came out is read first; then come the ways to look for more.
  if (isAlone) yield toolbar().text;
  for (const group of groups) for (const piece of findingSection(group, context, room)) yield piece.text;
  for (const { text } of sections) yield text;
  if (areas.length > 0) for (const { text } of clauseLists(areas, context)) yield text;
  yield endOf('article').text;
}

const titles: Readonly<Record<string, string>> = {
  baseline: 'Baseline',
  required: 'Required',
  trouble: 'Trouble',
  matrix: 'Clauses by area',
  inapplicable: 'Does not apply',
  inconclusive: 'Inconclusive',
  campaign: 'Campaign',
  observations: 'Observations',
  traffic: 'Latency and boundaries',
};

/** Links to the sections that are there. */
function links(sections: readonly Markup[], context: PageContext): readonly Markup[] {
  const all = sections.map(({ text }) => text).join('');
  return Object.entries(titles).flatMap(([id, title]) =>
    all.includes(`<section id="${anchor(id, context)}"`)
      ? [html`<li><a href="#${fragment(id, context)}">${title}</a></li>`]
      : [],
  );
}

function overview(runs: readonly RunSoFar[]): Markup {
  const rows = runs.map(
    (run, index) =>
      html`<li><a href="#${fragment('run', { prefix: prefixOf(index) })}">${titleOf(run)}</a></li>`,
  );
  return html`<nav aria-label="runs" class="runs">
    <ul>
      ${rows}
    </ul>
  </nav> `;
}

/** The script shows it: without it there is nothing to search with. */
function toolbar(): Markup {
  const boxes = states.map(
    (state) =>
      html`<label class="box ${state}"
        ><input type="checkbox" name="state" value="${state}" />
        <span aria-hidden="true">${looks[state].sign}</span> ${looks[state].name} <span class="count"></span
      ></label>`,
  );
  const levels = ['must', 'inferred', 'silent'].map(
    (level) => html`<option value="${level}">${level}</option>`,
  );
  return html`<div id="toolbar" role="search" hidden>
    <label class="find"
      ><span>Search</span>
      <input
        id="text"
        type="search"
        autocomplete="off"
        spellcheck="false"
        placeholder="clause, check, text  ( / )"
    /></label>
    <fieldset>
      <legend>Verdict</legend>
      ${boxes}
    </fieldset>
    <label class="pick"
      ><span>Level</span>
      <select id="level">
        <option value="">every level</option>
        ${levels}
      </select></label
    >
    <button type="button" id="clear">clear</button> <output id="matches" for="text level"></output>
  </div> `;
}

/** The style and the script of the page, with a policy by which a browser runs and loads nothing else. */
function assets(): { readonly policy: Markup; readonly style: Markup; readonly script: Markup } {
  const [style, script] = [ownFile('page.css'), ownFile('page.js')];
  const policy = [
    "default-src 'none'",
    `style-src ${hashOfAsset(style)}`,
    `script-src ${hashOfAsset(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return {
    // A policy is ours: what it quotes need not be escaped twice.
    policy: html`<meta http-equiv="Content-Security-Policy" content="${ownText(policy)}" />`,
    // Not one character may be added: the hash is of all that is between the tags.
    style: ownText(`<style>${style}</style>\n`),
    script: ownText(`<script>${script}</script>\n`),
  };
}

/** As a browser has it: line ends of a checkout are its own. */
function ownFile(name: string): string {
  return readFileSync(packageFile(`reporters/page/browser/${name}`), 'utf8').replaceAll('\r\n', '\n');
}

function hashOfAsset(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
