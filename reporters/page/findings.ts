import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { BrokenVerdict, FindingEvent } from '../../harness/results/generated/events.ts';
import { clausesInFindings, shownClauses } from '../broken-ids.ts';
import { countedIn } from '../run-so-far.ts';
import { countOf, formatCount } from '../quantities.ts';
import { type Story, storyOf, type ToldClause } from '../story/story.ts';
import { commandMarkup, stepCards } from './exchange.ts';
import { anchor, clauseLink, endOf, fragment, html, nothing, sentence, startOf } from './markup.ts';
import type { Markup, PageContext } from './markup.ts';
import { chip, type State, stateOf } from './states.ts';
import { timeline } from './timeline-plot.ts';

/** Characters of findings on a page: with their exchanges, and without. What is beyond is one line each, and then counted. */
const mostInFull = 700_000;
const mostWithout = 900_000;
const mostLines = 500;
/** After so many findings that no longer fit, no other is laid out to see whether it would. */
const mostMisses = 20;
/** So few findings are all open from the start; of more only the first is. */
const mostOpen = 3;
/** Findings that a list has links to. */
const mostLinked = 8;
/** Of a text in a heading, and of one below it. */
const mostInHeading = 240;
const mostInText = 4_000;

interface Kind {
  readonly title: string;
  readonly id: string;
  readonly states: readonly State[];
  /** Whose clauses the heading counts, as a tally does: those of both where it is left out. */
  readonly verdict?: BrokenVerdict;
}

const findingKinds: readonly Kind[] = [
  { title: 'Failed', id: 'failed', states: ['failed'], verdict: 'failed' },
  { title: 'Warned', id: 'warned', states: ['warned'], verdict: 'warned' },
  { title: 'Known, or not scored', id: 'apart', states: ['known', 'notScored'] },
];

/** Findings of a run by what they mean for it, those that failed first. */
interface FindingGroup extends Kind {
  readonly findings: readonly FindingEvent[];
}

/** The groups in which there is anything. */
export function findingGroups({ run }: Pick<PageContext, 'run'>): readonly FindingGroup[] {
  return findingKinds
    .map((kind) => ({
      ...kind,
      findings: run.findings.filter((each) => kind.states.includes(stateOf(each, run))),
    }))
    .filter(({ findings }) => findings.length > 0);
}

/** What remains of the room for findings, over all runs of a page. */
export class FindingRoom {
  #used = 0;
  #lines = 0;
  readonly #misses = new Map<number, number>();

  /** True when that much still fits, which is then taken. */
  take(length: number, most: number): boolean {
    if (this.#used + length > most) {
      this.#misses.set(most, (this.#misses.get(most) ?? 0) + 1);
      return false;
    }
    this.#used += length;
    return true;
  }

  isOver(most: number): boolean {
    return this.#used >= most || (this.#misses.get(most) ?? 0) >= mostMisses;
  }

  takeLine(): boolean {
    this.#lines += 1;
    return this.#lines <= mostLines;
  }
}

/** The findings of a group, in full as long as there is room. */
export function* findingSection(
  { title, id, findings, verdict }: FindingGroup,
  context: PageContext,
  room: FindingRoom,
): Iterable<Markup> {
  const counted = verdict === undefined ? findings : countedIn(context.run);
  yield startOf(
    html`<section id="${anchor(id, context)}">
      <h2>${title} <span class="count">${clausesInFindings(counted, verdict)}</span></h2>
    </section>`,
  );
  const left = new Map<string, number>();
  for (const [index, finding] of findings.entries()) {
    const isOpen = index === 0 || findings.length <= mostOpen;
    const shown = fitting(finding, { ...context, isOpen }, room);
    if (shown !== undefined) yield shown;
    else for (const { clause } of brokenClauses(finding)) left.set(clause, (left.get(clause) ?? 0) + 1);
  }
  yield leftOut(left, context);
  yield endOf('section');
}

interface CardContext extends PageContext {
  readonly isOpen: boolean;
}

