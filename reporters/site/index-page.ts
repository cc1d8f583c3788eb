import { headOf, pageScript, scriptElement, toolbar } from '../page/frame.ts';
import { html, type Markup } from '../page/markup.ts';
import { countOf } from '../quantities.ts';
import type { SiteClause } from './clauses.ts';
import { verdictOf } from '../conclusion.ts';
import { matrix } from './matrix.ts';
import { serverRows } from './server-rows.ts';
import { type Server, startInWords } from './servers.ts';

/** By this the index of a site is told from a page of somebody else's. */
export const generator = 'messaging-conformance site';

/** The page of all servers. Everything is in it but the pages of the clauses; without its script it only lacks search and filter. */
export function indexPage(servers: readonly Server[], clauses: readonly SiteClause[], style: string): string {
  const script = pageScript();
  // So many columns has each of its tables: a policy that lets no style into an element leaves one place to say so.
  const ownStyle = `${style}:root{--servers:${servers.length}}`;
  const page = html`<html lang="en">
    ${headOf({ title: `Who keeps the contract: ${countOf(servers.length, 'server')}`, style: { text: ownStyle }, script, generator })}
    <body>
      <a class="skip" href="#results">to the clauses</a>
      <header class="top">
        <h1>Who keeps the contract</h1>
        <p class="conclusion">${conclusionOf(servers)}</p>
        ${about(servers, clauses)}
      </header>
      ${serverRows(servers, clauses)}${toolbar()}
      <main id="results">${matrix(servers, clauses)}</main>
      ${scriptElement(script)}
    </body>
  </html> `;
  return `<!doctype html>\n${page.text}`;
}

function conclusionOf(servers: readonly Server[]): string {
  const looks = servers.map(({ newest }) => verdictOf(newest.run).look);
  const count = (...wanted: readonly string[]): number =>
    looks.filter((look) => wanted.includes(look)).length;
  const parts = [
    [count('passed', 'warned'), 'shows no clause broken', 'show no clause broken'],
    [count('failed'), 'breaks some', 'break some'],
    [count('inconclusive'), 'comes to no conclusion', 'come to no conclusion'],
  ] as const;
  const told = parts.flatMap(([many, one, several]) => (many === 0 ? [] : [countOf(many, one, several)]));
  return `Of ${countOf(servers.length, 'server')} ${told.join(', ')}.`;
}

function about(servers: readonly Server[], clauses: readonly SiteClause[]): Markup {
  const headers = servers.flatMap(({ newest }) => newest.run.header ?? []);
  const versions = (of: (header: (typeof headers)[number]) => string): string =>
    [...new Set(headers.map(of))].toSorted().join(', ');
  const newest = servers
    .map((server) => startInWords(server.newest.run))
    .toSorted()
    .at(-1);
  return html`<p class="about">
    <span>${countOf(clauses.length, 'clause')}</span>
    <span>contract <code>${versions(({ contractVersion }) => contractVersion)}</code></span>
    <span>conform <code>${versions(({ suiteVersion }) => suiteVersion)}</code></span>
    <span>newest results of ${newest} UTC</span>
  </p>`;
}
