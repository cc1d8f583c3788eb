import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  startReference,
  type Operator,
  type Reference,
  type ReferenceOptions,
  type RoleName,
  type World,
} from '../../reference/index.ts';
import { Client } from './client.ts';

/** A reference service for the tests of one file, with a fresh workspace for each of them. */
interface UsedReference {
  readonly reference: Reference;
  readonly world: World;
  readonly operator: Operator;
  as(role: RoleName): Client;
  /** A client without a credential. */
  readonly nobody: Client;
  /** The mention target that a role is as an agent, a user or a machine. */
  target(kind: 'agent' | 'user' | 'machine', role: RoleName): { kind: string; id: string };
}

export function useReference(options: ReferenceOptions = {}): UsedReference {
  let reference: Reference;
  let world: World;
  beforeAll(async () => {
    reference = await startReference(options);
  });
  beforeEach(() => {
    world = reference.operator.provision();
  });
  afterAll(() => reference.close());
  return {
    get reference() {
      return reference;
    },
    get world() {
      return world;
    },
    get operator() {
      return reference.operator;
    },
    as: (role) => new Client(reference.baseUrl, world.roles[role].token),
    get nobody() {
      return new Client(reference.baseUrl);
    },
    target: (kind, role) => targetOf(world, kind, role),
  };
}

/** The mention target that a role is as an agent, a user or a machine. */
export function targetOf(
  world: World,
  kind: 'agent' | 'user' | 'machine',
  role: RoleName,
): { kind: string; id: string } {
  const { agentId, humanUserId, machineId } = world.roles[role];
  return { kind, id: { agent: agentId, user: humanUserId, machine: machineId }[kind] ?? '' };
}
