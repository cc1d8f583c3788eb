import { randomUUID } from 'node:crypto';
import { shown } from '../../mutants/base/changed-rules.ts';
import {
  type Answering,
  isObject,
  type JsonObject,
  listOf,
  otherUuid,
  spoilBody,
} from '../../mutants/base/spoil-answer.ts';
import { leavingOut } from '../answers/answers.ts';
import { alternatives, leavingOpen, openBy, type Variant } from '../base/variant.ts';

/** What the overview may look like: required and nullable fields and further values are not shown. */
export const overviewVariants: readonly Variant[] = [
  ...alternatives({
    ...openBy('overview.fields-may-be-absent-or-null', {
      'overview-fields-are-left-out': each((fields) =>
        leavingOut(fields, (name) => name !== 'id' && name !== 'workspace_id'),
      ),
      'overview-objects-are-empty': each(() => ({})),
      'overview-fields-are-null': each((fields) =>
        Object.fromEntries(Object.keys(fields).map((name) => [name, null])),
      ),
      'overview-fields-are-null-but-for-ids': each((fields) =>
        Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [name, name.endsWith('id') ? value : null]),
        ),
      ),
    }),
  }),
  ...leavingOpen({
    'overview-words-are-others: membership.role.values; member.role.values; member.status.values; channel.kind.values':
      each((fields) => ({
        ...fields,
        ...('role' in fields && { role: 'Überadmin' }),
        ...('status' in fields && { status: '' }),
        ...('kind' in fields && { kind: 'broadcast', description: '', slug: '' }),
      })),
    'members-who-are-away-are-inactive: member.status.values: a status may say when a member was last there, and not that it is one':
      each((fields) =>
        'email' in fields && fields['role'] !== 'owner' ? { ...fields, status: 'inactive' } : fields,
      ),
    'no-channel-is-the-default: that a workspace has a default channel is said nowhere': shown(
      'presentChannel',
      () => ({ is_default: false }),
    ),
    'overview-addresses-are-odd: member.email.format: an address of any form': () => {
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
    'member-ids-are-of-memberships: the id of a member is a UUID; whether the human’s or that of its membership is not shown':
      shown('presentMember', ({ id }) => ({ id: otherUuid(id ?? '') })),
    'an-overview-lists-more: which channels an overview lists beyond the shared ones, and in which order, is not shown':
      spoilBody('overview', (body) => ({
        ...body,
        channels: [
          { id: randomUUID(), kind: 'direct', slug: 'ada-and-rhea', is_default: false },
          ...listOf(body['channels']).toReversed(),
        ],
        members: listOf(body['members']).toReversed(),
      })),
  }),
];

/** Changes each object of the overview. */
function each(change: (fields: JsonObject) => JsonObject): Answering {
  const changed = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(changed) : isObject(value) ? change(value) : value;
  return spoilBody('overview', (body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, changed(value)])),
  );
}
