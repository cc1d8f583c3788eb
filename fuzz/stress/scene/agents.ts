import type { Standing } from '../../../harness/config/request-facts.ts';
import type { TargetKind } from './plan.ts';

/** An agent that clients speak as. */
export interface Agent {
  /** Its role in the target: one name for one credential. */
  readonly name: string;
  readonly token: string;
  /** Its own id and those of its human and machine, as far as answers have shown them; lower case. */
  readonly ids: { -readonly [Kind in TargetKind]?: string };
}

/** Somebody who is known to the server and may not use the channels. */
export interface Intruder extends Agent {
  readonly name: Exclude<Standing, 'member'>;
}

/** A target of a message as it is written in a send; `undefined` for one that is not known. */
export function targetFor(
  { kind, agent }: { readonly kind: TargetKind; readonly agent: number },
  agents: readonly Agent[],
): { readonly kind: TargetKind; readonly id: string } | undefined {
  const id = agents[agent % agents.length]?.ids[kind];
  return id === undefined ? undefined : { kind, id };
}

/** The stream of a channel, as histories name it. */
export function channelStream(id: string): string {
  return `channel ${id}`;
}

/** The stream of an agent's mentions. */
export function feedOf({ name }: Pick<Agent, 'name'>): string {
  return `feed ${name}`;
}
