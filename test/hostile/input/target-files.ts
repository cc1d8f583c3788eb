import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { oneCheck, type Room, type Row, words } from '../frame/row.ts';

/** A target file that is refused in one line; it is never quoted, since it could hold secrets. */
function refused(name: string, text: (room: Room) => string | Buffer, says: string | RegExp): Row {
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

/** Target files, and flags in their place, that are broken or mean harm. */
export const targetFileRows: readonly Row[] = [
  refused('an empty target file is refused', () => '', 'the target file is empty'),
  refused(
    'a target file of bytes that are no text is refused',
    () => Buffer.from([0xff, 0xfe, 0, 1]),
    'is not UTF-8 text',
  ),
  refused('a target file of 2 MB is refused', () => `# ${'x'.repeat(2e6)}`, 'is larger than'),
  refused(
    'a target file of aliases within aliases is refused',
    () => 'a: &a [x, x]\nb: &b [*a, *a]\nbase_url: *b\n',
    'aliases',
  ),
  refused('a list in place of a target file is refused', () => '- base_url', 'must be a mapping of fields'),
  refused(
    'a tab as an indent is refused',
    () => 'base_url: http://127.0.0.1:1\nroles:\n\tauthor: x\n',
    'conform.yaml:3',
  ),
  refused('a field __proto__ is unknown', withFields({ ['__proto__x']: 1 }), 'unknown field'),
  refused(
    'an unknown field is named with what was meant',
    withFields({ chanel: 'x' }),
    'did you mean `channel`?',
  ),
  refused(
    'an address with a password is refused',
    withFields({ base_url: 'http://me:secret@127.0.0.1:1' }),
    'base_url',
  ),
  refused('an address of a file is refused', withFields({ base_url: 'file:///etc/passwd' }), 'base_url'),
  refused(
    'a token with a line break is refused',
    withFields({ roles: { author: 'one\r\nX-Two: 3' } }),
    'roles.author',
  ),
  refused(
    'a token from a variable that is not set is refused',
    withFields({ roles: { author: 'env:NO_SUCH_VARIABLE' } }),
    'NO_SUCH_VARIABLE',
  ),
  refused(
    'a token from a file without an end is refused',
    withFields({ roles: { author: 'file:/dev/zero' } }),
    'is larger than',
  ),
  refused(
    'a certificate that is none is refused',
    withFields({ connection: { ca: 'conform.yaml' } }),
    'needs a PEM file',
  ),
  refused(
    'a header that smuggles another is refused',
    withFields({ connection: { headers: { 'X-A': 'b\r\nX-C: d' } } }),
    'connection.headers',
  ),
  refused(
    'a hook that is neither a command nor a URL is refused',
    withFields({ hooks: { revoke: { shell: 'rm' } } }),
    'hooks.revoke',
  ),
  {
    name: 'a target file that is a folder is refused',
    given: ({ folder }) => mkdirSync(join(folder, 'sub')),
    args: words('--target sub'),
    expected: { exit: 2, says: 'the target file is a directory', budgetS: 1 },
  },
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
    expected: { exit: 2, says: /unknown|too many arguments/, budgetS: 1 },
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
