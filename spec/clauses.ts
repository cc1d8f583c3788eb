import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Id of a clause of the register, told by the keys of its data: a mistyped one does not compile. */
export type ClauseId = keyof (typeof import('./generated/clauses.json'))['clauses'];

/** The same of the register of clients. */
export type ClientClauseId = keyof (typeof import('./generated/client-clauses.json'))['clauses'];

/**
 * What a broken clause means: `must` fails a server, `inferred` warns (it is a reading, not a statement),
 * `silent` is never judged, only observed.
 */
export type ClauseLevel = 'must' | 'inferred' | 'silent';

/** One statement of the contract in our own words, about servers unless the type says otherwise. */
export interface Clause<Id extends JudgedClauseId = ClauseId> {
  readonly id: Id;
  readonly level: ClauseLevel;
  /** A sentence true of a conforming server, or client; for a silent clause, what is left open. */
  readonly text: string;
  readonly source: ClauseSource;
  /** Roles, bindings, hooks and the like without which no run can decide it; empty when any run can. */
  readonly needs: readonly string[];
  /** Pointer patterns of the schema rules that decide it on the wire, as `clauseOfPointer` reads them. */
  readonly schema: readonly string[];
  /** The clause that says the same, of the same level: its verdict is this one's too. Never chained. */
  readonly restates?: Id;
  /** Why no client can decide it. */
  readonly untestable?: string;
}

/** What the contract asks of those who call the service. */
export type ClientClause = Clause<ClientClauseId>;

/** A clause that somebody may break: a server, or a client. */
export type JudgedClauseId = ClauseId | ClientClauseId;

/** Where the contract says it: a heading, and one of rule, paragraph or row below it. */
export interface ClauseSource {
  readonly heading: string;
  /** Number of the item in the numbered list. */
  readonly rule?: number;
  /** Position from 1 among the blocks of prose, tables and lists not counted. */
  readonly paragraph?: number;
  /** First cell of the table row. */
  readonly row?: string;
  /** Start of the label above the table, where several tables share the heading. */
  readonly table?: string;
  /** Tells apart the statements made in one place. */
  readonly part?: string;
}

/** The whole register in the order of `spec/clauses.yaml`, deeply frozen. */
export const clauses: readonly Clause[] = load('clauses');

/** The clauses of clients in the order of `spec/client-clauses.yaml`, deeply frozen. */
export const clientClauses: readonly ClientClause[] = load('client-clauses');

const clausesById: ReadonlyMap<string, Clause | ClientClause> = new Map(
  [...clauses, ...clientClauses].map((clause) => [clause.id, clause]),
);

/**
 * The clause of an id.
 * @throws Error on an id that the register does not have, which only a cast can bring here
 */
export function clauseOf<Id extends JudgedClauseId>(id: Id): Clause<Id> {
  const clause = clausesById.get(id);
  if (clause === undefined) throw new Error(`the clause register has no "${id}"`);
  return clause as Clause<Id>;
}

/** The clause whose verdict a clause shares: the one that it restates, or itself. */
export function originalOf(id: string): string {
  return clausesById.get(id)?.restates ?? id;
}

/** Where the contract says it, for people: `Message, row author`, or `Limits, paragraph 2`. */
export function contractPlace({ heading, rule, paragraph, row, table }: ClauseSource): string {
  const place =
    rule !== undefined ? `rule ${rule}` : row !== undefined ? `row ${row}` : `paragraph ${paragraph}`;
  return [heading, ...(table === undefined ? [] : [`table ${table}`]), place].join(', ');
}

/** sha256 in hex of the register's content: the same for the same clauses, however the YAML is laid out. */
export function registerDigest(): string {
  return (registerDigestOnce ??= createHash('sha256').update(JSON.stringify(clauses)).digest('hex'));
}

let registerDigestOnce: string | undefined;

function load<Id extends JudgedClauseId>(name: string): readonly Clause<Id>[] {
  // Beside this file in a build too, which has it for the type.
  const text = readFileSync(new URL(`./generated/${name}.json`, import.meta.url), 'utf8');
  const { clauses: byId } = JSON.parse(text) as { clauses: Readonly<Record<Id, Omit<Clause<Id>, 'id'>>> };
  const entries = Object.entries(byId) as [Id, Omit<Clause<Id>, 'id'>][];
  return deeplyFrozen(entries.map(([id, clause]) => ({ id, ...clause })));
}

function deeplyFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deeplyFrozen);
  return Object.freeze(value);
}
