import type { SendWorld } from '../../../generators/index.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { FamilyName } from '../family.ts';
import type { Slot } from '../slot.ts';
import { authenticationSlots, mentionsSlots, overviewSlots, readSlots } from './reads.ts';
import type { Guarded } from './reads.ts';
import { sendSlots, sourceSessionSlots, wireSlots } from './send.ts';

/** What a target offers to the families. */
interface Offer {
  readonly world: SendWorld;
  readonly roles: ReadonlySet<RoleName>;
  /** Calls whose good request the target accepts. */
  readonly calls: readonly Guarded[];
  /** True for a family that can be asked there. */
  readonly has: (family: FamilyName) => boolean;
}

/** Every slot that the target has a use for. */
export function slotsFor({ world, roles, calls, has }: Offer): readonly Slot[] {
  return [
    ...sendSlots(world),
    ...readSlots,
    ...mentionsSlots,
    ...overviewSlots,
    ...authenticationSlots(roles, calls),
    ...sourceSessionSlots(world),
    ...wireSlots,
  ].filter(({ family }) => has(family));
}
