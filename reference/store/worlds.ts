import type { World } from '../model/world.ts';
import type { Database } from './database.ts';

/** The provisioned worlds, kept so that a data file can be served again with the same credentials. */
export type Worlds = ReturnType<typeof openWorlds>;

export function openWorlds(database: Database) {
  const first = database.one<{ world: string }>('SELECT world FROM worlds ORDER BY number LIMIT 1');
  const insert = database.run('INSERT INTO worlds (world) VALUES (?)');
  return {
    first(): World | undefined {
      const row = first();
      return row && (JSON.parse(row.world) as World);
    },
    add: (world: World): void => void insert(JSON.stringify(world)),
  };
}
