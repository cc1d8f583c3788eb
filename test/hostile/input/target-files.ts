import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { oneCheck, type Room, type Row, words } from '../frame/row.ts';

/** A target file that is refused in one line; it is never quoted, since it could hold secrets. */
function refused(name: string, text: (room: Room) => string, says: string): Row {
  return {
    name,
    given: (room) => room.write('conform.yaml', text(room)),
    args: oneCheck,
    expected: { exit: 2, says, never: /testing http/, budgetS: 1 },
  };
}

function withFields(fields: object): (room: Room) => string {
  return ({ target }) => stringify({ ...target, ...fields });
}

/** Target files, and flags in their place, that are broken or mean harm; test/harness/config/reading has all that a field may not be. */
export const targetFileRows: readonly Row[] = [
  refused('an empty target file is refused', () => '', 'the target file is empty'),
  refused(
    'an address with a password is refused',
    withFields({ base_url: 'http://me:secret@127.0.0.1:1' }),
    'base_url',
  ),
  refused(
    'a token with a line break is refused',
    withFields({ roles: { author: 'one\r\nX-Two: 3' } }),
    'roles.author',
  ),
  refused(
    'a token from a file without an end is refused',
    withFields({ roles: { author: 'file:/dev/zero' } }),
    'is larger than',
  ),
  {
    name: 'a target file that links to itself is refused',
    given: ({ folder }) => symlinkSync('loop.yaml', join(folder, 'loop.yaml')),
    args: words('--target loop.yaml'),
    expected: { exit: 2, says: 'cannot be read (ELOOP)', budgetS: 1 },
  },
  {
    name: 'a target file without an end is refused',
    args: words('--target /dev/zero'),
    expected: { exit: 2, says: 'is larger than', budgetS: 1 },
  },
  {
    name: 'an unknown command is refused',
    args: words('tset --target conform.yaml'),
    expected: { exit: 2, says: 'there is no command tset', budgetS: 1 },
  },
  {
    name: 'an unknown check is refused with what was meant',
    args: words('--target conform.yaml --check mentions.limit-of-101-is-refusd'),
    expected: { exit: 2, says: 'mentions.limit-of-101-is-refused', budgetS: 1 },
  },
  {
    name: 'a baseline that is no YAML is refused',
    given: ({ write }) => write('known.yaml', '{{{'),
    args: [...oneCheck, ...words('--baseline known.yaml')],
    expected: { exit: 2, says: 'known.yaml', budgetS: 1 },
  },
];
