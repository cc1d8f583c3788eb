import type { Agent } from '../../../reference/model/principals.ts';
import { alternatives, but, type Overlay, type Variant } from '../base/variant.ts';

/** Author and reader on one machine: which of their principals two agents share is the service's own affair. */
export const machineVariants: readonly Variant[] = alternatives({
  'an agent has a machine; that each has one of its own is said nowhere': {
    'agents-share-a-machine': but({ excludes: ['authors-have-no-machine', 'names-are-empty'] }, () =>
      onTheReadersMachine({ isOneAuthor: false }),
    ),
  },
  'mentions.same-human-authored, of machines: what counts as self-authored is not said': {
    'agents-of-one-machine-are-one-author': but(
      { excludes: ['authors-have-no-machine', 'names-are-empty', 'agents-of-one-human-are-one-author'] },
      () => onTheReadersMachine({ isOneAuthor: true }),
    ),
  },
});

/** All agents of the first workspace run where its reader does. */
function onTheReadersMachine({ isOneAuthor }: { readonly isOneAuthor: boolean }): Overlay {
  let readers: { readonly id: string; readonly workspaceId: string } | undefined;
  const isThere = ({ workspaceId }: Pick<Agent, 'workspaceId'>): boolean =>
    readers?.workspaceId === workspaceId;
  return {
    rules: {
      capturedMachine: (machine) =>
        machine && {
          id: isThere(machine) ? (readers?.id ?? machine.id) : machine.id,
          display_name: isThere(machine) ? 'one-host' : machine.displayName,
        },
      machineTargetOf: (reader) => (isThere(reader) ? (readers?.id ?? null) : reader.machineId),
      isSelfAuthored: (entry, reader) => entry.authorId === reader.id || (isOneAuthor && isThere(reader)),
    },
    company: ({ world: { roles, workspaceId } }) => {
      readers = { id: roles.reader.machineId ?? '', workspaceId };
      return () => Promise.resolve();
    },
  };
}
