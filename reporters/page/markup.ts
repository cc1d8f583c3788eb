import { printable } from '../../harness/output/printable.ts';
import type { AgainCommands } from '../story/again.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { remembered } from '../../spec/groups.ts';

/** What each part of the page is made of. */
export interface PageContext extends AgainCommands {
  readonly run: RunSoFar;
  /** Before the ids of this run's elements, where the page has several runs. */
  readonly prefix: string;
  /** Clauses that the page has an element of. */
  readonly shown: ReadonlySet<string>;
}

/** The id of an element. */
export function anchor(id: string, { prefix }: Pick<PageContext, 'prefix'>): string {
  return printable(prefix + id);
}

/** A link to a clause of the same run, its id where the page does not show it. */
export function clauseLink(clause: string, context: PageContext): Markup {
  const id = html`<code>${clause}</code>`;
  return context.shown.has(clause) ? html`<a href="#${fragment(clause, context)}">${id}</a>` : id;
}

/** What stands behind `#` in a link to an element. */
export function fragment(id: string, context: Pick<PageContext, 'prefix'>): string {
  return encodeURIComponent(anchor(id, context));
}

/** HTML. Only the functions of this file make it, so that no text from elsewhere becomes a part of it unescaped. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

/** What may stand in a template: text is escaped, absent things leave nothing. */
type Part = Markup | string | number | undefined | readonly Markup[];

/** A template of HTML; whatever is put into it, an attribute in quotes included, is text and stays text. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const own = withoutIndents(strings);
  let text = own[0] ?? '';
  for (const [index, part] of parts.entries()) text += textOf(part) + (own[index + 1] ?? '');
  return new Markup(text);
}

/** An element without its end, for what is written piece by piece; {@link endOf} ends it. */
export function startOf(element: Markup): Markup {
  return new Markup(element.text.slice(0, element.text.lastIndexOf('</')));
}

/** The end of an element that {@link startOf} began. */
export function endOf(name: 'section' | 'details' | 'article' | 'main'): Markup {
  return new Markup(`</${name}>\n`);
}

/** Text of several lines, for an element that keeps them. */
export function markupLines(lines: readonly Markup[]): Markup {
  return new Markup(lines.map(({ text }) => text).join('\n'));
}

/** The head of a column: its words, none where nothing has to be said, and its class. */
export type ColumnHead = string | readonly [words: string, look: string];

/** What is in a table: a caption where there is one, its heads and its rows. */
export function tableParts(heads: readonly ColumnHead[], rows: readonly Markup[], caption = ''): Markup {
  const title =
    caption === ''
      ? nothing
      : html`<caption>
          ${caption}
        </caption>`;
  return html`${title}
    <thead>
      <tr>
        ${heads.map(columnHead)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>`;
}

function columnHead(head: ColumnHead): Markup {
  const [words, look] = typeof head === 'string' ? [head] : head;
  if (words === '') return html`<td></td>`;
  if (look === undefined) return html`<th scope="col">${words}</th>`;
  return html`<th scope="col" class="${look}">${words}</th>`;
}

/** A sentence, what it has in backquotes as code. */
export function sentence(text: string): Markup {
  const parts = text.split('`');
  // Without its other half a backquote is itself.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

/** Text that is part of this program: a style, a script. Never anything that was received. */
export function ownText(text: string): Markup {
  return new Markup(text);
}

/** Nothing. */
export const nothing: Markup = new Markup('');

const shortenedTemplates = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The layout of our sources is of no use to a browser. */
function withoutIndents(strings: TemplateStringsArray): readonly string[] {
  return remembered(shortenedTemplates, strings, () =>
    strings.map((text) => text.replaceAll(/\n\s+/g, '\n')),
  );
}

function textOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return shownText(String(part));
  return part.map(({ text }) => text).join('');
}

/** Of what is escaped most has nothing to escape. */
const plain = /^[ !#-%(-;=?-_a-~]*$/;

function shownText(text: string): string {
  return plain.test(text) ? text : escaped(printable(text));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => entities[character] ?? '');
}
