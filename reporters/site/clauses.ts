import { areaOf, type ClauseRow } from '../page/clauses.ts';
import { SafeNames } from './safe-names.ts';
import type { Server } from './servers.ts';

/** A clause of the site, by what runs tell of it alike. */
export interface SiteClause extends Pick<
  ClauseRow,
  'id' | 'level' | 'text' | 'place' | 'restates' | 'untestable'
> {
  /** What its page and its element are called: its id, unless that could not be a name. */
  readonly safeName: string;
}

/** Elements of the index that are there whatever it is about. */
const ownElements = ['toolbar', 'text', 'level', 'clear', 'matches', 'results'];

/** Every clause of the register, and those that only streams have. */
export function clausesOf(servers: readonly Server[]): readonly SiteClause[] {
  const names = new SafeNames(ownElements);
  const rows = servers.flatMap(({ newest }) => [...newest.rows.values()]);
  const first = new Map<string, ClauseRow>();
  for (const row of rows) if (!first.has(row.id)) first.set(row.id, row);
  return [...first.values()].map(({ id, level, text, place, restates, untestable }) => ({
    id,
    safeName: names.of(id, 'clause'),
    level,
    text,
    place,
    restates,
    untestable,
  }));
}

/** Clauses by area, each in the order of the register. */
export function byArea(
  clauses: readonly SiteClause[],
): readonly { readonly area: string; readonly clauses: readonly SiteClause[] }[] {
  const areas = [...new Set(clauses.map(({ id }) => areaOf(id)))];
  return areas.map((area) => ({ area, clauses: clauses.filter(({ id }) => areaOf(id) === area) }));
}
