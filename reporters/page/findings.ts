import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { CheckEvent, FindingEvent } from '../../harness/results/generated/events.ts';
import { againCommand } from '../again.ts';
import { clausesInFindings, shownClauses } from '../broken-ids.ts';
import { countOf, formatCount, seenInWords } from '../quantities.ts';
import { knownReason } from '../run-so-far.ts';
import { commandMarkup, exchanges } from './exchange.ts';
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
/** Findings that are open from the start. */
const mostOpen = 2;
/** Of a text in a heading, and of one below it. */
const mostInHeading = 240;
const mostInText = 4_000;

interface Kind {
  readonly title: string;
  readonly id: string;
  readonly states: readonly State[];
}

const findingKinds: readonly Kind[] = [
  { title: 'Failed', id: 'failed', states: ['failed'] },
  { title: 'Warned', id: 'warned', states: ['warned'] },
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
  { title, id, findings }: FindingGroup,
  context: PageContext,
  room: FindingRoom,
): Iterable<Markup> {
  yield startOf(
    html`<section id="${anchor(id, context)}">
      <h2>${title} <span class="count">${clausesInFindings(findings)}</span></h2>
    </section>`,
  );
  const checks = new Map(context.run.checks.map((check) => [check.check, check]));
  const left = new Map<string, number>();
  for (const [index, finding] of findings.entries()) {
    const shown = fitting(
      finding,
      { ...context, check: checks.get(finding.check), isOpen: index < mostOpen },
      room,
    );
    if (shown !== undefined) yield shown;
    else for (const { clause } of brokenClauses(finding)) left.set(clause, (left.get(clause) ?? 0) + 1);
  }
  yield leftOut(left, context);
  yield endOf('section');
}

interface CardContext extends PageContext {
  readonly check: CheckEvent | undefined;
  readonly isOpen: boolean;
}

/** As much of a finding as there is room for; `undefined` where there is none. */
function fitting(finding: FindingEvent, context: CardContext, room: FindingRoom): Markup | undefined {
  if (!room.isOver(mostInFull)) {
    const full = card(finding, context, exchanges(finding));
    if (room.take(full.text.length, mostInFull)) return full;
  }
  if (!room.isOver(mostWithout)) {
    const note = html`<p class="faint">
      ${countOf(finding.exchanges.length, 'exchange')} left out: the page has room for no more evidence; the
      result stream has it
    </p> `;
    const lean = card(finding, context, finding.exchanges.length === 0 ? nothing : note);
    if (room.take(lean.text.length, mostWithout)) return lean;
  }
  return room.takeLine() ? findingLine(finding, context) : undefined;
}

function card(finding: FindingEvent, context: CardContext, evidence: Markup): Markup {
  const { id, level, text, clause } = finding;
  const state = stateOf(finding, context.run);
  const again = commandMarkup(
    againCommand(finding, context.run, context),
    `the command that shows ${id} again`,
  );
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
      <p class="sentence">${sentence(text)}</p>
      <dl>${findingFields(finding, context)}</dl>
      ${finding.timeline === undefined ? nothing : timeline(finding.timeline)}${evidence}${again}
    </div>
  </details> `;
}

function findingLine(finding: FindingEvent, context: PageContext): Markup {
  const state = stateOf(finding, context.run);
  return html`<p
    class="finding item line"
    id="${anchor(finding.id, context)}"
    data-state="${state}"
    data-level="${finding.level}"
  >
    ${chip(state)} ${clausesOf(finding, context)} <span class="id">${finding.id}</span>
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

function findingFields(finding: FindingEvent, context: CardContext): readonly Markup[] {
  const { source, expected, actual, check, cause, metIn, places = [], case: shown } = finding;
  const alsoSeenBy = context.run.footer?.alsoSeenBy[finding.id] ?? [];
  const elsewhere = places.slice(1).map(({ call, path }) => (path === '' ? call : `${path} of ${call}`));
  return [
    ...findingField('contract', html`${source}`),
    ...findingField('clause', clausesOf(finding, context)),
    ...findingField('expected', cut(expected, mostInText)),
    ...findingField('got', html`<strong>${cut(actual, mostInText)}</strong>`),
    ...textField('also at', elsewhere.join(', ')),
    ...textField('seen', seen(finding, context)),
    ...(shown === undefined
      ? findingField('check', html`<code>${check}</code> ${context.check?.title ?? ''}`)
      : findingField(
          'case',
          html`${shown.label}
            <span class="faint">(family ${check}, ${shown.phase}; kept in ${shown.file})</span>`,
        )),
    ...textField('written in', context.check?.file ?? ''),
    ...textField(
      'caused by',
      cause === undefined ? '' : `exchange ${cause.exchange}, a request of ${cause.check}`,
    ),
    ...textField('seen in', metIn !== undefined && metIn !== cause?.check ? metIn : ''),
    ...textField('also in', listOfNames(alsoSeenBy)),
    ...textField('known', knownReason(finding, context.run) ?? ''),
  ];
}

function findingField(name: string, value: Markup): Markup[] {
  return [
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div> `,
  ];
}

function textField(name: string, value: string): Markup[] {
  return value === '' ? [] : findingField(name, cut(value, mostInText));
}

/** Every clause that the finding breaks, each with its level. */
function clausesOf(finding: FindingEvent, context: PageContext): Markup {
  const all = shownClauses(finding).map(
    ({ clause, level }) => html`${clauseLink(clause, context)} (${level}) `,
  );
  return html`${all}`;
}

function seen(finding: FindingEvent, { run }: PageContext): string {
  const { times, of } = finding.seen;
  const sightings = run.footer?.campaign?.seen[finding.id]?.sightings;
  if (sightings !== undefined)
    return `${countOf(sightings, 'case')}; again in ${times} of ${of ?? times} tries`;
  return seenInWords(finding);
}

const mostChecksNamed = 8;

function listOfNames(names: readonly string[]): string {
  const more = names.length - mostChecksNamed;
  return more > 0 ? `${names.slice(0, mostChecksNamed).join(', ')} and ${more} more` : names.join(', ');
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
    .slice(0, mostChecksNamed)
    .map(
      ({ id, actual }) =>
        html`<li><a href="#${fragment(id, context)}">${id}</a> ${cut(actual, mostInHeading)}</li> `,
    );
  const more = findings.length - mostChecksNamed;
  return html`<ul class="links">
    ${links}${more > 0 ? html`<li class="faint">${formatCount(more)} more</li>` : nothing}
  </ul>`;
}
