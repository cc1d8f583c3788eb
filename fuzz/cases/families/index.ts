import type { SendWorld } from '../../../generators/spaces/body/send-body.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { FamilyName } from '../family.ts';
import type { InjectionPoint } from '../injection-point.ts';
import {
  authenticationInjectionPoints,
  mentionsInjectionPoints,
  overviewInjectionPoints,
  readInjectionPoints,
} from './reads.ts';
import { planInjectionPoints } from './plans.ts';
import { sequenceInjectionPoints } from './sequences.ts';
import type { Guarded } from './reads.ts';
import { sendInjectionPoints, sourceSessionInjectionPoints, wireInjectionPoints } from './send.ts';

/** What a target offers to the families. */
interface Offer {
  readonly world: SendWorld;
  readonly roles: ReadonlySet<RoleName>;
  /** Calls whose baseline request the target accepts. */
  readonly calls: readonly Guarded[];
  /** True for a family that can be asked there. */
  readonly has: (family: FamilyName) => boolean;
}

/** Every injection point that the target has a use for. */
export function injectionPointsFor({ world, roles, calls, has }: Offer): readonly InjectionPoint[] {
  return [
    ...sendInjectionPoints(world, roles),
    ...planInjectionPoints(world, roles),
    ...sequenceInjectionPoints(world, roles),
    ...readInjectionPoints,
    ...mentionsInjectionPoints,
    ...overviewInjectionPoints,
    ...authenticationInjectionPoints(roles, calls),
    ...sourceSessionInjectionPoints(world),
    ...wireInjectionPoints,
  ].filter(({ family }) => has(family));
}
