import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Outputs, probeOutputs } from '../../../cli/shared/probe-outputs.ts';
import { ownFolder } from '../../fixtures/folder.ts';

const parent = ownFolder('outputs-');
let count = 0;
let folder = '';

beforeEach(() => {
  folder = join(parent, `${(count += 1)}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'read.yaml'), 'mine');
});

interface Refused {
  /** Files by their options, in the folder where they are no paths of their own. */
  readonly files: Readonly<Record<string, string>>;
  readonly says: string;
  readonly given?: (inFolder: (name: string) => string) => void;
  readonly canRun?: () => boolean;
}

/** What the commands of test/cli/refused name by one option each. */
const refused: Readonly<Record<string, Refused>> = {
  'a folder': { files: { '--out': '.' }, says: 'is a folder; name a file' },
  'a path below a file': { files: { '--out': 'read.yaml/out' }, says: 'is in a folder that does not exist' },
  'a path in a shut folder': {
    files: { '--out': 'shut/out' },
    says: 'is not writable by this user',
    given: (inFolder) => {
      mkdirSync(inFolder('shut'));
      chmodSync(inFolder('shut'), 0o500);
    },
    canRun: () => process.getuid?.() !== 0,
  },
  'a full disk': {
    files: { '--out': '/dev/full' },
    says: '--out /dev/full is on a full disk',
    canRun: () => existsSync('/dev/full'),
  },
  'a pipe that nobody reads': {
    files: { '--out': 'pipe' },
    says: 'is a pipe that nobody reads',
    given: (inFolder) => void execFileSync('mkfifo', [inFolder('pipe')]),
    canRun: () => spawnSync('mkfifo', ['--version']).status === 0,
  },
  'a name of 300 characters': { files: { '--out': 'x'.repeat(300) }, says: 'has too long a name' },
  'a link to itself': {
    files: { '--out': 'loop' },
    says: 'is a link that leads nowhere',
    given: (inFolder) => symlinkSync('loop', inFolder('loop')),
  },
  'one file in two spellings': {
    files: { '--out': 'a', '--history': './sub/../a' },
    says: '--out and --history name the same file',
    given: (inFolder) => mkdirSync(inFolder('sub')),
  },
  'one file by a link': {
    files: { '--out': 'a', '--write-baseline': 'b' },
    says: 'name the same file',
    given: (inFolder) => symlinkSync('a', inFolder('b')),
  },
  'a file that was read, by a link': {
    files: { '--out': 'b' },
    says: 'is a file that this command reads',
    given: (inFolder) => linkSync(inFolder('read.yaml'), inFolder('b')),
  },
  'a file that was read, by another spelling': {
    files: { '--out': '././read.yaml' },
    says: 'is a file that this command reads',
  },
};

describe('an output is refused, and nothing is left, that is', () => {
  for (const [name, { files, says, given, canRun }] of Object.entries(refused))
    it.skipIf(canRun?.() === false)(`${name}`, () => {
      const inFolder = (file: string): string => (file.startsWith('/') ? file : `${folder}/${file}`);
      given?.(inFolder);
      const before = readdirSync(folder);
      const paths = Object.entries(files).map(([option, file]) => [option, inFolder(file)]);
      const outputs: Outputs = { files: Object.fromEntries(paths), inputs: [inFolder('read.yaml')] };
      expect(() => probeOutputs(outputs)).toThrow(says);
      expect(readdirSync(folder)).toEqual(before);
      expect(readFileSync(inFolder('read.yaml'), 'utf8')).toBe('mine');
    });
});
