import type { Database, SqlValue } from './database.ts';

/** Answers of one query that are kept at hand at most. */
const mostKept = 500;

/** A database that need not be asked again until a table of the query is written to, for rows that are small. */
interface RememberingDatabase extends Database {
  /** Forgets all answers, after writes that it did not see or that were taken back. */
  forget(): void;
}

/** Keeps the answers of a database until something is written through it to a table that they are of. */
export function remembering(database: Database): RememberingDatabase {
  const forgetters = new Map<string, Set<() => void>>();
  const kept = <Row>(sql: string, ask: (...values: SqlValue[]) => Row) => {
    const rows = new Map<string, Row>();
    for (const table of tablesIn(sql)) {
      const ofTable = forgetters.get(table) ?? new Set();
      forgetters.set(
        table,
        ofTable.add(() => rows.clear()),
      );
    }
    return (...values: SqlValue[]): Row => {
      const key = values.join(' ');
      if (rows.has(key)) return rows.get(key) as Row;
      if (rows.size >= mostKept) rows.clear();
      const row = ask(...values);
      rows.set(key, row);
      return row;
    };
  };
  const forget = (tables: Iterable<string>): void => {
    for (const table of tables) for (const each of forgetters.get(table) ?? []) each();
  };
  const writing = (sql: string, write: (...values: SqlValue[]) => number) => {
    const tables = tablesIn(sql);
    return (...values: SqlValue[]): number => {
      forget(tables);
      return write(...values);
    };
  };
  return {
    ...database,
    one: <Row>(sql: string) => kept(sql, database.one<Row>(sql)),
    oneExact: <Row>(sql: string) => kept(sql, database.oneExact<Row>(sql)),
    all: <Row>(sql: string) => kept(sql, database.all<Row>(sql)),
    allExact: <Row>(sql: string) => kept(sql, database.allExact<Row>(sql)),
    run: (sql) => writing(sql, database.run(sql)),
    insert: (sql) => writing(sql, database.insert(sql)),
    forget: () => forget(forgetters.keys()),
  };
}

/** The tables that a statement reads or writes. */
function tablesIn(sql: string): ReadonlySet<string> {
  return new Set(
    [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)/g)].map(([, table = '']) => table),
  );
}
