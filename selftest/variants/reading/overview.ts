import { randomUUID } from 'node:crypto';
import type { Member } from '../../../spec/generated/types.ts';
import { isFields, onSuccess, without, type Fields } from '../answers/answers.ts';
import { alternatives, leavingOpen, type Overlay, type Variant } from '../base/variant.ts';

/** What the overview may look like: required and nullable fields and further values are not shown. */
export const overviewVariants: readonly Variant[] = [
  ...alternatives({
    'overview.fields-may-be-absent-or-null': {
      'overview-fields-are-left-out': () =>
        each((fields) => without(fields, (name) => name !== 'id' && name !== 'workspace_id')),
      'overview-objects-are-empty': () => each(() => ({})),
      'overview-fields-are-null': () =>
        each((fields) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]))),
      'overview-fields-are-null-but-for-ids': () =>
        each((fields) =>
          Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [name, name.endsWith('id') ? value : null]),
          ),
        ),
    },
  }),
  ...leavingOpen({
    'membership.role.values; member.role.values; member.status.values; channel.kind.values': {
      'overview-words-are-others': () =>
        each((fields) => ({
          ...fields,
          ...('role' in fields && { role: 'Überadmin' }),
          ...('status' in fields && { status: '' }),
          ...('kind' in fields && { kind: 'broadcast', description: '', slug: '' }),
        })),
    },
    'member.email.format: an address of any form': {
      'overview-addresses-are-odd': () => {
        const addresses = [
          'owner@localhost',
          '"a b\\"c"@example.test',
          'käthe+x@bücher.example',
          'x@[192.0.2.1]',
        ];
        let count = 0;
        return each((fields) =>
          'email' in fields ? { ...fields, email: addresses[(count += 1) % addresses.length] } : fields,
        );
      },
    },
    'the id of a member is a UUID; whether the human’s or that of its membership is not shown': {
      'member-ids-are-of-memberships': { presentMember: asMembership },
    },
    'which channels an overview lists beyond the shared ones, and in which order, is not shown': {
      'an-overview-lists-more': () => ({
        answer: onSuccess('overview', (body) =>
          isFields(body)
            ? {
                ...body,
                channels: [
                  { id: randomUUID(), kind: 'direct', slug: 'ada-and-rhea', is_default: false },
                  ...(body['channels'] as unknown[]).toReversed(),
                ],
                members: (body['members'] as unknown[]).toReversed(),
              }
            : body,
        ),
      }),
    },
  }),
];

/** A member under an id of its own. */
function asMembership({ id, ...member }: Member): Member {
  return { ...member, id: (id ?? '').replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a')) };
}

/** Changes each object of the overview. */
function each(change: (fields: Fields) => Fields): Overlay {
  const changed = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(changed) : isFields(value) ? change(value) : value;
  return {
    answer: onSuccess('overview', (body) =>
      isFields(body)
        ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, changed(value)]))
        : body,
    ),
  };
}
