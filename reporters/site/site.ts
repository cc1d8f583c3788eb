import { ownFile, pageStyle } from '../page/frame.ts';
import type { NamedRun } from '../compare/comparison.ts';
import { badgeSvg } from '../formats/badge.ts';
import { clausePage } from './clause-page.ts';
import { clausesOf } from './clauses.ts';
import { indexPage } from './index-page.ts';
import { badgeFile, clauseFile, styleFile } from './places.ts';
import { serversOf } from './servers.ts';

/** A file of the site. */
interface SiteFile {
  /** From the folder of the site, with `/`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Servers side by side as files that need nothing but each other: `index.html` has all of them, each clause a page, each server a badge.
 * Runs of one name are the history of a server, of which the newest counts.
 */
export function* siteOn(named: readonly NamedRun[]): Iterable<SiteFile> {
  const servers = serversOf(named);
  const clauses = clausesOf(servers);
  const style = pageStyle() + ownFile('reporters/site/site.css');
  yield { path: styleFile, text: style };
  for (const server of servers) yield { path: badgeFile(server), text: badgeSvg([server.newest.run]) };
  for (const clause of clauses)
    yield { path: clauseFile(clause), text: clausePage(clause, servers, clauses) };
  // Last: where it is there, all that it leads to is.
  yield { path: 'index.html', text: indexPage(servers, clauses, style) };
}
