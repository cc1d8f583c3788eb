import { alternatives, type Variant } from '../base/variant.ts';

const targetsNamed = 'message.mentions.order-and-repeats; what the limit of twenty counts is not said';
const filesAttached =
  'that a message shows a file once is said nowhere; what the limit of twenty counts is not said';

/** What a send that names something twice comes to: a set of its targets, or a refusal. */
export const repeatVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'a-repeated-target-counts-once',
      freedom: 35,
      words: targetsNamed,
      excludes: ['repeated-targets-are-kept'],
      options: () => ({
        rules: { countedTargets: (targets) => new Set(targets.map(({ kind, id }) => `${kind} ${id}`)).size },
      }),
    },
    {
      id: 'a-repeated-target-is-refused',
      freedom: 35,
      words: targetsNamed,
      options: () => ({
        rules: {
          countedTargets: (targets) =>
            hasRepeats(targets.map(({ kind, id }) => `${kind} ${id}`)) ? Infinity : targets.length,
        },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'a-repeated-file-counts-once',
      words: filesAttached,
      excludes: ['repeated-attachments-are-kept'],
      options: () => ({ rules: { countedAttachments: (ids) => new Set(ids).size } }),
    },
    {
      id: 'a-repeated-file-is-refused',
      words: filesAttached,
      options: () => ({
        rules: { countedAttachments: (ids) => (hasRepeats(ids) ? Infinity : ids.length) },
      }),
    },
  ),
];

function hasRepeats(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}
