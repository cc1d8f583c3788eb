import { alternatives, type Variant } from '../base/variant.ts';

/** What a human and the member that it is are called: one has one name, the other two, and nothing ties them. */
export const nameVariants: readonly Variant[] = alternatives({
  'a display name, a first and a last name are three fields; that one follows another is said nowhere': {
    'a-human-is-renamed-apart-from-its-member': { renamesMember: () => false },
  },
  'a last name is a string; no least length is given': {
    'a-member-has-one-name': {
      presentMember: (member) => ({
        ...member,
        first_name: `${member.first_name} ${member.last_name}`.trim(),
        last_name: '',
      }),
    },
  },
});
