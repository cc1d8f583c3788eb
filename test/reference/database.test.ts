import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../reference/store/database.ts';

describe('a closed database', () => {
  const database = openDatabase(undefined);
  const read = database.all('SELECT 1');
  database.close();

  it('refuses to read and to begin a transaction, where the driver would abort the process', () => {
    expect(() => read()).toThrow('the database was used after it was closed');
    expect(() => database.transaction(() => 1)).toThrow('the database was used after it was closed');
  });

  it('may be closed again', () => {
    expect(() => database.close()).not.toThrow();
  });
});
