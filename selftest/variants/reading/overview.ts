import { randomUUID } from 'node:crypto';
import { isFields, onSuccess, without, type Fields } from '../answers/answers.ts';
import { alternatives, type Overlay, type Variant } from '../base/variant.ts';

/** What the overview may look like: required and nullable fields and further values are not shown. */
export const overviewVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'overview-fields-are-left-out',
      words: 'overview.fields-may-be-absent-or-null',
      options: () => each((fields) => without(fields, (name) => name !== 'id' && name !== 'workspace_id')),
    },
    {
      id: 'overview-objects-are-empty',
      words: 'overview.fields-may-be-absent-or-null',
      options: () => each(() => ({})),
    },
    {
      id: 'overview-fields-are-null',
      words: 'overview.fields-may-be-absent-or-null',
      options: () => each((fields) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]))),
    },
    {
      id: 'overview-fields-are-null-but-for-ids',
      words: 'overview.fields-may-be-absent-or-null',
      options: () =>
        each((fields) =>
          Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [name, name.endsWith('id') ? value : null]),
          ),
        ),
    },
  ),
  {
    id: 'overview-words-are-others',
    words: 'membership.role.values; member.role.values; member.status.values; channel.kind.values',
    options: () =>
      each((fields) => ({
        ...fields,
        ...('role' in fields && { role: 'Überadmin' }),
        ...('status' in fields && { status: '' }),
        ...('kind' in fields && { kind: 'broadcast', description: '', slug: '' }),
      })),
  },
  {
    id: 'overview-addresses-are-odd',
    words: 'member.email.format: an address of any form',
    options: () => {
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
  {
    id: 'an-overview-lists-more',
    words: 'which channels an overview lists beyond the shared ones, and in which order, is not shown',
    options: () => ({
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
];

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
