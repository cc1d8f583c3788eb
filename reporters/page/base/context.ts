import { printable } from '../../../harness/output/printable.ts';
import type { AgainCommands } from '../../again.ts';
import type { RunSoFar } from '../../run-so-far.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

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