/** As much of a finding as there is room for; `undefined` where there is none. */
function fitting(finding: FindingEvent, context: CardContext, room: FindingRoom): Markup | undefined {
  const isFull = !room.isOver(mostInFull);
  if (!isFull && room.isOver(mostWithout)) return room.takeLine() ? findingLine(finding, context) : undefined;
  const story = storyOf(finding, context.run, context);
  if (isFull) {
    const full = card(story, context, stepCards(story, context.isOpen));
    if (room.take(full.text.length, mostInFull)) return full;
  }
  const note = html`<p class="faint">
    ${countOf(finding.exchanges.length, 'request')} left out: the page has room for no more evidence; the
    result stream has it
  </p> `;
  const lean = card(story, context, finding.exchanges.length === 0 ? nothing : note);
  if (room.take(lean.text.length, mostWithout)) return lean;
  return room.takeLine() ? findingLine(finding, context) : undefined;
}

function card(story: Story, context: CardContext, evidence: Markup): Markup {
  const { finding, why } = story;
  const { id, level, text, clause, source } = finding;
  const state = stateOf(finding, context.run);
  const again = commandMarkup(story.again, `the command that shows ${id} again`);
  return html`<details
    class="finding item ${state}"
    id="${anchor(id, context)}"
    data-state="${state}"
    data-level="${level}"
    ${context.isOpen ? html` open` : nothing}
  >
    <summary>
      ${chip(state)} <code class="name">${clause}</code> <span class="id">${id}</span>
      <span class="got">${cut(finding.actual, mostInHeading)}</span>
    </summary>
    <div class="body">
      <p class="sentence">${sentence(text)} <cite>${source}</cite></p>
      <p class="why"><strong>Why:</strong> ${cut(why, mostInText)}</p>
      ${finding.timeline === undefined ? nothing : timeline(finding.timeline)}${evidence}
      <dl>${storyFields(story, context)}</dl>
      <p class="faint">See it again</p>
      ${again}
    </div>
  </details> `;
}

function findingLine(finding: FindingEvent, context: PageContext): Markup {
  const state = stateOf(finding, context.run);
  const clauses = shownClauses(finding).map(({ clause, level }) => ({ clause, about: level }));
  return html`<p
    class="finding item line"
    id="${anchor(finding.id, context)}"
    data-state="${state}"
    data-level="${finding.level}"
  >
    ${chip(state)} ${clausesOf(clauses, context)} <span class="id">${finding.id}</span>
    <span class="got">${cut(finding.actual, 120)}</span>
  </p> `;
}

function leftOut(left: ReadonlyMap<string, number>, context: PageContext): Markup {
  if (left.size === 0) return nothing;
  const rows = [...left].map(
    ([clause, count]) => html`<li>${clauseLink(clause, context)} ${formatCount(count)}</li> `,
  );
  return html`<p class="faint">
      The page has no room for more; the result stream has all of them. By clause:
    </p>
    <ul class="counts">
      ${rows}
    </ul>`;
}

function storyFields({ facts, clauses }: Story, context: PageContext): readonly Markup[] {
  return [
    storyField(clauses.length === 1 ? 'clause' : 'clauses', clausesOf(clauses, context)),
    ...facts.map(({ name, text, notes }) =>
      storyField(
        name,
        html`${cut(text, mostInText)}${notes.map((note) => html` <span class="faint">${note}</span>`)}`,
      ),
    ),
  ];
}

function storyField(name: string, value: Markup): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div> `;
}

function clausesOf(clauses: readonly ToldClause[], context: PageContext): Markup {
  return html`${clauses.map(({ clause, about }) => html`${clauseLink(clause, context)} (${about}) `)}`;
}

/** The beginning of a long text. */
function cut(text: string, most: number): Markup {
  return text.length <= most
    ? html`${text}`
    : html`${text.slice(0, most)}<span class="faint">
          … ${formatCount(text.length - most)} more characters</span
        >`;
}

/** Links to findings, as far as the page may have them. */
export function findingLinks(findings: readonly FindingEvent[], context: PageContext): Markup {
  const links = findings
    .slice(0, mostLinked)
    .map(
      ({ id, actual }) =>
        html`<li><a href="#${fragment(id, context)}">${id}</a> ${cut(actual, mostInHeading)}</li> `,
    );
  const more = findings.length - mostLinked;
  return html`<ul class="links">
    ${links}${more > 0 ? html`<li class="faint">${formatCount(more)} more</li>` : nothing}
  </ul>`;
}
