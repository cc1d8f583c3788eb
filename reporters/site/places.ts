import type { SiteClause } from './clauses.ts';
import type { Server } from './servers.ts';

/** The style of pages that have none of their own. */
export const styleFile = 'style.css';

/** Where the page of a clause is, from the folder of the site. */
export function clauseFile({ safeName }: SiteClause): string {
  return `clauses/${safeName}.html`;
}

/** Where the badge of a server is, from the folder of the site. */
export function badgeFile({ safeName }: Server): string {
  return `badges/${safeName}.svg`;
}

/** The element of a server in the index. */
export function serverAnchor({ safeName }: Server): string {
  return `server:${safeName}`;
}
