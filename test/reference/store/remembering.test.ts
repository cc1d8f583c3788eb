import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../reference/store/database.ts';
import { remembering } from '../../../reference/store/remembering.ts';

/** Two tables of one number each, and how often the database below was asked. */
function twoTables() {
  const database = openDatabase(undefined);
  onTestFinished(() => database.close());
  for (const table of ['one', 'other']) {
    database.run(`CREATE TABLE ${table} (n INTEGER)`)();
    database.run(`INSERT INTO ${table} VALUES (1)`)();
  }
  let asked = 0;
  const counting: typeof database = {
    ...database,
    one: <Row>(sql: string) => {
      const ask = database.one<Row>(sql);
      return (...values) => {
        asked += 1;
        return ask(...values);
      };
    },
  };
  const remembered = remembering(counting);
  const number = remembered.one<{ n: number }>('SELECT n FROM one');
  return {
    database,
    remembered,
    read: () => ({ n: number()?.n, asked }),
    write: (table: string) => remembered.run(`UPDATE ${table} SET n = n + 1`)(),
  };
}

describe('a database that remembers', () => {
  it('is asked again once something was written to the table, and not before', () => {
    const { read, write } = twoTables();
    expect([read(), read()]).toEqual(Array(2).fill({ n: 1, asked: 1 }));
    write('other');
    expect(read()).toEqual({ n: 1, asked: 1 });
    write('one');
    expect(read()).toEqual({ n: 2, asked: 2 });
  });

  it('forgets what it is told to forget', () => {
    const { database, remembered, read } = twoTables();
    read();
    database.run('UPDATE one SET n = 7')();
    remembered.forget();
    expect(read().n).toBe(7);
  });
});
