import type { Means } from './cases.ts';
import { targetsOf } from './people.ts';
import { plainest } from './plainest.ts';
import type { SendCase } from './sent.ts';

/** Messages with what is no value of a dimension; a server need not take all of it. */
export function specialCases({ hasReader }: Means): readonly SendCase[] {
  const plain = hasReader ? plainest : { ...plainest, target: 'none' as const };
  return [
    { ...plain, special: () => ({ host: 'Example Host \u00e9\u6f22 (1.0)' }) },
    { ...plain, special: () => ({ contentType: 'text/markdown; variant=gfm' }) },
    // A human that is not the first target, while its agent is not named.
    ...(hasReader
      ? [
          {
            ...plain,
            special: (people) => ({
              targets: (['self', 'user'] as const).flatMap((kind) => targetsOf(kind, 'author', people)),
            }),
          } satisfies SendCase,
        ]
      : []),
  ];
}

/** Messages that name two agents, so that both feeds list them. */
export function sharedCases({ hasReader, hasPeer }: Means): readonly SendCase[] {
  if (!hasReader || !hasPeer) return [];
  const special: SendCase['special'] = (people) => ({
    targets: (['reader', 'peer'] as const).flatMap((name) => {
      const id = people.get(name)?.agentId;
      return id === undefined ? [] : { kind: 'agent', id };
    }),
  });
  return Array.from({ length: 4 }, () => ({ ...plainest, special }));
}
