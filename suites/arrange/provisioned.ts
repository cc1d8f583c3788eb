import type { Actor } from '../../harness/client/actor.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { whatEnables } from '../../harness/config/capabilities.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { Identities } from '../../harness/stream/identities.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';

/**
 * The id of the human or the machine behind an agent of a fresh workspace, as its messages show it; ends the check with its precondition
 * not met when they show none.
 */
export function requireBehind(id: string | undefined, role: RoleName, kind: 'human' | 'machine'): string {
  return (
    id ?? unmet(`messages of ${role} in the fresh workspace show no ${kind}: hooks.provision can give it one`)
  );
}

/** The id of an agent from whom something is to be taken; ends the check with its precondition not met where answers and messages name two. */
export async function agreedIdOf(identities: Identities, actor: Actor): Promise<string> {
  // One after the other: what waits for a message that is being learned stops the clock by which that is given up.
  const { agentId } = await identities.provenance(actor);
  const named = await identities.agentId(actor);
  given(isSameId(named, agentId), `answers to ${actor.name} and its messages name two agents`);
  return agentId;
}

/** Ends the check with its precondition not met where the machine token of a fresh workspace seems to be another than that of the reader's machine and human. */
export function requireReadersMachine(isReaders: boolean, overview?: Exchange): void {
  given(
    isReaders,
    'the machine token of the fresh workspace is not that of the reader’s machine and human, as it seems: hooks.provision can give that one',
    overview,
  );
}

/** What to say, with what the operator can do, where a check could use a role that the target does not have. */
export function lacking(role: RoleName): string {
  return `the target has no ${role}: ${whatEnables(role)}`;
}
