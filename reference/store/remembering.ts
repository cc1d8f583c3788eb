import type { Database, SqlValue } from './database.ts';

/** Answers of one query that are kept at hand at most. */
const mostKept = 500;

/** A database that need not be asked twice between two writes, for rows that are small. */
export interface RememberingDatabase extends Database {
  /** Forgets all answers, after writes that it did not see. */
  forget(): void;
}

/** Keeps the answers of a database until something is written through it. */
export function remembering(database: Database): RememberingDatabase {
  let writes = 0;
  const kept = <Row>(ask: (...values: SqlValue[]) => Row) => {
    const rows = new Map<string, Row>();
    let writesBefore = writes;
    return (...values: SqlValue[]): Row => {
      if (writesBefore !== writes || rows.size >= mostKept) rows.clear();
      writesBefore = writes;
      const key = values.join(' ');
      const row = rows.has(key) ? (rows.get(key) as Row) : ask(...values);
      rows.set(key, row);
      return row;
    };
  };
  const writing = (write: (...values: SqlValue[]) => number) => {
    return (...values: SqlValue[]): number => {
      writes += 1;
      return write(...values);
    };
  };
  return {
    ...database,
    one: <Row>(sql: string) => kept(database.one<Row>(sql)),
    oneExact: <Row>(sql: string) => kept(database.oneExact<Row>(sql)),
    all: <Row>(sql: string) => kept(database.all<Row>(sql)),
    allExact: <Row>(sql: string) => kept(database.allExact<Row>(sql)),
    run: (sql) => writing(database.run(sql)),
    insert: (sql) => writing(database.insert(sql)),
    forget: () => {
      writes += 1;
    },
  };
}
