import { randomUUID } from 'node:crypto';
import type { Actor } from '../../harness/client/actor.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Provenance } from '../../harness/stream/identities.ts';
import type { NamedTarget } from '../../spec/oracles/messages/targets.ts';
import { orElse } from '../arrange/or-else.ts';
import type { MessageCase, ReadCase } from '../../history/situations/dimensions.ts';

/** What it takes to make a population; one that is listed for somebody has a reader. */
export const populationNeeds = ['author', 'channel'] as const;
export type Populating = Context<(typeof populationNeeds)[number]>;

export type ReaderName = ReadCase['reader'];

/** Somebody who sends or reads. */
export interface Person extends Omit<Provenance, 'agentId'> {
  readonly name: ReaderName;
  /** `undefined` only for an author that no answer names. */
  readonly agentId: string | undefined;
}

/** Those of the target who can take part, the author always among them. */
export type People = ReadonlyMap<ReaderName, Person>;

/** Who speaks for a name in this check; data that checks share holds names alone. */
export function actorOf(context: Populating, name: ReaderName): Actor | undefined {
  return name === 'author' ? context.author : context.optional(name);
}

/** Learns who everybody is. */
export async function peopleOf(context: Populating): Promise<People> {
  const names: readonly ReaderName[] = ['author', 'reader', 'peer', 'api-key'];
  const found = await Promise.all(
    names.map(async (name) => {
      const actor = actorOf(context, name);
      if (actor === undefined) return [];
      const known = await orElse<Provenance | undefined>(context.identities.provenance(actor), () =>
        agentAlone(context, actor),
      );
      if (known === undefined && name !== 'author') return [];
      return [[name, { name, ...(known ?? nobodyKnown) }] as const];
    }),
  );
  return new Map<ReaderName, Person>(found.flat());
}

const nobodyKnown: Omit<Person, 'name'> = {
  agentId: undefined,
  humanUserId: undefined,
  machineId: undefined,
  workspaceId: undefined,
};

/** An agent of which no message could be read back to learn more from; `undefined` when its id is not to be learned either. */
function agentAlone({ identities }: Populating, actor: Actor): Promise<Provenance | undefined> {
  const learned = identities.agentId(actor).then((agentId) => ({ ...nobodyKnown, agentId }));
  return orElse<Provenance | undefined>(learned, () => undefined);
}

/** For whom a sender's messages are: the reader, or the author where the reader sends. */
function recipientOf(sender: ReaderName): ReaderName {
  return sender === 'reader' ? 'author' : 'reader';
}

/** The targets of a kind; without a human or a machine that is known the agent stands for it. */
export function targetsOf(kind: MessageCase['target'], sender: ReaderName, people: People): NamedTarget[] {
  const [own, recipient] = [people.get(sender), people.get(recipientOf(sender))];
  const self = own?.agentId === undefined ? [] : [{ kind: 'agent', id: own.agentId }];
  if (kind === 'self') return self;
  if (recipient?.agentId === undefined) return [];
  const agent = { kind: 'agent', id: recipient.agentId };
  const user = recipient.humanUserId === undefined ? [] : [{ kind: 'user', id: recipient.humanUserId }];
  const machine = recipient.machineId === undefined ? [] : [{ kind: 'machine', id: recipient.machineId }];
  switch (kind) {
    case 'none':
      return [];
    case 'agent':
      return [agent];
    case 'user':
      return user;
    case 'machine':
      return machine;
    case 'several':
      return [...self, agent, ...user, ...machine];
    case 'other-agent':
      return [{ kind: 'agent', id: otherThan(people, sender) }];
  }
}

/** An agent that neither sends nor is sent to. */
function otherThan(people: People, sender: ReaderName): string {
  const others = ['api-key', 'peer'] as const;
  return (
    others.flatMap((name) => (name === sender ? [] : (people.get(name)?.agentId ?? [])))[0] ?? randomUUID()
  );
}
