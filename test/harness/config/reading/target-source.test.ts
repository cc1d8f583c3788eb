import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTarget } from '../../../../harness/config/reading/read-target.ts';
import { targetSource } from '../../../../harness/config/reading/target-source.ts';
import { channelId, refusalOf, TargetFolder } from '../target-folder.ts';

const fileOf = (name: string): string =>
  `base_url: https://${name}.example\nchannel: ${channelId}\nroles: {author: token-of-${name}}\n`;
const folder = new TargetFolder().with({ 'conform.yaml': fileOf('found'), 'other.yaml': fileOf('other') });
const empty = new TargetFolder();
afterAll(() => {
  folder.remove();
  empty.remove();
});

/** What is read in the folder with a `conform.yaml`, in a word or two. */
function read(
  given: { file?: string; baseUrl?: string; CONFORM_TARGET?: string; CONFORM_BASE_URL?: string },
  cwd = folder.path,
): string {
  const { file, baseUrl, ...env } = given;
  const { target, warnings } = readTarget({ file, flags: { baseUrl }, env, cwd });
  const token = target.roles.author?.token ?? 'no token';
  return [new URL(target.baseUrl).host.replace('.example', ''), token, ...warnings.map(() => 'warned')].join(
    ', ',
  );
}

describe('which target file is read', () => {
  const url = 'https://url.example';

  it.each([
    ['conform.yaml of the folder', {}, 'found, token-of-found'],
    ['a named one instead', { file: 'other.yaml' }, 'other, token-of-other'],
    ['one of the environment', { CONFORM_TARGET: 'other.yaml' }, 'other, token-of-other'],
    ['a flag first', { file: 'other.yaml', CONFORM_TARGET: 'none.yaml' }, 'other, token-of-other'],
    ['an empty variable is none', { CONFORM_TARGET: '' }, 'found, token-of-found'],
    ['a named one beside an address', { file: 'other.yaml', baseUrl: url }, 'url, token-of-other'],
    ['both by variables', { CONFORM_TARGET: 'other.yaml', CONFORM_BASE_URL: url }, 'url, token-of-other'],
    ['a file beside a variable', { file: 'conform.yaml', CONFORM_BASE_URL: url }, 'url, token-of-found'],
    ['none that is only found beside an address', { baseUrl: url }, 'url, no token, warned'],
    ['nor beside one of the environment', { CONFORM_BASE_URL: url }, 'url, no token, warned'],
    [
      'an address by flag first',
      { baseUrl: url, CONFORM_BASE_URL: 'https://env.example' },
      'url, no token, warned',
    ],
  ])('%s', (_, given, expected) => {
    expect(read(given)).toBe(expected);
  });

  it('is none where there is none: an address needs no warning', () => {
    expect(read({ baseUrl: url }, empty.path)).toBe('url, no token');
    expect(refusalOf(() => read({}, empty.path))).toMatch(/`base_url` is missing – /);
    expect(targetSource({ flags: {}, env: {}, cwd: empty.path })).toEqual({ from: 'nothing' });
  });

  it('says how a file that is not read would be', () => {
    const { warnings } = readTarget({ flags: { baseUrl: url }, env: {}, cwd: folder.path });
    expect(warnings).toEqual([
      'conform.yaml of this folder is not read, as the server is named without it; --target conform.yaml reads both',
    ]);
  });

  it('is one that cannot be read, too: it is not passed over', () => {
    const linked = new TargetFolder();
    symlinkSync('gone.yaml', join(linked.path, 'conform.yaml'));
    expect(refusalOf(() => read({}, linked.path))).toBe('conform.yaml: the target file does not exist');
    linked.remove();
    const nested = new TargetFolder().with({ 'conform.yaml/inside': '' });
    expect(refusalOf(() => read({}, nested.path))).toBe('conform.yaml: the target file is a directory');
    nested.remove();
  });
});
