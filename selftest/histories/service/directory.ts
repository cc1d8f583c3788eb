import type { SeenAuthor } from '../../../history/seen-message.ts';
import type { Random } from '../base/random.ts';

/** A human or a machine behind agents. */
interface Principal {
  readonly id: string;
  name: string | null;
}

/** An agent as the service knows it. */
export interface Agent {
  readonly id: string;
  name: string;
  readonly human: Principal | null;
  readonly machine: Principal | null;
  isActive: boolean;
}

/** Makes the ids of one history; two histories with different spaces share none. */
export class Ids {
  #made = 0;
  readonly #space: string;

  constructor(space: number) {
    this.#space = space.toString(16).padStart(8, '0');
  }

  /** The next UUID. */
  next(): string {
    this.#made += 1;
    return `${this.#space}-0000-4000-8000-${this.#made.toString(16).padStart(12, '0')}`;
  }
}

/** Three or four agents: the first two share a human, the second and third a machine; the last may have neither. */
export function drawAgents(random: Random, ids: Ids): readonly Agent[] {
  const human = (): Principal => ({ id: ids.next(), name: random.chance(0.8) ? 'Some Body' : null });
  const machine = (): Principal => ({ id: ids.next(), name: 'build box' });
  const [shared, sharedMachine] = [human(), machine()];
  const agent = (name: string, by: Principal | null, on: Principal | null): Agent => ({
    id: ids.next(),
    name,
    human: by,
    machine: on,
    isActive: true,
  });
  const three = [
    agent('one', shared, machine()),
    agent('two', shared, sharedMachine),
    agent('three', random.chance(0.7) ? human() : null, sharedMachine),
  ];
  return random.chance(0.5) ? three : [...three, agent('four', null, random.chance(0.5) ? machine() : null)];
}

/** The author that a message gets, with the names of this moment. */
export function authorOf(agent: Agent, host: string | undefined, session: string | undefined): SeenAuthor {
  const seen = (principal: Principal | null) =>
    principal === null ? null : { id: principal.id, displayName: principal.name };
  return {
    id: agent.id,
    displayName: agent.name,
    host,
    human: seen(agent.human),
    machine: seen(agent.machine),
    session,
  };
}

/** The names by which a message can mention an agent. */
export function targetsOf({ id, human, machine }: Agent): readonly string[] {
  return [
    `agent:${id}`,
    ...(human === null ? [] : [`user:${human.id}`]),
    ...(machine === null ? [] : [`machine:${machine.id}`]),
  ];
}
