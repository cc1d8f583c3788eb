import type { Agent, Credential, Human, Machine } from '../model/principals.ts';
import type { Database, SqlValue } from './database.ts';

type Stored<Thing, Flag extends keyof Thing> = Omit<Thing, Flag> & Record<Flag, number>;

/**
 * Agents, people, machines and the credentials that stand for them. Every lookup is fresh: nothing is remembered past a write. `asKept` turns a token into
 * what is kept of it, by which it is found again; a credential that was found by anything else has that for its token.
 */
export function openDirectory(
  database: Database,
  { asKept }: { readonly asKept: (token: string) => string },
) {
  const agent = `SELECT id, workspace_id AS workspaceId, display_name AS displayName,
    human_user_id AS humanUserId, machine_id AS machineId, has_access AS hasAccess FROM agents`;
  const agentById = database.one<Stored<Agent, 'hasAccess'>>(`${agent} WHERE id = ?`);
  const machineById = database.one<Stored<Machine, 'isActive'>>(`SELECT id, workspace_id AS workspaceId,
    human_user_id AS humanUserId, display_name AS displayName, is_active AS isActive FROM machines WHERE id = ?`);
  const humanById = database.one<Human>(`SELECT id, display_name AS displayName, email,
    first_name AS firstName, last_name AS lastName FROM humans WHERE id = ?`);
  const agentOnMachine = database.one<Stored<Agent, 'hasAccess'>>(
    `${agent} WHERE machine_id = ? ORDER BY rowid LIMIT 1`,
  );
  const agentsOfWorkspace = database.all<Stored<Agent, 'hasAccess'>>(
    `${agent} WHERE workspace_id = ? ORDER BY rowid`,
  );
  const credential = `SELECT token, kind, agent_id AS agentId, credentials.machine_id AS machineId,
    expires_ms AS expiresAtMs, is_revoked AS isRevoked FROM credentials`;
  const credentialByToken = database.one<Stored<Credential, 'isRevoked'>>(`${credential} WHERE token = ?`);
  const credentialsOfKind = database.one<Stored<Credential, 'isRevoked'>>(
    `${credential} WHERE kind = ? LIMIT 1`,
  );
  const agentCredentialIn = database.one<Stored<Credential, 'isRevoked'>>(
    `${credential} JOIN agents ON agents.id = agent_id
      WHERE kind = 'agent' AND workspace_id = ? AND has_access = 1 ORDER BY credentials.rowid LIMIT 1`,
  );
  const machineCredentialIn = database.one<Stored<Credential, 'isRevoked'>>(
    `${credential} JOIN machines ON machines.id = credentials.machine_id
      WHERE kind = 'machine' AND workspace_id = ? ORDER BY credentials.rowid LIMIT 1`,
  );
  const issuedTokens = database.all<Pick<Credential, 'token'>>('SELECT token FROM credentials');
  const humanInWorkspace = database.one<{ id: string }>(
    `SELECT human_user_id AS id FROM memberships WHERE human_user_id = ? AND workspace_id = ? AND status = 'active'`,
  );

  const revoke = database.run('UPDATE credentials SET is_revoked = 1 WHERE token = ?');
  const setExpiry = database.run('UPDATE credentials SET expires_ms = ? WHERE token = ?');

  const asAgent = (row: Stored<Agent, 'hasAccess'> | undefined) =>
    row && { ...row, hasAccess: row.hasAccess === 1 };
  const asMachine = (row: Stored<Machine, 'isActive'> | undefined) =>
    row && { ...row, isActive: row.isActive === 1 };
  const asCredential = (row: Stored<Credential, 'isRevoked'> | undefined) =>
    row && { ...row, isRevoked: row.isRevoked === 1 };

  return {
    agent: (id: string): Agent | undefined => asAgent(agentById(id)),
    /** The first agent that runs on a machine. */
    agentOn: (machineId: string): Agent | undefined => asAgent(agentOnMachine(machineId)),
    /** Every agent of a workspace, oldest first. */
    agentsOf: (workspaceId: string): Agent[] =>
      agentsOfWorkspace(workspaceId).map((row) => ({ ...row, hasAccess: row.hasAccess === 1 })),
    /** What a mention target is called now; null when it is unknown or has no name. */
    nameOf(kind: string, id: string): string | null {
      if (kind === 'user') return humanById(id)?.displayName ?? null;
      if (kind === 'machine') return machineById(id)?.displayName ?? null;
      return agentById(id)?.displayName ?? null;
    },
    machine: (id: string): Machine | undefined => asMachine(machineById(id)),
    human: (id: string): Human | undefined => humanById(id),
    credential: (token: string): Credential | undefined => {
      const found = asCredential(credentialByToken(asKept(token)));
      return found && { ...found, token };
    },
    /** Some credential of a kind: what a rule that admits an unknown token lets in. */
    anyCredential: (kind: Credential['kind']): Credential | undefined =>
      asCredential(credentialsOfKind(kind)),

    /** Whether a mention target exists in a workspace: an agent with access, a member, a machine profile. */
    isInWorkspace(kind: string, id: string, workspaceId: string): boolean {
      if (kind === 'user') return humanInWorkspace(id, workspaceId) !== undefined;
      if (kind === 'machine') return asMachine(machineById(id))?.workspaceId === workspaceId;
      const found = asAgent(agentById(id));
      return found?.workspaceId === workspaceId && found.hasAccess;
    },

    /** Some credential of an agent with access, or of a machine, in a workspace. */
    credentialIn: (workspaceId: string, kind: 'agent' | 'machine'): Credential | undefined =>
      asCredential(kind === 'agent' ? agentCredentialIn(workspaceId) : machineCredentialIn(workspaceId)),
    /** Every token that was issued, as it is kept. */
    tokens: (): string[] => issuedTokens().map(({ token }) => token),

    addHuman: insertion<Human>(
      database,
      'humans (id, display_name, email, first_name, last_name)',
      (human) => [human.id, human.displayName, human.email, human.firstName, human.lastName],
    ),
    addMachine: insertion<Machine>(
      database,
      'machines (id, workspace_id, human_user_id, display_name, is_active)',
      (machine) => [
        machine.id,
        machine.workspaceId,
        machine.humanUserId,
        machine.displayName,
        Number(machine.isActive),
      ],
    ),
    addAgent: insertion<Agent>(
      database,
      'agents (id, workspace_id, display_name, human_user_id, machine_id, has_access)',
      (added) => [
        added.id,
        added.workspaceId,
        added.displayName,
        added.humanUserId,
        added.machineId,
        Number(added.hasAccess),
      ],
    ),
    addCredential: insertion<Credential>(
      database,
      'credentials (token, kind, agent_id, machine_id, expires_ms, is_revoked)',
      (added) => [
        asKept(added.token),
        added.kind,
        added.agentId,
        added.machineId,
        added.expiresAtMs,
        Number(added.isRevoked),
      ],
    ),

    revoke: (token: string): number => revoke(asKept(token)),
    setExpiry: (expiresAtMs: number, token: string): number => setExpiry(expiresAtMs, asKept(token)),
    renameAgent: database.run('UPDATE agents SET display_name = ? WHERE id = ?'),
    renameHuman: database.run('UPDATE humans SET display_name = ? WHERE id = ?'),
    setNamesOfHuman: database.run('UPDATE humans SET first_name = ?, last_name = ? WHERE id = ?'),
    renameMachine: database.run('UPDATE machines SET display_name = ? WHERE id = ?'),
    setAccess: database.run('UPDATE agents SET has_access = ? WHERE id = ?'),
    setMachineActive: database.run('UPDATE machines SET is_active = ? WHERE id = ?'),
  };
}

function insertion<Thing>(database: Database, columns: string, valuesOf: (thing: Thing) => SqlValue[]) {
  const places = columns
    .split(',')
    .map(() => '?')
    .join(', ');
  const insert = database.run(`INSERT INTO ${columns.replace(' (', '(')} VALUES (${places})`);
  return (thing: Thing): void => void insert(...valuesOf(thing));
}
