import { leavingOpen, type Variant } from '../base/variant.ts';

/** How long an upload is looked through before it counts as ready, in ms. */
const pendingForMs = 200;

/** What becomes of a file, and where it stands among others. */
export const fileVariants: readonly Variant[] = leavingOpen({
  'pending is a state of a file; which moves there are between states is not shown': {
    'files-are-pending-at-first': {
      presentFile: (file) =>
        file.status === 'ready' && Date.now() - Date.parse(file.created_at) < pendingForMs
          ? { ...file, status: 'pending', uploaded_at: null }
          : file,
    },
  },
  'a message shows its files; in which order is not said': {
    'attachments-come-in-another-order': ({ rules }) => ({
      capturedAttachments: (fileIds) => rules.capturedAttachments(fileIds).toReversed(),
    }),
  },
});
