import { lagging, lagMayShow } from './visibility.ts';
import { but, leavingOpen, type Variant } from '../base/variant.ts';

/** Replicas that refuse what they cannot know yet. */
export const replicaVariants: readonly Variant[] = leavingOpen({
  'a conflict with a cursor watermark is listed; that an issued cursor draws none is only inferred': {
    'a-replica-that-is-behind-conflicts': but(
      {
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
      },
      (under) => ({ ...lagging(under), conflictsWithWatermark: ({ after, streamEnd }) => after > streamEnd }),
    ),
  },
});
