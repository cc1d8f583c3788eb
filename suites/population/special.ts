import type { Means } from './cases.ts';
import type { NamedTarget } from '../../spec/oracles/messages/targets.ts';
import { targetsOf } from './people.ts';
import { plainest } from '../../history/situations/dimensions.ts';
import type { SendCase } from './sent.ts';

/** Messages with what is no value of a dimension; a server need not take all of it. */
export function specialCases({ hasFiles, hasReader }: Means): readonly SendCase[] {
  const plain = hasReader ? plainest : { ...plainest, target: 'none' as const };
  return [
    { ...plain, special: () => ({ host: 'Example Host \u00e9\u6f22 (1.0)' }) },
    // As most programs call themselves; and what a page or a list of words would take for its own.
    { ...plain, special: () => ({ host: `Example-Host/1.0 (X11; Linux) & "Co's" <one>, two` }) },
    { ...plain, special: () => ({ contentType: 'text/markdown; variant=gfm' }) },
    // Longer than some stores have a place for, as the types of many documents are.
    {
      ...plain,
      special: () => ({
        contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      }),
    },
    // A UUID is the same in letters of either case.
    ...(hasReader
      ? (['agent', 'user', 'machine'] as const).map((target): SendCase => ({
          ...plain,
          target,
          special: (people) => ({ targets: targetsOf(target, 'author', people).map(inOtherLetters) }),
        }))
      : []),
    // Whether such a kind is taken is left open: no message shows it.
    ...(hasReader
      ? [
          {
            ...plain,
            special: (people) => ({
              targets: targetsOf('agent', 'author', people).map(({ id }) => ({ kind: 'Agent', id })),
            }),
          } satisfies SendCase,
        ]
      : []),
    // Files alone: beside targets they may be refused; and as many beside a session.
    ...(hasFiles
      ? (['one', '2 to 19', '20'] as const).map((files): SendCase => ({
          ...plain,
          target: 'none',
          files,
        }))
      : []),
    ...(hasFiles
      ? [{ ...plain, target: 'none', files: '20', session: 'provider_a cli' } satisfies SendCase]
      : []),
    // Two at once, in either order: the one may keep the other from those whom it alone reaches.
    ...(hasReader ? pairsOfKinds : []).map((kinds): SendCase => ({
      ...plain,
      special: (people) => ({ targets: kinds.flatMap((kind) => targetsOf(kind, 'author', people)) }),
    })),
  ];
}

const kinds = ['self', 'agent', 'user', 'machine'] as const;
const pairsOfKinds = kinds.flatMap((one) =>
  kinds.filter((other) => other !== one).map((other) => [one, other] as const),
);

/** With the letters of its id in upper case, or in lower case where they were in upper case. */
function inOtherLetters({ kind, id }: NamedTarget): NamedTarget {
  const upper = id.toUpperCase();
  return { kind, id: id === upper ? id.toLowerCase() : upper };
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
