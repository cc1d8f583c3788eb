import type { SendWorld } from '../../generators/index.ts';
import type { FamilyName, Slot } from '../slot.ts';
import { sendSlots } from './send.ts';

/** What a target offers to the families. */
export interface Offer {
  readonly world: SendWorld;
  /** True for a family whose good request the target accepts. */
  readonly has: (family: FamilyName) => boolean;
}

/** Every slot that the target has a use for. */
export function slotsFor({ world, has }: Offer): readonly Slot[] {
  return [...sendSlots(world)].filter(({ family }) => has(family));
}
