import { alternatives, but, type Variant } from '../base/variant.ts';

const targetsNamed = 'message.mentions.order-and-repeats; what the limit of twenty counts is not said';
const filesAttached =
  'that a message shows a file once is said nowhere; what the limit of twenty counts is not said';

/** What a send that names something twice comes to: a set of its targets, or a refusal. */
export const repeatVariants: readonly Variant[] = [
  ...alternatives({
    [targetsNamed]: {
      'a-repeated-target-counts-once': but(
        { excludes: ['repeated-targets-are-kept'] },
        { countedTargets: (targets) => new Set(targets.map(({ kind, id }) => `${kind} ${id}`)).size },
      ),
      'a-repeated-target-is-refused': {
        countedTargets: (targets) =>
          hasRepeats(targets.map(({ kind, id }) => `${kind} ${id}`)) ? Infinity : targets.length,
      },
    },
  }),
  ...alternatives({
    [filesAttached]: {
      'a-repeated-file-counts-once': but(
        { excludes: ['repeated-attachments-are-kept'] },
        { countedAttachments: (ids) => new Set(ids).size },
      ),
      'a-repeated-file-is-refused': {
        countedAttachments: (ids) => (hasRepeats(ids) ? Infinity : ids.length),
      },
    },
  }),
];

function hasRepeats(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}
