import type { AgainCommands } from '../story/again.ts';
import { verdictOf } from '../conclusion.ts';
import { countOf, formatCount } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { campaignSection } from './campaign.ts';
import { clauseLists, matrix } from './clause-sections.ts';
import { clausesByArea } from './clauses.ts';
import { findingGroups, FindingRoom, findingSection } from './findings.ts';
import { headOf, pageScript, pageStyle, scriptElement, toolbar } from './frame.ts';
import { decidingSections, inapplicableSection, inconclusiveSection } from './inconclusive.ts';
import { anchor, endOf, fragment, html, type Markup, nothing, type PageContext, startOf } from './markup.ts';
import { observationSection } from './observations.ts';
import { summary } from './summary.ts';
import { trafficSection } from './traffic.ts';

/** One page on runs, in pieces. It needs nothing but itself, and without its script it only lacks search, filter and copying. */
export function* pageOn(
  runs: readonly RunSoFar[],
  { rerunCommand, replayCommand }: AgainCommands,
): Iterable<string> {
  const script = pageScript();
  const [first] = runs;
  const alone = first === undefined ? 'no run' : titleOf(first);
  const title = runs.length > 1 ? countOf(runs.length, 'run') : alone;
  yield '<!doctype html>\n<html lang="en">\n';
  yield headOf({ title, style: { text: pageStyle() }, script }).text;
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
  yield `${scriptElement(script).text}</body></html>\n`;
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
