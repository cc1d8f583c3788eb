import { lagging, lagMayShow } from './visibility.ts';
import type { Variant } from '../base/variant.ts';

/** Replicas that refuse what they cannot know yet. */
export const replicaVariants: readonly Variant[] = [
  {
    id: 'a-replica-that-is-behind-conflicts',
    freedom: 22,
    words: 'a conflict with a cursor watermark is listed; that an issued cursor draws none is only inferred',
    excludes: [
      'sends-become-visible-later',
      'sends-become-visible-late',
      'mentions-become-visible-later',
      'reads-come-from-replicas',
      'replicas-clamp-the-cursor',
      'replicas-trim-late',
    ],
    mayWarn: [
      ...lagMayShow(),
      'mentions.issued-cursor-is-no-conflict',
      'channel-read.issued-cursor-is-no-conflict',
    ],
    options: (under) => ({
      rules: {
        ...lagging(under),
        conflictsWithWatermark: ({ after, streamEnd }) => after > streamEnd,
      },
    }),
  },
];
