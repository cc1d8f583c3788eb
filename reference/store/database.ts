import Libsql from 'libsql';

/** What a statement can bind. A boolean would abort the process inside the driver, hence it is not among them. */
export type SqlValue = string | number | bigint | Buffer | null;

/** One open SQLite database, with the few verbs that the store needs. */
export interface Database {
  /** The first row of a query, its integers as numbers. */
  one<Row>(sql: string): (...values: SqlValue[]) => Row | undefined;
  /** The first row with every integer as a bigint, for the columns that hold sequences. */
  oneExact<Row>(sql: string): (...values: SqlValue[]) => Row | undefined;
  /** Every row of a query, its integers as numbers. */
  all<Row>(sql: string): (...values: SqlValue[]) => Row[];
  /** Every row with every integer as a bigint. */
  allExact<Row>(sql: string): (...values: SqlValue[]) => Row[];
  /** A statement that writes; it returns how many rows it touched. */
  run(sql: string): (...values: SqlValue[]) => number;
  /** A statement that inserts one row; it returns the row's number. */
  insert(sql: string): (...values: SqlValue[]) => number;
  /** Runs `work` in one write transaction; within another one it joins that. */
  transaction<Result>(work: () => Result): Result;
  /** Closes the database. Every later use throws; closing it again does nothing. */
  close(): void;
}

/**
 * Opens `file`, or a database in memory. A file is in WAL mode with `synchronous=NORMAL`: what was committed
 * survives the death of the process at any moment; only the death of the whole machine may take the last commits.
 */
export function openDatabase(file: string | undefined): Database {
  const connection = new Libsql(file ?? ':memory:');
  if (file !== undefined) connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  connection.exec('PRAGMA foreign_keys = ON');

  let isOpen = true;
  const requireOpen = (): void => {
    // Inside the driver, use after closing would abort the process.
    if (!isOpen) throw new Error('the database was used after it was closed');
  };
  /** Prepared at its first use: a service that lives for a moment needs few of its statements. */
  const statementOf = (sql: string, { isExact = false } = {}): StatementOf => {
    let prepared: Libsql.Statement | undefined;
    return () => {
      requireOpen();
      return (prepared ??= connection.prepare(sql).safeIntegers(isExact));
    };
  };

  return {
    one: <Row>(sql: string) => firstRow<Row>(statementOf(sql)),
    oneExact: <Row>(sql: string) => firstRow<Row>(statementOf(sql, { isExact: true })),
    all: <Row>(sql: string) => every<Row>(statementOf(sql)),
    allExact: <Row>(sql: string) => every<Row>(statementOf(sql, { isExact: true })),
    run: (sql) => {
      const statement = statementOf(sql);
      return (...values) => statement().run(values).changes;
    },
    insert: (sql) => {
      const statement = statementOf(sql);
      return (...values) => Number(statement().run(values).lastInsertRowid);
    },
    transaction: (work) => {
      requireOpen();
      return inTransaction(connection, work);
    },
    close: () => {
      if (isOpen) connection.close();
      isOpen = false;
    },
  };
}

/** The statement of an open database; it throws once that is closed. */
type StatementOf = () => Libsql.Statement;

function inTransaction<Result>(connection: Libsql.Database, work: () => Result): Result {
  if (connection.inTransaction) return work();
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
}

/** The driver adds a `_metadata` of its own to a single row; it is none of ours. */
function firstRow<Row>(statement: StatementOf) {
  return (...values: SqlValue[]): Row | undefined => {
    const row = statement().get(values) as (Row & { _metadata?: unknown }) | undefined;
    if (row) delete row._metadata;
    return row;
  };
}

function every<Row>(statement: StatementOf) {
  return (...values: SqlValue[]): Row[] => statement().all(values) as Row[];
}
