import type { Role, RoleName, World } from '../model/world.ts';
import type { Database } from './database.ts';

/** A world without its tokens. */
export type KeptWorld = Omit<World, 'roles'> & {
  readonly roles: Readonly<Record<RoleName, Omit<Role, 'token'>>>;
};

/** The provisioned worlds, kept so that a data file can be served again with the same people. */
export type Worlds = ReturnType<typeof openWorlds>;

export function openWorlds(database: Database) {
  const first = database.one<{ world: string }>('SELECT world FROM worlds ORDER BY number LIMIT 1');
  const insert = database.run('INSERT INTO worlds (world) VALUES (?)');
  return {
    first(): KeptWorld | undefined {
      const row = first();
      return row && (JSON.parse(row.world) as KeptWorld);
    },
    add: (world: World): void => void insert(JSON.stringify(world, withoutTokens)),
  };
}

function withoutTokens(name: string, value: unknown): unknown {
  return name === 'token' ? undefined : value;
}
