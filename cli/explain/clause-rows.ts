import { askedClauses } from '../../history/clients/catalogue.ts';
import { namesMeant } from '../../harness/gate/names-meant.ts';
import { runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { scenarios } from '../../scenarios/catalogue/index.ts';
import { clausesOf } from '../../scenarios/scenario.ts';
import { type Clause, type ClientClause, clauses, clientClauses, contractPlace } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { push } from '../../spec/groups.ts';

/** Which clauses `conform clauses` lists, and how. */
export interface ClausesCommandOptions {
  readonly area?: string;
  readonly level?: string;
  readonly unchecked?: boolean;
  readonly json?: boolean;
  /** Those of clients in place of those of servers. */
  readonly clients?: boolean;
}

/** A clause of the register with the checks that decide it. */
interface ListedClause {
  readonly clause: Clause | ClientClause;
  readonly checks: readonly string[];
}

/**
 * What `conform clauses` prints.
 * @throws InvalidTarget where there is no such area
 */
export function listClauses(options: ClausesCommandOptions): string {
  const all = options.clients === true ? clientClauseRows() : clauseRows();
  demandArea(options.area, all);
  const rows = all.filter((row) => isWanted(row, options));
  return options.json === true ? jsonOf(rows) : textOf(rows);
}

/** Every clause with the ids of the checks that declare it, those of the clause it restates included. */
export function clauseRows(): readonly ListedClause[] {
  const deciders = new Map<string, string[]>();
  for (const { id, clauses: decided } of [...allChecks, ...runWideChecks]) {
    for (const clause of decided) push(deciders, clause, id);
  }
  return clauses.map((clause) => ({ clause, checks: deciders.get(clause.restates ?? clause.id) ?? [] }));
}

/** Every clause of clients with the scenarios that decide it; some are judged in whatever a client asks. */
export function clientClauseRows(): readonly ListedClause[] {
  const asked = new Set<string>(askedClauses);
  return clientClauses.map((clause) => {
    const own = scenarios.filter((each) => clausesOf(each).includes(clause.id)).map(({ id }) => id);
    return { clause, checks: [...own, ...(asked.has(clause.id) ? ['every request of a client'] : [])] };
  });
}

/** True for a clause that a check could decide and none does. */
export function isUnchecked({ clause, checks }: ListedClause): boolean {
  return clause.level !== 'silent' && clause.untestable === undefined && checks.length === 0;
}

/** An area is the beginning of an id, word by word. */
function isOfArea({ clause }: ListedClause, area: string): boolean {
  return clause.id.startsWith(`${area}.`);
}

function demandArea(area: string | undefined, all: readonly ListedClause[]): void {
  if (area === undefined || all.some((row) => isOfArea(row, area))) return;
  const words = new Set(all.map(({ clause }) => clause.id.slice(0, clause.id.indexOf('.'))));
  namesMeant('area', [area], [...words]);
}

function isWanted(row: ListedClause, { area, level, unchecked }: ClausesCommandOptions): boolean {
  return (
    (area === undefined || isOfArea(row, area)) &&
    (level === undefined || row.clause.level === level) &&
    (unchecked !== true || isUnchecked(row))
  );
}

function textOf(rows: readonly ListedClause[]): string {
  const lines = rows.flatMap(({ clause, checks }) => [
    `${clause.id}  [${clause.level}]  ${contractPlace(clause.source)}`,
    `    ${clause.text}`,
    `    ${decidedBy({ clause, checks })}`,
  ]);
  const count = (level: string): number => rows.filter(({ clause }) => clause.level === level).length;
  const unchecked = rows.filter(isUnchecked).length;
  lines.push(
    '',
    `${rows.length} clauses: ${count('must')} must, ${count('inferred')} inferred, ${count('silent')} silent; ${unchecked} without a check or a reason`,
  );
  return `${lines.join('\n')}\n`;
}

/** Which checks decide a clause, or why none does. */
export function decidedBy({ clause, checks }: ListedClause): string {
  if (clause.untestable !== undefined) return `not testable by a client: ${clause.untestable}`;
  if (clause.level === 'silent') return checks.length > 0 ? `observed by ${checks.join(', ')}` : 'left open';
  const by = checks.length > 0 ? `decided by ${checks.join(', ')}` : 'no check decides it yet';
  return clause.restates === undefined ? by : `restates ${clause.restates}; ${by}`;
}

function jsonOf(rows: readonly ListedClause[]): string {
  return `${JSON.stringify(
    rows.map(({ clause, checks }) => ({ ...clause, checks })),
    null,
    2,
  )}\n`;
}
