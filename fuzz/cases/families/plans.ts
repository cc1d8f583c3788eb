import * as fc from 'fast-check';
import type { SendWorld } from '../../../generators/spaces/body/send-body.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { CaseRequest } from '../case-request.ts';
import { injectionPoint, type InjectionPoint } from '../injection-point.ts';
import { anyRead, anySend, changes, plainSend, requestOf, type Speakers, type Step } from './steps.ts';

const mostSteps = 5;

/** Sends under keys that come again, and looks in between: what one request alone does not show. */
export function planInjectionPoints(
  world: SendWorld,
  roles: ReadonlySet<RoleName>,
): readonly InjectionPoint[] {
  const senders = (['peer', 'reader', 'api-key', 'author'] as const).filter((role) => roles.has(role));
  if (senders.length === 0) return [];
  return [
    injectionPoint('send', 'plan', { boundaries, arbitrary: anyPlan.map(labelled) }, [''], (steps) =>
      caseOf(steps, { world, senders }),
    ),
  ];
}

/** Each change alone, by each sender, after the first answer and beside it. */
const boundaries = [0, 1, 2, 3].flatMap((by) =>
  [false, true].flatMap((isBeside) =>
    Object.entries(changes).flatMap(([name, change]) => {
      const first = { ...plainSend, by };
      const second = { ...first, ...change };
      return [
        {
          label: `plan/${isBeside ? 'beside' : 'after'}-${name}-${by}`,
          value: [first, { ...second, isBeside }],
        },
        ...(isBeside || name === 'nothing'
          ? []
          : [{ label: `plan/back-from-${name}-${by}`, value: [second, first] }]),
      ];
    }),
  ),
);

const anyPlan: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof({ arbitrary: anySend, weight: 3 }, { arbitrary: anyRead, weight: 1 }),
  { minLength: 2, maxLength: mostSteps },
);

function labelled(value: readonly Step[]): { readonly label: string; readonly value: readonly Step[] } {
  const names = value.map(({ what, isBeside }, at) => `${at === 0 ? '' : isBeside ? '+' : '-'}${what}`);
  return { label: `plan/${names.join('')}`, value };
}

function caseOf(steps: readonly Step[], speakers: Speakers): CaseRequest {
  const [last = requestOf(plainSend, speakers), ...others] = steps
    .map((step) => requestOf(step, speakers))
    .toReversed();
  return { ...last, earlier: others.toReversed() };
}
