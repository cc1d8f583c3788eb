import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { conformProgram } from '../../../cli/program.ts';
import { commandAt } from '../../../cli/shared/own-command.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { sourceFiles, textOf } from '../../house.ts';
import { textsOf } from '../../source-texts.ts';

const folder = ownFolder('own-command-');

const npx = (name: string, ...packages: readonly unknown[]): Record<string, string> => ({
  [`_npx/${name}/package.json`]: JSON.stringify({ _npx: { packages } }),
  [`_npx/${name}/node_modules/.bin/conform`]: '',
});

it.each<[string, string, Record<string, string>, string]>([
  ['in a checkout', 'checkout', { 'checkout/tsconfig.json': '' }, 'npx conform'],
  [
    'in a checkout that a package links to',
    'user/node_modules/linked',
    { 'user/node_modules/linked/tsconfig.json': '', 'user/node_modules/.bin/conform': '' },
    'npx conform',
  ],
  ['in a package', 'p/node_modules/suite', { 'p/node_modules/.bin/conform': '' }, 'npx conform'],
  [
    'in a package, where links lead elsewhere',
    'q/node_modules/.store/suite@1/node_modules/suite',
    { 'q/node_modules/.bin/conform': '' },
    'npx conform',
  ],
  ['for everybody', 'usr/lib/node_modules/suite', { 'usr/bin/conform': '' }, 'conform'],
  ['by npx', '_npx/one/node_modules/suite', npx('one', './x.tgz'), 'npx --yes ./x.tgz'],
  [
    'by npx from a file with a blank in its name',
    '_npx/blank/node_modules/suite',
    npx('blank', './my suite.tgz'),
    "npx --yes './my suite.tgz'",
  ],
  [
    'by npx from an address with a password',
    '_npx/address/node_modules/suite',
    npx('address', 'https://me:secret@host.example/x.tgz'),
    'npx --yes https://host.example/x.tgz',
  ],
  [
    'by npx beside other packages',
    '_npx/two/node_modules/suite',
    npx('two', 'suite@0.1.0', 'other'),
    'npx --yes --package=suite@0.1.0 --package=other conform',
  ],
  ['by an npx that wrote nothing down', '_npx/none/node_modules/suite', npx('none'), 'npx --yes suite'],
])('what is installed %s prints commands that start it there', (_, root, files, command) => {
  mkdirSync(join(folder, root), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const isCheckout = Object.keys(files).some((file) => file.endsWith('tsconfig.json'));
  const here = isCheckout ? root : (root.split('/node_modules')[0] ?? root);
  expect(commandAt(join(folder, root), join(folder, here))).toBe(command);
});

it('is started by its file from a folder where npx would start something else', () => {
  const [checkout, inPackage] = [join(folder, 'checkout'), join(folder, 'p/node_modules/suite')];
  expect(commandAt(checkout, folder)).toBe(`node ${checkout}/dist/cli/main.js`);
  expect(commandAt(inPackage, join(folder, 'p/below'))).toBe('npx conform');
  expect(commandAt(inPackage, folder)).toBe(`node ${inPackage}/dist/cli/main.js`);
});

it('no other text of the program says how to start it, since that depends on where it is installed', () => {
  const names = conformProgram().commands.map((each) => each.name());
  const command = new RegExp(`(?:npm run [^\\n]*|npx |(?<![\\w-]))conform (?:--|(?:${names.join('|')})\\b)`);
  expect(command.test('see conform clauses')).toBe(true);
  const files = sourceFiles().filter(
    (file) => !/^(?:selftest|(?:spec|cli)\/generate)\//.test(file) && command.test(textOf(file)),
  );
  const texts = files.flatMap((file) =>
    textsOf(file, textOf(file))
      .filter(({ text, isComment }) => !isComment && command.test(text))
      .map(({ text }) => `${file}: ${text}`),
  );
  expect([...new Set(texts)]).toEqual([
    // What the doctor writes into a channel.
    'cli/doctor/probes.ts: conform doctor',
  ]);
});
